// The hooks of the marking family: detection in the switches, correction at the sources. Open to tests, which look
// inside.
#pragma once
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "schemes/idle.h"
#include "schemes/marking.h"

namespace weir::marking {

// What happened, counted in bins of the run's time series for figures; kept only if the scenario fixes the width of a
// bin.
class ActionSeries {
 public:
  enum Kind : std::uint8_t {
    kInputMark,
    kOutputMark,
    kSmallerWindow,
    kLongerDelay,
    kShorterDelay,
    kLargerWindow,
    kReset
  };
  static constexpr std::array<const char*, 7> kNames{"marks at inputs",  "marks at outputs", "windows made smaller",
                                                     "delays made longer", "delays made shorter", "windows made larger",
                                                     "resets by an empty queue"};

  void start(Time bin) { bin_ = bin; }
  void count(Kind kind, std::int64_t now, std::uint64_t times = 1) {
    totals_[kind] += times;
    if (bin_.ps == 0 || times == 0) return;
    std::vector<double>& bins = bins_[kind];
    const auto index = static_cast<std::size_t>(now / bin_.ps);
    if (index >= kMostFixedBins) return;  // which the recorder refuses as soon as it sees it
    if (index >= bins.size()) bins.resize(index + 1, 0);
    bins[index] += static_cast<double>(times);
  }
  void report(Measurements& m) const {
    for (std::size_t k = 0; k < kNames.size(); ++k) {
      m.scheme_numbers.emplace_back(kNames[k], static_cast<double>(totals_[k]));
      if (bin_.ps > 0) m.scheme_series.push_back({kNames[k], bin_, bins_[k]});
    }
  }

 private:
  Time bin_;
  std::array<std::uint64_t, 7> totals_{};
  std::array<std::vector<double>, 7> bins_;
};

// Windows and waits belong to a pair of hosts, not to a message: the messages of a trace between the same two share one
// state. It lies at the pair's own connection if packets drawn at random use it too, else at the first such message.
class PairsOfMessages {
 public:
  void start(EngineView& engine) {
    const auto& messages = engine.workload().flows;
    if (messages.empty()) return;
    std::map<std::array<std::uint32_t, 3>, ConnectionId> first;
    owner_.reserve(messages.size());
    for (std::uint32_t m = 0; m < messages.size(); ++m) {
      const Flow& f = messages[{m}];
      const ConnectionId pair = engine.connections().of_pair(f.source, f.destination, {f.lane});
      const auto own = first.try_emplace({f.source.index, f.destination.index, f.lane}, ConnectionId{m}).first;
      owner_.push_back(pair.valid() ? pair : own->second);
    }
    held_.assign(engine.connections().count(), kNoConnection);
    next_.assign(owner_.size(), kNoConnection);
  }
  ConnectionId of(ConnectionId connection) const {
    return connection.index < owner_.size() ? owner_[connection.index] : connection;
  }
  // This message asked and was refused.
  void hold(ConnectionId connection) {
    if (connection.index >= owner_.size()) return;
    ConnectionId* link = &held_[owner_[connection.index].index];
    while (link->valid() && *link != connection) link = &next_[link->index];
    *link = connection;
  }
  // All of the pair may ask again.
  void wake(EngineView& engine, ConnectionId owner) {
    engine.wake(owner);
    if (held_.empty()) return;
    for (ConnectionId c = std::exchange(held_[owner.index], kNoConnection); c.valid();) {
      const ConnectionId connection = c;
      c = std::exchange(next_[c.index], kNoConnection);
      engine.wake(connection);
    }
  }
  std::size_t bytes_of_state() const {
    return (owner_.capacity() + held_.capacity() + next_.capacity()) * sizeof(ConnectionId);
  }

 private:
  std::vector<ConnectionId> owner_;        // of every message
  std::vector<ConnectionId> held_, next_;  // per owner: list of its messages that were refused
};

struct MarkingFamily : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  explicit MarkingFamily(const MarkingConfig& c) : config(c), detector(c.detection), correction(c.correction) {}

  void on_start(EngineView& engine) override {
    InjectionState initial;
    correction.reset(initial);
    flows.assign(engine.connections().count(), initial);
    pairs.start(engine);
    detector.start(engine);
    actions.start(engine.config().measure.bin);
  }

  Time on_switch_arrival(EngineView& engine, SwitchId s, ChannelId in_channel, Packet& p) override {
    if (p.is(PacketKind::data)) {
      const std::uint64_t before = detector.marks_at_input();
      detector.arrives(engine, s, in_channel, p);
      if (detector.marks_at_input() != before) actions.count(ActionSeries::kInputMark, engine.now().ps);
    }
    return {};
  }
  void on_output(EngineView& engine, ChannelId out_channel, Packet& p) override {
    if (!p.is(PacketKind::data)) return;
    const std::uint64_t before = detector.marks_at_output();
    detector.enters_output(engine, out_channel, p);
    if (detector.marks_at_output() != before) actions.count(ActionSeries::kOutputMark, engine.now().ps);
  }
  void on_departure(EngineView& engine, ChannelId out_channel, Packet& p) override {
    const std::uint64_t before = detector.marks_at_input();
    detector.departs(out_channel, p);
    if (detector.marks_at_input() != before) actions.count(ActionSeries::kInputMark, engine.now().ps);
  }

  // Whoever generates into an empty queue is not holding anything back: its restrictions are obsolete.
  void on_queued(EngineView& engine, HostId, const Packet& p, bool queue_was_empty) override {
    if (!queue_was_empty) return;
    const ConnectionId owner = pairs.of(p.connection);
    InjectionState& flow = flows[owner.index];
    if (!correction.recovers_at_once(flow)) return;
    correction.reset(flow);
    actions.count(ActionSeries::kReset, engine.now().ps);
    pairs.wake(engine, owner);
  }
  Time gate(EngineView& engine, ConnectionId connection, Packet&) override {
    const Time when = correction.may_inject(flows[pairs.of(connection).index]);
    if (when > engine.now()) {
      has_held = true;
      pairs.hold(connection);
    }
    return when;
  }
  void on_inject(EngineView& engine, HostId host, Packet& p) override {
    if (p.destination == host) return;  // to itself: nothing to acknowledge
    const Link& link = engine.fabric().link(engine.topology().host_port(host));
    InjectionState& flow = flows[pairs.of(p.connection).index];
    correction.injected(flow, engine.now().ps, link.serialization(p.size));
    longest_delay = std::max(longest_delay, flow.delay);
  }
  void on_ack(EngineView& engine, HostId, Packet& p) override {
    const ConnectionId owner = pairs.of(p.connection);
    InjectionState& flow = flows[owner.index];
    WEIR_CHECK(flow.outstanding > 0);
    switch (correction.acknowledged(flow, severity_of(config.detection.kind, p.marks), engine.now().ps)) {
      case Action::nothing: break;
      case Action::smaller_window: actions.count(ActionSeries::kSmallerWindow, engine.now().ps); break;
      case Action::longer_delay: actions.count(ActionSeries::kLongerDelay, engine.now().ps); break;
      case Action::shorter_delay: actions.count(ActionSeries::kShorterDelay, engine.now().ps); break;
      case Action::larger_window: actions.count(ActionSeries::kLargerWindow, engine.now().ps); break;
    }
    pairs.wake(engine, owner);
  }

  void report(Measurements& m) const override {
    const CorrectionConfig& c = config.correction;
    const auto tell = [&](const char* name, double value) { m.scheme_numbers.emplace_back(name, value); };
    tell("shortest round trip [ns]", config.trip.shortest.nanoseconds());
    if (c.window != WindowKind::none) tell("largest window [packets]", c.largest_window);
    if (c.delay == DelayKind::slots || c.delay == DelayKind::table) tell("waiting slot [ns]", c.slot.nanoseconds());
    if (c.delay == DelayKind::slots) tell("slots multiplied by", c.factor);
    if (c.delay == DelayKind::slots) tell("increases at most (0 = no limit)", c.limit);
    if (c.delay != DelayKind::none)
      tell(c.in_packet_times() ? "longest delay [packet times]" : "longest delay [slots]", longest_delay);
    actions.report(m);
    if (!has_held)
      m.scheme_idle = idle::marking(config.detection, detector.marks_at_input() + detector.marks_at_output());
  }
  std::size_t bytes_of_state() const override {
    return flows.capacity() * sizeof(InjectionState) + detector.bytes_of_state() + pairs.bytes_of_state();
  }

  MarkingConfig config;
  Detector detector;
  Correction correction;
  ActionSeries actions;
  double longest_delay = 0;
  bool has_held = false;  // a packet back
  PairsOfMessages pairs;
  std::vector<InjectionState> flows;  // by connection, see PairsOfMessages
};

}  // namespace weir::marking
