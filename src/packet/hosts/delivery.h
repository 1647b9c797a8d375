// The receiving half of a host: packets are counted, put in order, acknowledged, and handed to those they are for.
#pragma once
#include <algorithm>
#include <string>

#include "packet/clock/clock.h"
#include "packet/config/config.h"
#include "packet/hosts/resequencer.h"
#include "packet/packet.h"
#include "packet/recorder/recorder.h"
#include "traffic/workload.h"

namespace weir {

class Delivery {
 public:
  Delivery(const PacketConfig& config, const Workload& workload, const Connections& connections, bool acknowledges)
      : config_(config), acknowledges_(acknowledges) {
    if (connections.numbers()) order_.prepare(connections.count(), connections.hosts());
    for (std::uint32_t i = 0; i < workload.classes.size(); ++i)
      if (config.run.until == Until::traffic_class && workload.classes[i].name == config.run.until_class)
        until_class_ = {i};
  }

  // A data packet starts onto its host's link.
  template <class E>
  [[gnu::always_inline]] void stamp_injection(E& e, Packet& p) {
    stamp_injection(e, p, e.clock().ps());
  }
  template <class E>
  [[gnu::always_inline]] void stamp_injection(E& e, Packet& p, std::int64_t starts) {
    p.injected = starts;
    ++injected_;
    e.recorder.injected(p.traffic_class, p.source, p.payload, starts);
    if (p.connection.valid() && e.connections().numbers()) p.sequence = e.connections().next_number(p.connection);
    e.scheme.on_inject(e, p.source, p);
  }

  // A packet will be delivered soon.
  template <class E>
  [[gnu::always_inline]] void fetch(E& e, const Packet& p) const {
    if (!p.connection.valid()) return;
    if (p.is(PacketKind::ack)) {
      e.connections().fetch(p.connection);
      return e.send_queues.fetch_gated(p.connection);
    }
    if (order_.active()) order_.fetch(p.connection.index);
    if (e.connections().is_flow(p.connection)) e.recorder.fetch_flow({p.connection.index});
  }
  // A packet of this connection will be made soon: what is kept of it where it comes from.
  template <class E>
  [[gnu::always_inline]] void fetch_sender(E& e, HostId host, ConnectionId connection) const {
    if (!connection.valid()) return;
    e.connections().fetch(connection);
    e.scheme.before_sending(e, host, connection);
  }
  template <class E>
  [[gnu::always_inline]] void deliver(E& e, Packet& p) {
    if (p.is(PacketKind::data)) [[likely]] return deliver_data(e, p);
    const HostId host = p.destination;
    switch (p.kind()) {
      case PacketKind::data: break;
      case PacketKind::ack: return e.scheme.hooks().on_ack({e, host}, p);
      case PacketKind::notification: return e.scheme.hooks().on_notification({e, host}, p);
      case PacketKind::control: return e.scheme.hooks().on_control({e, host}, p);
      case PacketKind::setup: return e.setup.on_packet(e, p);
      case PacketKind::flow_token: WEIR_CHECK(false); break;
    }
  }

  // It starts onto the link to its host, where nothing depends on it (count_ahead.h): what it will be there.
  template <class E>
  [[gnu::always_inline]] void count_ahead(E& e, const Packet& p, std::int64_t lands) {
    e.recorder.received(p, lands);
    ++received_;
    last_ahead_ = std::max(last_ahead_, lands);
    if (!kChecks || !order_.active() || !p.connection.valid()) return;
    const bool in_order = order_.receive(p.connection.index, p.sequence, p.destination.index, lands);
    WEIR_CHECK(in_order);
  }
  // Has something been counted that has not landed yet?
  template <class E> bool lands_later(const E& e) const { return last_ahead_ > e.now().ps; }

  // A scheme has let a data packet end on its way. Those behind it do not wait for it.
  template <class E>
  void lost(E& e, const Packet& p) {
    ++lost_;
    if (p.connection.valid() && order_.active())
      order_.receive(p.connection.index, p.sequence, p.destination.index, e.clock().ps());
  }

  // The class that the run waits for is complete?
  template <class E>
  void check_class_end(E& e, ClassId traffic_class) {
    if (traffic_class != until_class_) return;
    const ClassResult& result = e.recorder.results().classes[traffic_class.index];
    if (e.sources.open_sources(traffic_class) == 0 && e.sources.open_flows(traffic_class) == 0 &&
        result.received == result.generated)
      e.end_at(e.clock().now() + config_.run.settle, Ending::finished);
  }
  template <class E>
  void start(E& e) {
    waits_for_ = until_class_;
    if (!e.part.is_whole()) until_class_ = {};  // a part cannot see that; it is foreseen
    if (until_class_.valid()) check_class_end(e, until_class_);
  }
  ClassId waits_for() const { return waits_for_; }  // the class that ends the run, if one does

  std::uint32_t arrived_in_order(ConnectionId c) const { return order_.expected(c.index); }
  Resequencer& order() { return order_; }
  std::uint64_t injected() const { return injected_; }
  std::uint64_t received() const { return received_; }
  std::uint64_t lost() const { return lost_; }

 private:
  template <class E>
  void deliver_data(E& e, Packet& p) {
    e.recorder.received(p, e.clock().ps());
    ++received_;
    if (p.connection.valid() && order_.active()) {
      const bool in_order = order_.receive(p.connection.index, p.sequence, p.destination.index, e.clock().ps());
      if (!in_order) {
        ++e.recorder.results().classes[p.traffic_class].out_of_order;
        const bool reorders = e.scheme.traits().reorders;
        if (!reorders && e.setup.active())
          fail(__FILE__, __LINE__, "adaptive flow routing has delivered a packet out of order");
        WEIR_CHECK(reorders || e.routing.may_reorder());
      }
    }
    e.scheme.on_delivery(e, p.destination, p);
    if (p.connection.valid() && e.connections().is_flow(p.connection)) count_flow(e, {p.connection.index}, p);
    if (acknowledges_ && p.source != p.destination) acknowledge(e, p);
    e.setup.on_delivery(e, p);
    if (e.sources.any_wait() && e.part.is_whole()) e.sources.activate_due(e, received_);
    check_class_end(e, {p.traffic_class});
  }
  // Source and destination change places, the marks travel back.
  template <class E>
  void acknowledge(E& e, const Packet& p) {
    Packet ack = p;
    std::swap(ack.source, ack.destination);
    ack.size = static_cast<std::uint16_t>(config_.format.ack);
    ack.set(PacketKind::ack, {config_.adapter.ack_lane});
    ack.came_by = kNoChannel;
    ++e.recorder.results().totals.acks;
    e.send_queues.send_before_data(e, ack.source, ack);
  }
  template <class E>
  void count_flow(E& e, FlowId id, const Packet& p) {
    FlowResult& flow = e.recorder.results().flows[id.index];
    flow.delivered += p.payload;
    if (e.clock().now() >= config_.run.warmup) flow.delivered_in_window += p.payload;
    if (flow.first_delivery == kNever) flow.first_delivery = e.clock().now();
    if (flow.delivered != flow.bytes) return;
    flow.completion = e.clock().now();
    e.sources.on_flow_complete(e, id);
    if (config_.run.until == Until::flows && e.part.is_whole() && e.sources.progress().remaining() == 0)
      e.end_at(e.clock().now() + config_.run.settle, Ending::finished);
  }

  const PacketConfig& config_;
  bool acknowledges_;
  ClassId until_class_, waits_for_;
  Resequencer order_;
  std::uint64_t injected_ = 0, received_ = 0, lost_ = 0;
  std::int64_t last_ahead_ = 0;  // the last landing that was counted ahead
};

}  // namespace weir
