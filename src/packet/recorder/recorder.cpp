#include "packet/recorder/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "packet/links/link_use.h"
#include "packet/recorder/widen_bins.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

// Without a given duration, start fine and double: the first bins are twenty packet times wide.
Time initial_width(const PacketConfig& config, const Topology& topology, std::uint32_t parts) {
  if (config.run.until == Until::duration) return {std::max<std::int64_t>(1, (config.run.duration / parts).ps)};
  const Rate rate = topology.link(topology.host_port({0})).rate;
  return std::max(Time{1}, rate.time_for(config.format.max_payload() + config.format.header) * 20);
}

// Of a run whose duration is given; of other runs, before they become rarer.
constexpr std::uint32_t kTicks = 64;

// Most links of a large fabric have not waited, and nothing stands behind them: then nothing is divided.
std::uint8_t share(std::int64_t part, double whole) {
  if (part <= 0 || !(whole > 0)) return 0;
  return static_cast<std::uint8_t>(std::min(static_cast<double>(part) / whole * 255.0 + 0.5, 255.0));
}

std::uint8_t mean(std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>((unsigned{a} + b + 1) / 2); }

void finish_sender(PortResult& port, const FabricState& fabric, LinkId l, std::int64_t now, CostTime waited) {
  const Link& link = fabric.link(l);
  port.xmit_bytes = link.sent_bytes;
  port.xmit_packets = fabric.sent_packets(l);
  port.busy = {busy_by(fabric, l, now)};  // the packet on the wire is counted as far as it has come
  const LinkWait& w = fabric.wait(l);
  port.wait = {w.total + w.open(now)};
  port.tick_ps = static_cast<std::uint32_t>(fabric.kind(link).serialization(128));
  fabric.each_channel(l, [&](ChannelId c) {
    waited += fabric.output(c).waited;
    port.peak_output_bytes += peak_backlog_bytes(fabric, c);
  });
  if (now != 0) port.mean_output_bytes = static_cast<double>(waited) / static_cast<double>(now);
}

void finish_receiver(PortResult& port, const FabricState& fabric, LinkId l, std::int64_t now) {
  CostTime stood = 0;
  fabric.each_channel(l, [&](ChannelId c) {
    stood += fabric.inputs().integral(c, now);
    port.peak_input_bytes += static_cast<std::uint64_t>(fabric.inputs().peak(c, now));
  });
  if (now != 0) port.mean_input_bytes = static_cast<double>(stood) / static_cast<double>(now);
}

}  // namespace

Recorder::Recorder(const PacketConfig& config, const Workload& workload, const Topology& topology, std::size_t links)
    : busy_at_frame_(links), wait_at_frame_(links) {
  m_.classes.resize(workload.classes.size());
  fixed_bin_ = config.measure.bin.ps > 0;
  bin_where_ = config.measure.bin_where;
  max_bins_ = std::max<std::size_t>(2, config.measure.max_bins & ~1u);
  const std::uint32_t parts = std::min<std::uint32_t>(static_cast<std::uint32_t>(max_bins_), 200);
  bin_width_ = fixed_bin_ ? config.measure.bin.ps : initial_width(config, topology, parts).ps;
  bin_end_ = bin_width_;
  for (std::size_t i = 0; i < m_.classes.size(); ++i) {
    m_.classes[i].name = workload.classes[i].name;
    m_.classes[i].series.reserve(fixed_bin_ ? 1 : max_bins_);
    m_.classes[i].series.resize(1);
  }
  class_count_ = m_.classes.size();
  bins_.resize(class_count_);
  find_bins();
  m_.hosts.resize(topology.hosts() * class_count_);
  m_.hosts_by_class = true;
  warmup_ = config.run.warmup.ps;
  m_.warmup = config.run.warmup;
  max_frames_ = config.measure.frames & ~1u;
  tick_ = initial_width(config, topology, std::max(1u, std::min(max_frames_ == 0 ? kTicks : max_frames_, kTicks)));
}

void Recorder::advance(std::int64_t now) {
  while (now >= bin_end_) {
    if (!fixed_bin_ && bin_index_ + 1 == max_bins_) {
      merge_bins();
      continue;
    }
    if (fixed_bin_ && bin_index_ + 1 == kMostFixedBins)
      throw InputError(bin_where_, fmt::format("bin = {} is too narrow: the run is not over after {} bins; give a "
                                               "wider one, or leave `bin` out",
                                               to_text(Time{bin_width_}), kMostFixedBins));
    ++bin_index_;
    bin_end_ += bin_width_;
    for (ClassResult& c : m_.classes) c.series.emplace_back();
  }
  find_bins();
}

void Recorder::find_bins() {
  for (std::size_t i = 0; i < class_count_; ++i) bins_[i] = &m_.classes[i].series[bin_index_];
}

void Recorder::merge_bins() {
  widen_bins(m_.classes, bin_width_);
  bin_index_ = max_bins_ / 2 - 1;
  bin_end_ = static_cast<std::int64_t>(max_bins_ / 2) * bin_width_;
}

Time Recorder::tick(const FabricState& fabric, std::int64_t now) {
  if (max_frames_ > 0) snapshot(fabric, now);
  const std::uint32_t most = 2 * (max_frames_ == 0 ? kTicks : max_frames_);
  if (++ticks_ >= most) {
    merge_frames();
    ticks_ /= 2;
    tick_ = tick_ * 2;
  }
  return {now + tick_.ps};
}

void Recorder::snapshot(const FabricState& fabric, std::int64_t now) {
  const auto span = static_cast<double>(now - frame_start_);
  frame_start_ = now;
  FabricFrame frame{{now}, {}, {}, {}};
  frame.load.resize(fabric.used().size());
  frame.occupancy.resize(fabric.used().size());
  frame.wait.resize(fabric.used().size());
  fabric.used().each([&](std::uint32_t l, std::size_t place) {
    const Link& link = fabric.link({l});
    if (!link.is(Link::kConnected)) return;
    const std::int64_t busy = busy_by(fabric, {l}, now);
    const LinkWait& w = fabric.wait({l});
    const std::int64_t waited = w.total + w.open(now);
    // An interrupted packet may take back what was counted.
    frame.load[place] = share(busy - busy_at_frame_[place], span);
    busy_at_frame_[place] = busy;
    frame.wait[place] = share(waited - wait_at_frame_[place], span);
    wait_at_frame_[place] = waited;
    if (!link.is(Link::kToHost)) {
      const ChannelId c = fabric.channel_of({l}, {0});
      frame.occupancy[place] = share(fabric.inputs().occupied(c, now), fabric.capacity(c));
    }
  });
  m_.frames.push_back(std::move(frame));
}

void Recorder::merge_frames() {
  for (std::size_t i = 0; i < m_.frames.size() / 2; ++i) {
    FabricFrame& a = m_.frames[2 * i];
    FabricFrame b = std::move(m_.frames[2 * i + 1]);
    for (std::size_t p = 0; p < b.load.size(); ++p) {
      b.load[p] = mean(a.load[p], b.load[p]);
      b.occupancy[p] = std::max(a.occupancy[p], b.occupancy[p]);
      b.wait[p] = mean(a.wait[p], b.wait[p]);
    }
    m_.frames[i] = std::move(b);
  }
  m_.frames.resize(m_.frames.size() / 2);
}

void Recorder::finish(const FabricState& fabric, std::int64_t now, const std::vector<CostTime>& waiting) {
  m_.end = {now};
  m_.bin = {bin_width_};
  make_room_for_ports(m_, fabric);
  finish_ports(m_, fabric, {}, now, waiting);
}

void Recorder::make_room_for_ports(Measurements& all, const FabricState& fabric) {
  all.ports.resize(fabric.links());
  all.lanes = fabric.lanes();
  if (fabric.pauses()) all.pauses.resize(std::size_t{fabric.links()} * fabric.lanes());
}

void Recorder::finish_ports(Measurements& all, const FabricState& fabric, const Part& part, std::int64_t now,
                            const std::vector<CostTime>& waiting) const {
  fabric.used().each([&](std::uint32_t l, std::size_t) {
    if (!fabric.link({l}).is(Link::kConnected)) return;
    if (part.owns(fabric.receiver({l}))) finish_receiver(all.ports[l], fabric, {l}, now);
    if (!part.owns(fabric.sender({l}))) return;
    finish_sender(all.ports[l], fabric, {l}, now, waiting[l]);
    for (Lane lane{0}; fabric.pauses() && lane.index < fabric.lanes(); ++lane.index) {
      const PauseGauge& gauge = fabric.pause(fabric.channel_of({l}, lane));
      all.pauses[std::size_t{l} * fabric.lanes() + lane.index] = {gauge.stops, {gauge.by(now)}};
    }
  });
}

Measurements Recorder::so_far(const FabricState& fabric, std::int64_t now,
                              const std::vector<CostTime>& waiting) const {
  Recorder copy(*this);
  copy.finish(fabric, now, waiting);
  return std::move(copy.m_);
}

}  // namespace weir
