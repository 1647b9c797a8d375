// Adaptive flow routing as switches and adapters keep it (Zdornov & Birk 2009, chapter 3). The engine's part, which
// sends the packets, is route_setup.h; here are the tables.
//
// Switches: a port selector unit counts the flows (or their weight) on each of its ports, from set-up to tear-down; a
// port route cache (PRC) per input port holds the choices that differ from the default port, keyed by connection. The
// extended routing table and its port groups are the RouteTable's candidates. A full PRC never blocks a flow: it takes
// the default port. What the PRCs of all switches hold for one connection is kept here as one short list of hops, which
// is the same by content and quicker to search than a table per port; occupancy is counted per port.
//
// Adapters: a connection is set up before its first packet, and a connection that was torn down may be used again only
// after the tear-down packet has come back.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/big_vector.h"
#include "network/routings/horizontal_hops.h"
#include "network/routings/port_selector.h"
#include "packet/hosts/packet_train.h"
#include "packet/packet.h"
#include "traffic/workload.h"

namespace weir {

struct FlowSetupConfig {
  HorizontalPolicy horizontal;       // modified trees only
  std::uint32_t cache_entries = 0;   // of each input port's route cache
  bool by_weight = false;            // ports are compared by the weight of their flows, not by their number
  bool random_ties = false;          // between equally loaded ports of a tree
  std::uint32_t bytes = 0, lane = 0;  // of set-up and tear-down packets
  std::uint32_t connections = 0;     // between two hosts, at a time; 0 = one per flow
  std::uint32_t train = 1;           // random traffic: packets in a row that make a flow
  Time idle;                         // and the gap that ends it
};

// What a packet of kind `setup` does.
enum class SetupStep : std::uint8_t {
  set_up,     // there: chooses the route
  ready,      // back: the route stands, and all that was sent before has arrived
  finish,     // there: asks whether all has arrived (for traffic whose last packet is not known beforehand)
  received,   // back: the acknowledgement of the last packet
  tear_down,  // there, along the route, erasing it
  gone,       // back: the connection may be used again
};

// The switches' half.
class FlowRoutes {
 public:
  FlowRoutes() = default;
  FlowRoutes(const FlowSetupConfig& config, const Topology& topology, const RouteTable& routes,
             std::size_t connections, std::uint64_t seed);

  // The step a set-up packet takes at `s`, having come by `in`; counted, and cached where it is not the default.
  // Sporadic packets sent before, with numbers below `first`, do not belong to the flow and keep to default ports.
  RouteStep set_up(ConnectionId connection, SwitchId s, PortId in, HostId source, HostId destination, double weight,
                   std::uint32_t first, HorizontalState& state);
  // The cached step of a packet of this connection; null: it takes the default one. Its number is read only where
  // packets were sent before the flow began, and lies in a record that nothing else here needs.
  const RouteStep* cached(ConnectionId connection, const std::uint32_t& sequence, PortId in) const {
    std::uint32_t slot = slot_[connection.index];
    if (slot == kNoSlot || (records_[slot].first > 0 && sequence < records_[slot].first)) return nullptr;
    for (; slot != kNoSlot; slot = records_[slot].next)
      for (const Hop& hop : records_[slot].hops)
        if (hop.in == in.index) return hop.cached ? &hop.out : nullptr;
    return nullptr;
  }
  // The step that it takes.
  RouteStep follow(ConnectionId connection, const std::uint32_t& sequence, PortId in, RouteStep usual) const {
    const RouteStep* const step = cached(connection, sequence, in);
    return step != nullptr ? *step : usual;
  }
  // What follow() will look at, first and then.
  [[gnu::always_inline]] void fetch(ConnectionId connection) const { __builtin_prefetch(&slot_[connection.index]); }
  [[gnu::always_inline]] void fetch_more(ConnectionId connection) const {
    if (const std::uint32_t slot = slot_[connection.index]; slot != kNoSlot) __builtin_prefetch(&records_[slot]);
  }
  // The same for a tear-down packet, which erases what it finds.
  RouteStep tear_down(ConnectionId connection, PortId in, RouteStep usual, double weight);

  // The output ports chosen so far, in order.
  std::vector<LinkId> links_of(ConnectionId connection) const;
  std::uint32_t flows_on(PortId port) const { return loads_[port.index].flows; }
  double weight_on(PortId port) const { return loads_[port.index].weight; }
  std::uint32_t cached_at(PortId in) const { return cached_[in.index]; }
  std::uint32_t most_cached() const { return most_cached_; }   // in one PRC, ever
  std::uint64_t found_full() const { return found_full_; }     // choices that a full PRC turned into the default port
  std::size_t bytes_of_state() const;

 private:
  static constexpr std::uint32_t kNoSlot = 0xffffffffu;
  struct Hop {
    static constexpr std::uint32_t kNoPort = 0x7fffffffu;
    std::uint32_t in : 31 = kNoPort;  // a port, or none: the route is shorter
    std::uint32_t cached : 1 = 0;
    RouteStep out;
  };
  struct Load {
    double weight = 0;
    std::uint32_t flows = 0;
  };
  // A route in one cache line; a longer one goes on in another.
  struct alignas(64) Record {
    std::uint32_t first = 0;
    std::uint32_t next = kNoSlot;
    Hop hops[7];
  };
  static_assert(sizeof(Record) == 64);
  std::uint32_t take_record();
  std::vector<Hop> hops_of(ConnectionId connection) const;
  void append(ConnectionId connection, std::uint32_t first, Hop hop);
  void erase_route(ConnectionId connection);

  FlowSetupConfig config_;
  std::uint64_t seed_ = 0;
  const RouteTable* routes_ = nullptr;
  PortSelector selector_;
  std::vector<Load> loads_;            // per output port
  std::vector<std::uint32_t> cached_;  // per input port: entries in its PRC
  std::vector<std::uint32_t> slot_;    // per connection
  BigVector<Record> records_;          // per slot
  std::vector<std::uint32_t> free_;
  std::uint32_t most_cached_ = 0;
  std::uint64_t found_full_ = 0;
};

// The adapters' half.
class FlowConnections {
 public:
  enum class State : std::uint8_t { idle, waiting, setting_up, open, finishing, tearing_down };
  struct Held {  // a packet, or the token of a flow, and the send queue it is for
    PacketSlot packet;
    QueueId queue;
  };
  struct Entry {
    State state = State::idle;
    PacketTrain train;
    std::uint32_t submitted = 0;       // packets handed to the adapter since the start
    std::uint32_t sent_at_timer = 0;   // of them injected when the idle timer was last looked at
    std::vector<Held> held;
  };

  FlowConnections() = default;
  FlowConnections(const FlowSetupConfig& config, const Workload& workload, std::size_t hosts);

  Entry& entry(ConnectionId connection) { return entries_[connection]; }
  // A connection between these hosts is wanted: true if one is free and now taken; else it waits in line.
  bool take(HostId source, HostId destination, ConnectionId connection);
  // It is free again. Returns the connection that gets it, kNoConnection if nobody waits.
  ConnectionId give(HostId source, HostId destination);
  // A packet of random traffic comes for an idle connection: is it the one that makes a flow of it?
  bool starts_flow(Entry& entry, std::int64_t now) const;

  // The destination keeps a question back until so many packets of the connection have arrived.
  void await(ConnectionId connection, SetupStep step, std::uint32_t packets) {
    awaited_[connection] = {step, packets};
  }
  bool awaits() const { return !awaited_.empty(); }
  // The step to answer now that `arrived` packets are here; false if none.
  bool due(ConnectionId connection, std::uint32_t arrived, SetupStep& step);

  template <class Visit>
  void for_each_held(Visit visit) const {
    for (const auto& [connection, entry] : entries_)
      for (const Held& held : entry.held) visit(held.packet);
  }
  void count_opened() { ++opened_; }
  std::uint64_t opened() const { return opened_; }
  std::size_t bytes_of_state() const { return entries_.size() * (sizeof(Entry) + 48); }

 private:
  struct Pair {
    std::uint32_t in_use = 0;
    std::vector<ConnectionId> waiting;  // in order
  };
  FlowSetupConfig config_;
  std::size_t hosts_ = 0;
  std::map<ConnectionId, Entry> entries_;  // of connections that have ever sent
  std::map<std::uint64_t, Pair> pairs_;
  std::map<ConnectionId, std::pair<SetupStep, std::uint32_t>> awaited_;
  std::uint64_t opened_ = 0;
};

}  // namespace weir
