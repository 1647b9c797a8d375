// The first way in which the explicit-rate family gets its rates: from the exact solvers (src/flow) over the routes
// that the flows actually have. Changes of the set of flows are collected; `delay` after the first of them the rates
// that they touch are calculated anew and take effect at once everywhere.
//
// This is the place of a "control" in ExplicitFamily. Another one, a distributed protocol say, has the same functions:
// begin(), end() and on_timer(), and calls family.set_rate() and rates_are_set(). What it wants of packets is for a
// family derived from that one (rate_carrier.h). It sees the whole fabric, and says why (kWhyCentral).
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/solvers/incremental.h"
#include "network/topology.h"
#include "packet/scheme/scheme_state.h"

namespace weir {

// A flow under rate control: what any control needs to know about it.
struct ControlledFlow {
  ConnectionId connection;
  HostId source, destination;
  std::vector<LinkId> links;  // sending ports in order, the host's first
  double weight = 1;
  std::uint32_t app = 0;             // kOwnApplication: it belongs to none, and counts as one by itself

  static constexpr std::uint32_t kOwnApplication = 0xffffffffu;
};

// What of every link is kept for traffic that is not controlled.
struct ReservedShares {
  double inside = 0, hosts = 0;  // of links between switches; of links from and to hosts
  double of(const Topology& topology, PortId link) const;
};

struct CalculationParams {
  RateAlgorithm algorithm = RateAlgorithm::ffa;
  Time delay;
  ReservedShares reserved;
};

// The solver and its books: which connection has which number, what has changed.
class RateCalculator {
 public:
  RateCalculator(const CalculationParams& params, const Topology& topology, std::uint32_t apps);

  void add(const ControlledFlow& flow);
  void remove(ConnectionId connection);
  // Connections whose rates may have changed.
  std::span<const ConnectionId> recalculate();
  double rate(ConnectionId connection) const;  // bytes per second

  std::uint64_t calculations() const { return calculations_; }
  std::size_t active() const { return rates_.active_flows(); }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  IncrementalRates rates_;
  std::uint32_t apps_;
  std::vector<std::uint32_t> number_;      // per connection; grows
  std::vector<ConnectionId> connection_;  // per number
  std::vector<std::uint32_t> free_, leaving_;
  std::vector<ConnectionId> changed_;
  std::uint64_t calculations_ = 0;
};

class CalculatedRates {
 public:
  static constexpr bool kSendsNothing = true;
  static constexpr std::uint32_t kTimer = 1;
  static constexpr const char* kWhyCentral = "the solver of this scheme calculates the rates of all flows at once";

  CalculatedRates(SchemeState&, const CalculationParams& params) : params_(params) {}

  template <class Family>
  void start(const GlobalView& all, Family&) {
    calculator_ = std::make_unique<RateCalculator>(params_, all.topology(), all.workload().apps);
  }
  template <class Family>
  void begin(const GlobalView& all, Family&, const ControlledFlow& flow) {
    calculator_->add(flow);
    schedule(all);
  }
  template <class Family>
  bool end(const GlobalView& all, Family&, ConnectionId connection) {
    calculator_->remove(connection);
    schedule(all);
    return true;
  }
  template <class Family>
  void on_timer(const GlobalView&, Family& family, std::uint32_t, std::uint32_t) {
    pending_ = false;
    for (const ConnectionId connection : calculator_->recalculate())
      family.set_rate(connection, calculator_->rate(connection));
    family.rates_are_set();
  }
  static std::size_t bytes_beside_tables() { return 0; }
  template <class Results>
  void report(Results& m) const {
    m.scheme_numbers.emplace_back("rate calculations", static_cast<double>(calculator_->calculations()));
  }

 private:
  void schedule(const GlobalView& all) {
    if (pending_) return;
    pending_ = true;
    all.set_timer(all.now() + params_.delay, 0, kTimer);
  }

  CalculationParams params_;
  std::unique_ptr<RateCalculator> calculator_;
  bool pending_ = false;
};

}  // namespace weir
