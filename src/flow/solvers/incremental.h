// Rates while flows come and go. A change is followed only as far as it can reach:
//   saa    the flows that share a link with the flow that came or went (W_l changes nowhere else)
//   ffa    flows that the change concerns directly are solved among the fixed rest; whoever then lacks a bottleneck
//          (its link has got emptier, or a slower flow is held back where it runs faster) is taken in, until nobody
//          does. What then holds is the certificate of the one max-min fair assignment. If that takes long, the
//          connected component is solved instead, and of that only what stops at or above the level at which the
//          change is first felt: below it, filling goes on as before
//   saa-m  the connected component
//   afa    the same, where all flows of an application count as connected
// Outside of that set every rate would come out the same, so it is left alone. The answer equals that of a full
// solution. Cost of a recalculation: that of solving the set, plus its links and their flows to find it.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "flow/solvers/extended_precision.h"
#include "flow/solvers/filling.h"
#include "flow/solvers/solve.h"

namespace weir {

class IncrementalRates {
 public:
  // `capacity` and `reserved` as in RateProblem. Flow numbers given to add() are below `most_flows`.
  IncrementalRates(RateAlgorithm algorithm, std::vector<double> capacity, std::vector<double> reserved,
                   std::size_t most_flows, std::vector<double> priority = {});

  // From now on flow numbers are below `most_flows`, which is not less than before.
  void make_room(std::size_t most_flows);
  std::size_t room() const { return flows_.size(); }
  void add(std::uint32_t flow, std::span<const std::uint32_t> path, double weight, std::uint32_t application = 0);
  void remove(std::uint32_t flow);

  // Brings the rates up to date with all changes since the last call. Returns the flows that were looked at, ascending;
  // all others have kept their rates. SAA-M: flows claim in the order of their numbers.
  std::span<const std::uint32_t> recalculate();

  double rate(std::uint32_t flow) const { return rate_[flow]; }
  bool active(std::uint32_t flow) const { return flows_[flow].active; }
  std::size_t active_flows() const { return active_count_; }

 private:
  struct FlowEntry {
    std::vector<std::uint32_t> path;
    std::vector<std::uint32_t> place;  // path[i] lists this flow at users_[path[i]][place[i]]
    double weight = 1;
    std::uint32_t application = 0;
    std::uint32_t place_in_app = 0;
    bool active = false;
  };
  struct User {
    std::uint32_t flow, hop;  // the flow's path[hop] is this link
  };

  static constexpr double kPending = std::numeric_limits<double>::infinity();  // level of a flow that has no rate yet

  void touch(std::span<const std::uint32_t> links);
  double usable(std::uint32_t link) const {
    return reserved_.empty() ? capacity_[link] : capacity_[link] * (1.0 - reserved_[link]);
  }
  double level_at_which_full(std::uint32_t link) const;
  void find_floor();
  bool grow_until_certified();
  bool take_in_the_unsettled();
  extended::Pair in_units(extended::Fixed exact) const;
  void set_exact_rate(std::uint32_t flow, extended::Fixed rate);
  void reach_flow(std::uint32_t flow);
  void reach_link(std::uint32_t link);
  void reach_component();
  void recalculate_neighbours();
  void sort_reached();
  void solve_reached();
  bool moved(std::size_t i) const;  // reached_flows_[i], by the solution at hand
  void keep_solution();

  RateAlgorithm algorithm_;
  std::vector<double> capacity_, reserved_, priority_;
  std::vector<FlowEntry> flows_;
  std::vector<double> rate_;
  std::vector<extended::Fixed> exact_rate_;  // FFA, as all that is exact: in units of capacity_scale_
  std::vector<extended::Fixed> unused_;      // FFA: what the rates of its flows leave of each link, exactly
  std::vector<double> level_;                // FFA: rate / weight; kPending before the first calculation
  std::vector<std::uint32_t> bottleneck_;    // FFA
  std::vector<std::uint32_t> changed_mark_;  // FFA: links on which a rate has changed, equal to pass_
  std::vector<double> full_at_;              // FFA: level of the flows that the link stops
  std::vector<std::uint32_t> full_mark_;     // FFA: equal to pass_ = full_at_ is valid
  std::uint32_t pass_ = 0;
  std::vector<std::uint32_t> added_links_;  // FFA: of flows that came
  extended::Scale capacity_scale_;
  double floor_ = 0;  // FFA: nothing below this level is touched
  double slowest_removed_ = kPending;
  std::vector<std::vector<User>> users_;             // per link
  std::vector<std::vector<std::uint32_t>> members_;  // per application; AFA only
  std::vector<std::uint32_t> touched_;               // links of flows that came or went
  std::vector<std::uint32_t> touched_apps_;
  std::vector<std::uint32_t> reached_flows_, reached_links_, reached_apps_;
  std::vector<std::uint32_t> flow_mark_, link_mark_, app_mark_;  // equal to round_ = reached
  std::vector<double> density_;                                  // SAA: W_l
  std::vector<std::uint32_t> local_link_;
  std::vector<extended::Fixed> left_;  // FFA: of each reached link, by those that keep their rates
  FillScratch scratch_;
  RateSolution solution_;
  std::uint32_t round_ = 0;
  std::size_t active_count_ = 0;
};

}  // namespace weir
