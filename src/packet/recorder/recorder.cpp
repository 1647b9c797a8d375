#include "packet/recorder/recorder.h"

#include <fmt/format.h>

#include <algorithm>

#include "packet/links/link_use.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

// Without a given duration, start fine and double: the first bins are one microsecond or twenty packet times wide.
Time initial_width(const PacketConfig& config, const Topology& topology, std::uint32_t parts) {
  if (config.run.until == Until::duration) return {std::max<std::int64_t>(1, (config.run.duration / parts).ps)};
  const Rate rate = topology.link(topology.host_port({0})).rate;
  return std::max(Time{1}, rate.time_for(config.format.max_payload() + config.format.header) * 20);
}

// Of a run whose duration is given; of other runs, before they become rarer.
constexpr std::uint32_t kTicks = 64;

std::uint8_t share(double part, double whole) {
  return static_cast<std::uint8_t>(std::clamp(whole > 0 ? part / whole * 255.0 + 0.5 : 0.0, 0.0, 255.0));
}

std::uint8_t mean(std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>((unsigned{a} + b + 1) / 2); }

std::vector<LinkRange> links_at(const Topology& topology, const Part& part) {
  if (part.is_whole()) return {{0, static_cast<std::uint32_t>(topology.ports())}};
  std::vector<LinkRange> ranges;
  for (std::uint32_t l = 0; l < topology.ports(); ++l) {
    const PortId far = topology.to({l});
    if (!far.valid() || (!part.owns(topology.node_of({l})) && !part.owns(topology.node_of(far)))) continue;
    if (!ranges.empty() && ranges.back().end == l) ++ranges.back().end;
    else ranges.push_back({l, l + 1});
  }
  return ranges;
}

}  // namespace

Recorder::Recorder(const PacketConfig& config, const Workload& workload, const Topology& topology, const Part& part)
    : links_(links_at(topology, part)) {
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
  m_.ports.resize(topology.ports());
  warmup_ = config.run.warmup.ps;
  m_.warmup = config.run.warmup;
  max_frames_ = config.measure.frames & ~1u;
  busy_at_frame_.assign(topology.ports(), 0);
  wait_at_frame_.assign(topology.ports(), 0);
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
  widen_bins();
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
  frame.load.resize(fabric.links());
  frame.occupancy.resize(fabric.links());
  frame.wait.resize(fabric.links());
  const auto look_at = [&](std::uint32_t l) {
    const Link& link = fabric.link({l});
    if (!link.is(Link::kConnected)) return;
    const std::int64_t busy = busy_by(fabric, {l}, now);
    const LinkWait& w = fabric.wait({l});
    const std::int64_t waited = w.total + w.open(now);
    // An interrupted packet may take back what was counted.
    frame.load[l] = share(static_cast<double>(std::max<std::int64_t>(0, busy - busy_at_frame_[l])), span);
    busy_at_frame_[l] = busy;
    frame.wait[l] = share(static_cast<double>(waited - wait_at_frame_[l]), span);
    wait_at_frame_[l] = waited;
    if (!link.is(Link::kToHost)) {
      const ChannelId c = fabric.channel_of({l}, {0});
      frame.occupancy[l] = share(fabric.inputs().occupied(c, now), fabric.capacity(c));
    }
  };
  for (const LinkRange& range : links_)
    for (std::uint32_t l = range.begin; l < range.end; ++l) look_at(l);
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
  for (std::uint32_t l = 0; l < fabric.links(); ++l) {
    const Link& link = fabric.link({l});
    PortResult& port = m_.ports[l];
    if (!link.is(Link::kConnected)) continue;
    port.xmit_bytes = link.sent_bytes;
    port.xmit_packets = fabric.sent_packets({l});
    port.busy = {busy_by(fabric, {l}, now)};  // the packet on the wire is counted as far as it has come
    const LinkWait& w = fabric.wait({l});
    port.wait = {w.total + w.open(now)};
    port.tick_ps = static_cast<std::uint32_t>(fabric.kind(link).serialization(128));
    CostTime stood = 0, waited = waiting[l];
    for (std::uint32_t v = 0; v < fabric.lanes(); ++v) {
      const ChannelId c = fabric.channel_of({l}, {v});
      stood += fabric.inputs().integral(c, now);
      waited += fabric.output(c).waited;
      port.peak_input_bytes += static_cast<std::uint64_t>(fabric.inputs().peak(c, now));
      port.peak_output_bytes += peak_backlog_bytes(fabric, c);
    }
    if (now == 0) continue;
    port.mean_input_bytes = static_cast<double>(stood) / static_cast<double>(now);
    port.mean_output_bytes = static_cast<double>(waited) / static_cast<double>(now);
  }
}

Measurements Recorder::so_far(const FabricState& fabric, std::int64_t now,
                              const std::vector<CostTime>& waiting) const {
  Recorder copy(*this);
  copy.finish(fabric, now, waiting);
  return std::move(copy.m_);
}

}  // namespace weir
