// How a source realises calculated rates packet by packet (paper 000, chapter 5), apart from any engine: who may send
// when, and who goes first. Three disciplines:
//   leaky bucket  every flow has a bucket of `burst` packets that fills at its rate; flows whose bucket holds a packet
//                 send in the order in which it did
//   SVC           a flow may send when d / r has passed since its last packet of d bytes; of those the one that has
//                 sent least relative to its rate goes first
//   PS            periodic selection: the source sends one packet every d_p / R, R being the sum of its flows' rates;
//                 the flow that has sent least relative to its rate provides it. A packet of k d_p takes k periods.
//                 Time spent waiting for buffer space or for the link is lost, not made up (unless `make_up`).
// What a flow has sent relative to its rate, D(f) / r(f), is kept as a sum of d / r, so that it stays meaningful when
// rates change; a flow that joins, or has had nothing to send, starts at the value of the packet that its host sent
// last. Otherwise it would claim what it never asked for.
#pragma once
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace weir {

enum class Injection : std::uint8_t { leaky_bucket, svc, ps };

struct InjectionParams {
  Injection discipline = Injection::ps;
  std::uint32_t unit = 0;  // d_p, bytes on the wire
  double burst = 1;        // leaky bucket: packets of `unit`
  bool make_up = false;    // PS: the next period counts from when the packet was due, not from when it went
};

class Injector {
 public:
  void prepare(const InjectionParams& params, std::size_t hosts, std::size_t connections);

  bool controls(std::uint32_t connection) const { return slot_[connection] != kNone; }
  bool rated(std::uint32_t connection) const { return flow(connection).rate > 0; }
  // From now on this connection of `host` sends only at a rate, and not before it has one.
  void add(std::uint32_t connection, std::uint32_t host, Time now);
  void remove(std::uint32_t connection);
  void set_rate(std::uint32_t connection, double bytes_per_second, Time now);
  double rate(std::uint32_t connection) const { return flow(connection).rate * kPicoseconds; }  // bytes per second

  // When a packet of `bytes` may go: a time not later than now for yes, kNever without a rate.
  Time gate(std::uint32_t connection, std::uint32_t bytes);
  // The lowest goes first.
  double rank(std::uint32_t connection, std::uint32_t bytes) const;
  void sent(std::uint32_t connection, std::uint32_t bytes, Time now);
  // It has something to send again.
  void resumed(std::uint32_t connection);

  // PS: when the host's next period begins.
  Time next_period(std::uint32_t host);
  double host_rate(std::uint32_t host);  // bytes per second
  std::uint32_t flows_of(std::uint32_t host) const { return static_cast<std::uint32_t>(hosts_[host].flows.size()); }
  std::uint32_t host_of(std::uint32_t connection) const { return flow(connection).host; }
  std::size_t bytes_of_state() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr double kPicoseconds = 1e12;
  struct FlowRecord {
    std::uint32_t host = 0;
    std::uint32_t place = 0;      // in its host's list
    double rate = 0;              // bytes per ps; 0 = none yet
    double progress = 0;          // D / r, ps
    double tokens = 0;            // leaky bucket, at `since`
    std::int64_t since = 0;       // leaky bucket: of `tokens`; SVC: start of the last packet
    std::uint32_t last_bytes = 0;  // SVC
  };
  struct HostRecord {
    std::vector<std::uint32_t> flows;  // slots
    double rate = 0;                   // sum, bytes per ps
    bool stale = false;                // `rate` must be summed anew
    double progress = 0;               // of the flow that sent last, before that packet
    std::int64_t last = 0;             // when the last period began
    std::uint32_t periods = 0;         // that the last packet takes; 0 = none sent yet
  };
  FlowRecord& flow(std::uint32_t connection) { return flows_[slot_[connection]]; }
  const FlowRecord& flow(std::uint32_t connection) const { return flows_[slot_[connection]]; }
  double sum(HostRecord& host);
  double bucket() const { return params_.burst * params_.unit; }
  double eligible(const FlowRecord& f, std::uint32_t bytes) const;

  InjectionParams params_;
  std::vector<std::uint32_t> slot_;  // per connection
  std::vector<FlowRecord> flows_;
  std::vector<std::uint32_t> free_;
  std::vector<HostRecord> hosts_;
};

}  // namespace weir
