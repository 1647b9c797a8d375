// The hooks of the marking family: detection in the switches, correction at the sources. Open to tests, which look
// inside.
#pragma once
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schemes/idle.h"
#include "schemes/marking/marking.h"

namespace weir::marking {

enum class Happened : std::uint8_t {
  input_mark,
  output_mark,
  smaller_window,
  longer_delay,
  shorter_delay,
  larger_window,
  reset
};
inline constexpr std::array<const char*, 7> kHappened{"marks at inputs",  "marks at outputs", "windows made smaller",
                                                      "delays made longer", "delays made shorter",
                                                      "windows made larger", "resets by an empty queue"};

// What happened, counted at each node; in bins of the run's time series, too, if the scenario fixes the width of a bin.
class ActionSeries {
 public:
  explicit ActionSeries(SchemeState& owner) : nodes_(owner) {}

  void start(Time bin) { bin_ = bin; }
  void count(NodeView here, Happened what) {
    AtNode& node = nodes_[here.node()];
    ++node.totals[static_cast<std::size_t>(what)];
    if (bin_.ps == 0) return;
    const auto bin = static_cast<std::size_t>(here.now().ps / bin_.ps);
    if (bin >= kMostFixedBins) return;  // which the recorder refuses as soon as it sees it
    for (auto last = node.bins.rbegin(); last != node.bins.rend() && last->bin == bin; ++last)
      if (last->what == what) {
        ++last->times;
        return;
      }
    node.bins.push_back({static_cast<std::uint32_t>(bin), 1, what});
  }
  std::uint64_t total(Happened what) const {
    std::uint64_t sum = 0;
    for (const AtNode& node : nodes_) sum += node.totals[static_cast<std::size_t>(what)];
    return sum;
  }
  void report(Measurements& m) const {
    std::array<std::vector<double>, kHappened.size()> series;
    for (const AtNode& node : nodes_)
      for (const Bin& b : node.bins) {
        std::vector<double>& bins = series[static_cast<std::size_t>(b.what)];
        if (b.bin >= bins.size()) bins.resize(b.bin + 1, 0);
        bins[b.bin] += b.times;
      }
    for (std::size_t k = 0; k < kHappened.size(); ++k) {
      m.scheme_numbers.emplace_back(kHappened[k], static_cast<double>(total(static_cast<Happened>(k))));
      if (bin_.ps > 0) m.scheme_series.push_back({kHappened[k], bin_, std::move(series[k])});
    }
  }
  std::size_t bytes_beside_tables() const {
    std::size_t sum = 0;
    for (const AtNode& node : nodes_) sum += node.bins.capacity() * sizeof(Bin);
    return sum;
  }

 private:
  struct Bin {
    std::uint32_t bin, times;
    Happened what;
  };
  struct AtNode {
    std::array<std::uint64_t, kHappened.size()> totals{};
    std::vector<Bin> bins;  // in order; those in which nothing happened take nothing
    void each_field(auto&& visit) {
      visit(totals);
      visit(bins);
    }
  };

  Time bin_;
  NodeTable<AtNode> nodes_;
};

// Whose state a connection shares. Windows and waits belong to a pair of hosts, not to a message: the messages of a
// trace between the same two share one state. It lies at the pair's own connection if packets drawn at random use it
// too, else at the first such message. Or they belong to a source host, and all its connections share one.
class InjectionStates {
 public:
  InjectionStates(SchemeState& owner, bool messages, bool by_source, const CorrectionState& initial)
      : by_source_(by_source),
        of_source_(owner, initial, by_source),
        of_pair_(owner, initial, !by_source),
        owner_(owner, {}, messages && !by_source),
        held_by_source_(owner, {}, by_source),
        held_by_pair_(owner, {}, messages && !by_source),
        next_(owner, kNoConnection, messages || by_source),
        is_held_(owner, 0, messages || by_source) {}

  void start(const GlobalView& all) {
    std::map<std::array<std::uint32_t, 3>, ConnectionId> first;
    for (std::uint32_t m = 0; m < owner_.size(); ++m) {
      const Flow& f = all.workload().flows[{m}];
      const ConnectionId pair = all.connections().of_pair(f.source, f.destination, {f.lane});
      const auto own = first.try_emplace({f.source.index, f.destination.index, f.lane}, ConnectionId{m}).first;
      owner_[{m}] = pair.valid() ? pair : own->second;
    }
  }
  CorrectionState& of(HostView here, ConnectionId connection) {
    return by_source_ ? of_source_[here.here()] : of_pair_[owner_of(connection)];
  }
  const CorrectionState& of_pair(ConnectionId connection) const { return of_pair_[owner_of(connection)]; }
  // It will be asked for soon.
  void fetch(ConnectionId connection) const {
    if (!by_source_) of_pair_.fetch(owner_of(connection));
  }
  // This connection asked and was refused.
  void hold(HostView here, ConnectionId connection) {
    const bool alone = !by_source_ && connection.index >= owner_.size();
    if (alone || is_held_[connection] != 0) return;
    is_held_[connection] = 1;
    Held& held = held_of(here, connection);
    (held.first.valid() ? next_[held.last] : held.first) = connection;
    held.last = connection;
  }
  // Whether the source holds back nothing but, perhaps, what has just come into an empty queue.
  bool holds_none(HostView here) const { return !by_source_ || !held_by_source_[here.here()].first.valid(); }
  // All that share its state may ask again.
  void wake(HostView here, ConnectionId connection) {
    if (!by_source_) here.wake(owner_of(connection));
    if (next_.empty()) return;
    for (ConnectionId c = std::exchange(held_of(here, connection).first, kNoConnection); c.valid();) {
      const ConnectionId woken = c;
      c = std::exchange(next_[c], kNoConnection);
      is_held_[woken] = 0;
      here.wake(woken);
    }
  }

 private:
  struct Held {  // those that were refused, linked by next_
    ConnectionId first = kNoConnection, last = kNoConnection;
  };

  ConnectionId owner_of(ConnectionId connection) const {
    return connection.index < owner_.size() ? owner_[{connection.index}] : connection;
  }
  Held& held_of(HostView here, ConnectionId connection) {
    return by_source_ ? held_by_source_[here.here()] : held_by_pair_[owner_of(connection)];
  }

  bool by_source_;
  HostTable<CorrectionState> of_source_;
  ConnectionTable<CorrectionState> of_pair_;        // at the owner
  FlowTable<ConnectionId> owner_;                  // of every message
  HostTable<Held> held_by_source_;
  ConnectionTable<Held> held_by_pair_;
  ConnectionTable<ConnectionId> next_;
  ConnectionTable<std::uint8_t> is_held_;
};

// For detection that has nothing to do with departures, which are many.
struct MarkingBeforeDeparture : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;
  static constexpr bool kOnlyMarks = true;

  explicit MarkingBeforeDeparture(const MarkingConfig& c) : config(c), correction(c.correction) {}

  void on_start(const GlobalView& all) override {
    states.start(all);
    actions.start(all.config().measure.bin);
  }

  Time on_switch_arrival(SwitchView here, ChannelId in_channel, Packet& p) override {
    if (p.is(PacketKind::data) && detector.arrives(here, in_channel, p)) actions.count(here, Happened::input_mark);
    return {};
  }
  bool looks_at_output(const Packet& p) const override {
    return p.is(PacketKind::data) && detector.looks_at_output(p);
  }
  void on_output(SwitchView here, ChannelId out_channel, Packet& p) override {
    if (p.is(PacketKind::data) && detector.enters_output(here, out_channel, p))
      actions.count(here, Happened::output_mark);
  }

  void before_arrival(HostView, const Packet& p) const override {
    if (p.is(PacketKind::ack)) states.fetch(p.connection);
  }
  void before_sending(HostView, ConnectionId connection) const override { states.fetch(connection); }

  // Whoever generates into an empty queue is not holding anything back: its restrictions are obsolete.
  void on_queued(HostView here, const Packet& p, bool queue_was_empty) override {
    if (!queue_was_empty || !states.holds_none(here)) return;
    CorrectionState& flow = states.of(here, p.connection);
    if (!correction.recovers_at_once(flow)) return;
    correction.reset(flow);
    actions.count(here, Happened::reset);
    states.wake(here, p.connection);
  }
  Time gate(HostView here, ConnectionId connection, Packet&) override {
    const Time when = correction.may_inject(states.of(here, connection));
    if (when > here.now()) {
      seen[here.here()].has_held = true;
      states.hold(here, connection);
    }
    return when;
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;  // to itself: nothing to acknowledge
    CorrectionState& flow = states.of(here, p.connection);
    correction.injected(flow, here.now().ps, here.serialization(here.link(), p.size).ps);
    double& longest = seen[here.here()].longest_delay;
    longest = std::max(longest, flow.delay);
  }
  void on_ack(HostView here, Packet& p) override {
    CorrectionState& flow = states.of(here, p.connection);
    WEIR_CHECK(flow.outstanding > 0);
    switch (correction.acknowledged(flow, severity_of(config.detection.kind, p.marks), here.now().ps)) {
      case Action::nothing: break;
      case Action::smaller_window: actions.count(here, Happened::smaller_window); break;
      case Action::longer_delay: actions.count(here, Happened::longer_delay); break;
      case Action::shorter_delay: actions.count(here, Happened::shorter_delay); break;
      case Action::larger_window: actions.count(here, Happened::larger_window); break;
    }
    states.wake(here, p.connection);
  }

  void report(Measurements& m) const override {
    Seen all;
    for (const Seen& s : seen) all = {std::max(all.longest_delay, s.longest_delay), all.has_held || s.has_held};
    const CorrectionConfig& c = config.correction;
    const auto tell = [&](const char* name, double value) { m.scheme_numbers.emplace_back(name, value); };
    tell("shortest round trip [ns]", config.trip.shortest.nanoseconds());
    if (c.window != WindowKind::none) tell("largest window [packets]", c.largest_window);
    if (c.delay == DelayKind::slots || c.delay == DelayKind::table) tell("waiting slot [ns]", c.slot.nanoseconds());
    if (c.delay == DelayKind::slots) tell("slots multiplied by", c.factor);
    if (c.delay == DelayKind::slots) tell("increases at most (0 = no limit)", c.limit);
    if (c.delay != DelayKind::none)
      tell(c.in_packet_times() ? "longest delay [packet times]" : "longest delay [slots]", all.longest_delay);
    actions.report(m);
    if (!all.has_held)
      m.scheme_idle = idle::marking(config.detection,
                                    actions.total(Happened::input_mark) + actions.total(Happened::output_mark));
  }
  std::size_t bytes_beside_tables() const override { return actions.bytes_beside_tables(); }

  struct Seen {
    double longest_delay = 0;
    bool has_held = false;  // a packet back
  };

  MarkingConfig config;
  Correction correction;
  Detector detector{*this, config.detection};
  ActionSeries actions{*this};
  HostTable<Seen> seen{*this};
  InjectionStates states{*this, config.messages, config.correction.per == WindowPer::source, correction.initial()};
};

struct MarkingFamily : MarkingBeforeDeparture {
  using MarkingBeforeDeparture::MarkingBeforeDeparture;
  bool looks_at_output(const Packet& p) const override { return p.is(PacketKind::data); }
  void on_departure(SwitchView here, ChannelId out_channel, Packet& p) override {
    if (detector.departs(out_channel, p)) actions.count(here, Happened::input_mark);
  }
};

}  // namespace weir::marking
