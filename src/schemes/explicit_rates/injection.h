// How a source realises calculated rates packet by packet (Zdornov & Birk 2009, chapter 5), apart from any engine: who
// may send when, and who goes first. Three disciplines:
//   leaky bucket  every flow has a bucket of `burst` packets that fills at its rate; flows whose bucket holds a packet
//                 send in the order in which it did
//   SVC           a flow may send when d / r has passed since its last packet of d bytes; of those the one that has
//                 sent least relative to its rate goes first
//   PS            periodic selection: after a packet of d bytes the source waits for d / R, R being the sum of its
//                 flows' rates; the flow that has sent least relative to its rate provides the next one. With packets
//                 of k d_p that is one packet every d_p / R, where one of k d_p takes k periods. Time spent waiting for
//                 buffer space or for the link is lost, not made up (unless `make_up`). R counts the flows that have
//                 something to send, and a silent one until its rate has made up for its last packet: were R to count
//                 silent flows for ever, the others would get their rates; were a flow forgotten at its last packet,
//                 the others would pay for it.
// What a flow has sent relative to its rate, D(f) / r(f), is kept as a sum of d / r, so that it stays meaningful when
// rates change; a flow that joins, or has had nothing to send, starts at the value of the packet that its host sent
// last. Otherwise it would claim what it never asked for.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "packet/ids.h"

namespace weir {

enum class Discipline : std::uint8_t { leaky_bucket, svc, ps };

struct InjectionParams {
  Discipline discipline = Discipline::ps;
  std::uint32_t unit = 0;  // leaky bucket: bytes on the wire
  double burst = 1;        // leaky bucket: in units
  bool make_up = false;    // PS: the next period counts from when the packet was due, not from when it went
};

class Injector {
 public:
  void prepare(const InjectionParams& params, std::size_t hosts, std::size_t connections);

  bool controls(ConnectionId connection) const { return slot_[connection.index] != kNone; }
  bool rated(ConnectionId connection) const { return flow(connection).rate > 0; }
  // From now on this connection of `host` sends only at a rate, and not before it has one.
  void add(ConnectionId connection, std::uint32_t host, bool has_packets, Time now);
  void remove(ConnectionId connection);
  void set_rate(ConnectionId connection, double bytes_per_second, Time now);
  double rate(ConnectionId connection) const { return flow(connection).rate * kPicoseconds; }  // bytes per second

  // When a packet of `bytes` may go: a time not later than now for yes, kNever without a rate.
  Time gate(ConnectionId connection, std::uint32_t bytes) {
    const FlowRecord& f = flow(connection);
    if (f.rate <= 0) return kNever;
    return params_.discipline == Discipline::ps ? next_period(f.host) : eligible_from(f, bytes);
  }
  // The lowest goes first.
  double rank(ConnectionId connection, std::uint32_t bytes) const {
    const FlowRecord& f = flow(connection);
    return params_.discipline == Discipline::leaky_bucket ? eligible(f, bytes) : f.progress;
  }
  void sent(ConnectionId connection, std::uint32_t bytes, bool has_more, Time now);
  // It has something to send, perhaps after a silence.
  void queued(ConnectionId connection, Time now);

  // PS: when the host's next period begins.
  Time next_period(std::uint32_t host) {
    HostRecord& h = hosts_[host];
    if (!h.due_known) h.due = calculate_period(h);
    h.due_known = true;
    return h.due;
  }
  double host_rate(std::uint32_t host);  // R, bytes per second
  std::uint32_t flows_of(std::uint32_t host) const { return hosts_[host].flows; }
  std::uint32_t host_of(ConnectionId connection) const { return flow(connection).host; }
  std::size_t bytes_of_state() const;

  // The host will be asked soon; and in moments.
  [[gnu::always_inline]] void fetch(std::uint32_t host) const {
    const char* const record = reinterpret_cast<const char*>(&hosts_[host]);
    __builtin_prefetch(record, 1);
    __builtin_prefetch(record + sizeof(HostRecord) - 1, 1);
  }
  [[gnu::always_inline]] void fetch_flows(std::uint32_t host) const {
    const HostRecord& h = hosts_[host];
    const std::uint32_t count = std::min(h.flows, kBlock);
    for (std::uint32_t i = 0; i < count; ++i) __builtin_prefetch(&flows_[h.block + i], 1);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kBlock = 8;  // records that a host gets at once: they lie side by side
  static constexpr double kPicoseconds = 1e12;
  struct alignas(64) FlowRecord {  // a cache line: those of a host are compared before each packet
    std::uint32_t host = 0;
    std::uint32_t place = kNone;  // among those that count for its host; of a free record, the next free one
    double rate = 0;              // bytes per ps; 0 = none yet
    double progress = 0;          // D / r, ps
    double tokens = 0;            // leaky bucket, at `since`
    std::int64_t since = 0;       // leaky bucket: of `tokens`; SVC: start of the last packet
    std::uint32_t last_bytes = 0;  // SVC
    bool has_packets = false;
    double paid = 0;              // when its rate has made up for what it has sent; then, without packets, it leaves
  };
  struct HostRecord {
    std::vector<std::uint32_t> counted;  // slots of flows that R counts
    std::uint32_t flows = 0;             // all
    std::uint32_t block = 0;             // where its latest records begin
    std::uint32_t free = kNone;          // the first of its records that are free
    std::uint32_t leaving = 0;           // of those that count: without packets
    double rate = 0;                     // sum, bytes per ps
    bool stale = false;                  // `rate` must be summed anew
    double progress = 0;                 // of the flow that sent last, before that packet
    std::int64_t last = 0;               // when the period began
    double owed = 0;                     // bytes that R must make up for from then on, before the next packet
    Time due{};                          // the last answer of next_period, which every flow of the host asks for
    bool due_known = false;              // it still holds
  };
  // Until then R is `rate`: it counts the flows that have not left before. Each begins where the one before it ends.
  struct Stretch {
    double until, rate;
  };
  FlowRecord& flow(ConnectionId connection) { return flows_[slot_[connection.index]]; }
  const FlowRecord& flow(ConnectionId connection) const { return flows_[slot_[connection.index]]; }
  std::uint32_t take_record(HostRecord& h);
  double sum(HostRecord& host);
  void count(FlowRecord& f, HostRecord& h, std::uint32_t slot);
  void discount(FlowRecord& f, HostRecord& h);
  void forget_those_who_left(HostRecord& h, double now);
  Time calculate_period(HostRecord& h);
  void settle(HostRecord& h, Time now);
  const std::vector<Stretch>& stretches(const HostRecord& h);
  double bucket() const { return params_.burst * params_.unit; }
  double eligible(const FlowRecord& f, std::uint32_t bytes) const;
  Time eligible_from(const FlowRecord& f, std::uint32_t bytes) const;

  InjectionParams params_;
  std::vector<std::uint32_t> slot_;  // per connection
  std::vector<FlowRecord> flows_;
  std::vector<HostRecord> hosts_;
  std::vector<Stretch> stretches_;  // of the last call
};

}  // namespace weir
