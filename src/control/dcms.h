// The dynamic congestion management system: a controller outside the fabric that reads port counters in sweeps,
// recognises congested ports whose congestion holds back ports of neighbouring switches, and lowers the Marking_Rate of
// such a root until its victims have recovered (Mizero et al. 2017, algorithms 1 to 3).
//
// It is a pure step: step(now, telemetry) -> actions. What it asks to be read or set is carried by somebody else: by
// management packets in the simulator, by MADs on a real subnet. Answers may be late or missing, counters may saturate,
// be cleared by other tools or go backwards; such a reading yields no difference, and without a difference nothing is
// concluded.
//
// The printed algorithm has defects; DcmsRules says which of them are repaired. `printed()` is the algorithm as it
// stands.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/ids.h"
#include "base/units.h"
#include "network/topology.h"

namespace weir {

inline constexpr std::uint32_t kCounterMax = 0xffffffffu;  // of the 32-bit counters, which stop there

// What a port's counters said. A counter that the port does not have, or that was not asked for, is absent.
struct PortReading {
  PortId port;
  std::optional<std::uint64_t> xmit_wait;       // W: ticks with data but no credit
  std::optional<std::uint32_t> xmit_cong_time;  // C: ticks spent congested
  std::optional<std::uint64_t> xmit_data;       // D: 32-bit words, of the 64-bit extended counter
  bool wide_wait = false;                       // W is a counter of 64 bits, which does not stop
};

struct Telemetry {
  std::vector<PortReading> readings;  // answers that have come in since the last step
};

enum class Counter : std::uint8_t { xmit_wait, xmit_cong_time };

struct Actions {
  struct Clear {
    PortId port;
    Counter counter;
  };
  struct SetMarkingRate {
    PortId port;
    std::uint32_t rate;
  };
  std::vector<PortId> read;
  std::vector<Clear> clear;
  std::vector<SetMarkingRate> set;
  Time wake_at = kNever;  // call step() again then at the latest
};

// Departures from the printed text; all on is the default.
struct DcmsRules {
  // A port that was set Low in this sweep is skipped once by algorithm 3 and counted from the next sweep on. Printed:
  // skipped for as long as its count is 1, which it stays.
  bool guard_by_sweep = true;
  // The set of victims is emptied when the default returns. Printed: the old victims stay in it, cannot be added again,
  // and so cannot cause a second reduction.
  bool empty_victims = true;
  // A port that was dropped because its throughput fell (it carried no victim flow) is not taken for a victim again
  // until the root has been seen calm at the default rate. Without it, a contributor alone makes the controller trigger
  // for ever.
  bool exclude_dropped = true;
  // The limit is passed when more than T_I sweeps have gone by, and throughput is looked at in that sweep too. Printed:
  // when the count, which begins with 1, has reached T_I.
  bool limit_exceeded = true;
  // Differences are brought to the length of `period`, whatever time has passed between two readings. Printed: taken as
  // they are.
  bool per_time = true;

  static DcmsRules printed() { return {false, false, false, false, false}; }
};

struct DcmsThresholds {
  double wait = 0;        // T_W, ticks per period
  double congestion = 0;  // T_C, ticks per period
  double data = 0;        // T_D, words per period
};

// Scenarios and the policies of real subnets have defaults of their own (schemes/infiniband/dcms.h, manage/policy.cpp);
// these are for whoever sets up a controller by hand.
struct DcmsSettings {
  Time calm_period{10'000'000'000'000};  // between sweeps while nothing is congested
  Time period{1'000'000'000'000};        // between sweeps during an event; the thresholds are meant per such period
  Time answer_timeout{100'000'000'000};  // a sweep is judged at the latest so long after its last answer
  double wait_threshold = 0;             // T_W, ticks per period
  double congestion_threshold = 0;       // T_C, ticks per period
  double data_threshold = 0;             // T_D, words per period
  std::vector<DcmsThresholds> of_ports;  // by port, in place of the three; empty: they are those of all ports
  std::uint32_t low_limit = 12;          // T_I, sweeps
  std::uint32_t marking_low = 0;
  std::uint32_t marking_default = 128;
  std::uint32_t watch_every = 1;  // only every so many sweeps reads all ports; the others read the watch list. 1 = all
  DcmsRules rules;
};

class DcmsController {
 public:
  // `in_reach`: the switches that can be asked, by number; empty: all.
  DcmsController(const Topology& topology, DcmsSettings settings, const std::vector<bool>& in_reach = {});

  Actions step(Time now, const Telemetry& telemetry);

  // What it thinks, for reports and tests.
  bool is_low(PortId root) const;
  std::vector<PortId> victims(PortId root) const;
  std::vector<PortId> excluded(PortId root) const;
  std::vector<PortId> watch_list() const;
  std::uint64_t sweeps() const { return sweeps_; }
  // A port that does not count as congested, though its link was full in the last sweep and ports that send into its
  // switch waited. Perhaps thresholds are wrong, or the switch does not count congestion.
  struct Unnoticed {
    PortId port;
    double load;                      // of the link
    std::optional<double> congested;  // ticks per period
    std::size_t held_back;            // ports of other switches that wait for longer than their T_W
    PortId waiting;                   // the one that waits the longest
    double wait;                      // its ticks per period
  };
  std::vector<Unnoticed> unnoticed() const;
  DcmsThresholds thresholds(PortId port) const;
  struct Decision {
    Time at;
    PortId root;
    bool low;               // set Low, or back to the default
    enum class Why : std::uint8_t { victim, no_victim_left, limit } why;
    PortId victim;          // the first one, of a reduction
  };
  const std::vector<Decision>& decisions() const { return decisions_; }

 private:
  struct Baseline {  // of one counter
    std::optional<std::uint64_t> value;
    bool clear_asked = false;
  };
  struct PortMemory {
    Baseline wait, congestion, data;
    Time read_at;
    std::optional<double> wait_delta, congestion_delta, data_delta, last_data_delta;
    bool fresh = false;  // answered in this sweep
  };
  struct RootState {
    std::set<PortId> victims, excluded;
    bool low = false;
    std::uint32_t count = 0;   // I(s, p)
    std::uint64_t set_in = 0;  // sweep in which it was set Low
    std::uint64_t restored_in = 0;
  };

  void begin_sweep(Time now, Actions& actions);
  void take(Time now, const PortReading& reading, Actions& actions);
  static bool was_reset(const PortMemory& memory, const PortReading& reading);
  void take_differences(Time elapsed, const PortReading& reading, PortMemory& memory) const;
  std::optional<double> difference(Baseline& baseline, std::uint64_t value, bool saturates) const;
  void judge(Time now, Actions& actions);
  bool is_congested(PortId port) const;
  void find_victims(Time now, Actions& actions);
  void forget_excluded();
  void watch_events(Time now, Actions& actions);
  void drop_victims(RootState& root);
  void restore(Time now, PortId port, RootState& root, Decision::Why why, Actions& actions);
  bool event_in_progress() const;

  const Topology& topology_;
  DcmsSettings settings_;
  std::vector<PortId> switch_ports_;
  std::vector<bool> to_host_;                     // by port
  std::vector<std::vector<PortId>> senders_;      // by node: ports of other switches that send into it
  std::vector<PortMemory> ports_;                 // by port
  std::map<PortId, RootState> roots_;             // ports that are or were roots
  std::set<PortId> watched_;
  std::set<PortId> awaited_;                      // ports whose answer of this sweep is missing
  std::vector<Decision> decisions_;
  std::uint64_t sweeps_ = 0;
  Time sweep_began_ = kNever, next_sweep_, judge_by_ = kNever;
  bool sweeping_ = false;
};

}  // namespace weir
