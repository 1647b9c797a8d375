// Finds what a change can reach, copies it into a small problem of its own, and solves that.
#include "flow/solvers/incremental.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.h"
#include "flow/solvers/extended_precision.h"
#include "flow/solvers/ffa.h"

namespace weir {
namespace {

constexpr double kBelow = 1 - 1e-6;  // a margin far above all rounding, to stay on the safe side of a level

}  // namespace

IncrementalRates::IncrementalRates(RateAlgorithm algorithm, std::vector<double> capacity, std::vector<double> reserved,
                                   std::size_t most_flows, std::vector<double> priority)
    : algorithm_(algorithm),
      capacity_(std::move(capacity)),
      reserved_(std::move(reserved)),
      priority_(std::move(priority)),
      flows_(most_flows),
      rate_(most_flows, 0.0),
      exact_rate_(algorithm == RateAlgorithm::ffa ? most_flows : 0, 0),
      level_(algorithm == RateAlgorithm::ffa ? most_flows : 0, kPending),
      bottleneck_(algorithm == RateAlgorithm::ffa ? most_flows : 0, kNoLink),
      changed_mark_(algorithm == RateAlgorithm::ffa ? capacity_.size() : 0, 0),
      full_at_(algorithm == RateAlgorithm::ffa ? capacity_.size() : 0, 0.0),
      full_mark_(algorithm == RateAlgorithm::ffa ? capacity_.size() : 0, 0),
      capacity_scale_(extended::Scale::for_largest(
          capacity_.empty() ? 1.0 : *std::max_element(capacity_.begin(), capacity_.end()))),
      users_(capacity_.size()),
      flow_mark_(most_flows, 0),
      link_mark_(capacity_.size(), 0),
      density_(algorithm == RateAlgorithm::saa ? capacity_.size() : 0, 0.0),
      local_link_(capacity_.size(), 0) {
  if (algorithm != RateAlgorithm::ffa) return;
  for (std::uint32_t link = 0; link < capacity_.size(); ++link)
    unused_.push_back(capacity_scale_.fixed(usable(link)));
}

void IncrementalRates::make_room(std::size_t most_flows) {
  flows_.resize(most_flows);
  rate_.resize(most_flows, 0.0);
  flow_mark_.resize(most_flows, 0);
  if (algorithm_ != RateAlgorithm::ffa) return;
  exact_rate_.resize(most_flows, 0);
  level_.resize(most_flows, kPending);
  bottleneck_.resize(most_flows, kNoLink);
}

void IncrementalRates::touch(std::span<const std::uint32_t> links) {
  touched_.insert(touched_.end(), links.begin(), links.end());
}

void IncrementalRates::add(std::uint32_t flow, std::span<const std::uint32_t> path, double weight,
                           std::uint32_t application) {
  FlowEntry& entry = flows_[flow];
  if (entry.active) fail(__FILE__, __LINE__, "a flow that is active starts again");
  entry.path.assign(path.begin(), path.end());
  entry.place.resize(path.size());
  entry.weight = weight;
  entry.application = application;
  entry.active = true;
  ++active_count_;
  for (std::uint32_t hop = 0; hop < path.size(); ++hop) {
    entry.place[hop] = static_cast<std::uint32_t>(users_[path[hop]].size());
    users_[path[hop]].push_back({flow, hop});
  }
  if (algorithm_ == RateAlgorithm::afa) {
    if (application >= members_.size()) {
      members_.resize(application + 1);
      app_mark_.resize(application + 1, 0);
    }
    entry.place_in_app = static_cast<std::uint32_t>(members_[application].size());
    members_[application].push_back(flow);
    touched_apps_.push_back(application);
  }
  if (algorithm_ == RateAlgorithm::ffa) {
    level_[flow] = kPending;
    bottleneck_[flow] = kNoLink;
    added_links_.insert(added_links_.end(), path.begin(), path.end());
  }
  if (path.empty()) rate_[flow] = std::numeric_limits<double>::infinity();
  touch(path);
}

void IncrementalRates::remove(std::uint32_t flow) {
  FlowEntry& entry = flows_[flow];
  if (!entry.active) fail(__FILE__, __LINE__, "a flow that is not active ends");
  for (std::uint32_t hop = 0; hop < entry.path.size(); ++hop) {
    std::vector<User>& users = users_[entry.path[hop]];
    const User last = users.back();
    users[entry.place[hop]] = last;
    flows_[last.flow].place[last.hop] = entry.place[hop];
    users.pop_back();
  }
  if (algorithm_ == RateAlgorithm::afa) {
    std::vector<std::uint32_t>& members = members_[entry.application];
    flows_[members.back()].place_in_app = entry.place_in_app;
    members[entry.place_in_app] = members.back();
    members.pop_back();
    touched_apps_.push_back(entry.application);
  }
  if (algorithm_ == RateAlgorithm::ffa) {
    slowest_removed_ = std::min(slowest_removed_, level_[flow]);
    set_exact_rate(flow, 0);
  }
  entry.active = false;
  --active_count_;
  touch(entry.path);
}

void IncrementalRates::reach_flow(std::uint32_t flow) {
  if (flow_mark_[flow] == round_) return;
  flow_mark_[flow] = round_;
  reached_flows_.push_back(flow);
}

void IncrementalRates::reach_link(std::uint32_t link) {
  if (link_mark_[link] == round_) return;
  link_mark_[link] = round_;
  reached_links_.push_back(link);
}

// The level at which a link is full if its flows stop at their present levels and new ones rise for ever.
double IncrementalRates::level_at_which_full(std::uint32_t link) const {
  struct Stop {
    double level, weight;
  };
  std::vector<Stop> stops;
  double rising = 0, left = usable(link);
  for (const User& user : users_[link]) {
    stops.push_back({level_[user.flow], flows_[user.flow].weight});
    rising += stops.back().weight;
  }
  std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.level < b.level; });
  for (const Stop& stop : stops) {
    if (stop.level * rising >= left) return left / rising;
    left -= stop.level * stop.weight;
    rising -= stop.weight;
  }
  return kPending;
}

// Below this level the filling goes as before: no link of a flow that went was full there (or the flow would have
// stopped at it), and no link of a flow that came will be.
void IncrementalRates::find_floor() {
  floor_ = slowest_removed_;
  for (const std::uint32_t link : added_links_) floor_ = std::min(floor_, level_at_which_full(link));
  floor_ *= kBelow;
}

extended::Pair IncrementalRates::in_units(extended::Fixed exact) const {
  const extended::Pair units = extended::to_pair(exact);
  return {units.hi * capacity_scale_.inverse, units.lo * capacity_scale_.inverse};
}

void IncrementalRates::set_exact_rate(std::uint32_t flow, extended::Fixed rate) {
  const extended::Fixed more = rate - std::exchange(exact_rate_[flow], rate);
  for (const std::uint32_t link : flows_[flow].path) unused_[link] -= more;
}

// Breadth first over links, their flows, and (AFA) the applications of those.
void IncrementalRates::reach_component() {
  const auto reach_app = [&](std::uint32_t app) {
    if (app_mark_[app] == round_) return;
    app_mark_[app] = round_;
    for (const std::uint32_t f : members_[app]) reach_flow(f);
  };
  for (const std::uint32_t app : touched_apps_) reach_app(app);
  std::size_t next_link = 0, next_flow = 0;
  while (next_link < reached_links_.size() || next_flow < reached_flows_.size()) {
    for (; next_link < reached_links_.size(); ++next_link)
      for (const User& user : users_[reached_links_[next_link]])
        if (level_.empty() || level_[user.flow] >= floor_) reach_flow(user.flow);
    for (; next_flow < reached_flows_.size(); ++next_flow) {
      const FlowEntry& flow = flows_[reached_flows_[next_flow]];
      for (const std::uint32_t link : flow.path) reach_link(link);
      if (algorithm_ == RateAlgorithm::afa) reach_app(flow.application);
    }
  }
}

// SAA needs no search: W_l is summed anew where it changed and known everywhere else.
void IncrementalRates::recalculate_neighbours() {
  for (const std::uint32_t link : reached_links_) {
    extended::Sum sum;
    for (const User& user : users_[link]) {
      sum.add(flows_[user.flow].weight);
      reach_flow(user.flow);
    }
    density_[link] = sum.value() / usable(link);
  }
  std::sort(reached_flows_.begin(), reached_flows_.end());
  for (const std::uint32_t f : reached_flows_) {
    double largest = 0;
    for (const std::uint32_t link : flows_[f].path) largest = std::max(largest, density_[link]);
    rate_[f] = flows_[f].weight / largest;
  }
}

// Ascending. Where many were reached, going through all marks is faster than sorting.
void IncrementalRates::sort_reached() {
  if (reached_flows_.size() < flow_mark_.size() / 16) {
    std::sort(reached_flows_.begin(), reached_flows_.end());
    return;
  }
  reached_flows_.clear();
  for (std::uint32_t f = 0; f < flow_mark_.size(); ++f)
    if (flow_mark_[f] == round_) reached_flows_.push_back(f);
}

void IncrementalRates::solve_reached() {
  sort_reached();
  const bool with_rest = algorithm_ == RateAlgorithm::ffa;
  std::vector<double> capacity(reached_links_.size()), rest(with_rest ? reached_links_.size() : 0);
  left_.resize(rest.size());
  for (std::uint32_t i = 0; i < reached_links_.size(); ++i) {
    local_link_[reached_links_[i]] = i;
    if (with_rest) left_[i] = unused_[reached_links_[i]];
    else capacity[i] = usable(reached_links_[i]);
  }
  RowList paths;
  std::vector<double> weight;
  std::vector<std::uint32_t> application;
  bool all_ones = true;
  for (const std::uint32_t f : reached_flows_) {
    const FlowEntry& flow = flows_[f];
    for (const std::uint32_t link : flow.path) {
      paths.push(local_link_[link]);
      if (with_rest) left_[local_link_[link]] += exact_rate_[f];
    }
    paths.close_row();
    weight.push_back(flow.weight);
    if (algorithm_ == RateAlgorithm::afa) application.push_back(flow.application);
    all_ones = all_ones && !(flow.weight < 1 || flow.weight > 1);
  }
  if (all_ones) weight.clear();
  for (std::size_t i = 0; i < left_.size(); ++i) {
    const extended::Pair left = in_units(left_[i]);
    capacity[i] = left.hi;
    rest[i] = left.lo;
  }
  const Incidence incidence(capacity.size(), std::move(paths));
  const RateProblem problem{&incidence, capacity, weight, {}, application, priority_, rest};
  if (algorithm_ == RateAlgorithm::ffa) {
    ffa(problem, scratch_, solution_);
  } else {
    solution_ = solve(algorithm_, problem);
  }
}

// A rate that has moved by no more than rounding is the same rate, and keeps its digits: others were calculated with
// them.
bool IncrementalRates::moved(std::size_t i) const {
  const double before = rate_[reached_flows_[i]], now = solution_.rate[i];
  return level_[reached_flows_[i]] == kPending || std::abs(now - before) > 4e-16 * before;
}

void IncrementalRates::keep_solution() {
  for (std::size_t i = 0; i < reached_flows_.size(); ++i) {
    const std::uint32_t f = reached_flows_[i];
    if (algorithm_ != RateAlgorithm::ffa) {
      rate_[f] = solution_.rate[i];
      continue;
    }
    if (solution_.bottleneck[i] != kNoLink) bottleneck_[f] = reached_links_[solution_.bottleneck[i]];
    if (!moved(i)) continue;
    rate_[f] = solution_.rate[i];
    set_exact_rate(f, capacity_scale_.fixed(extended::Pair{rate_[f], solution_.rate_rest[i]}));
    level_[f] = rate_[f] / flows_[f].weight;
  }
}

// Flows outside of the reached set that the solution at hand leaves without a bottleneck. False if there are none.
bool IncrementalRates::take_in_the_unsettled() {
  ++pass_;
  for (std::size_t i = 0; i < reached_flows_.size(); ++i) {
    const FlowEntry& flow = flows_[reached_flows_[i]];
    if (solution_.bottleneck[i] != kNoLink) {
      const std::uint32_t link = reached_links_[solution_.bottleneck[i]];
      full_at_[link] = solution_.rate[i] / flow.weight;
      full_mark_[link] = pass_;
    }
    if (!moved(i)) continue;
    for (const std::uint32_t link : flow.path) changed_mark_[link] = pass_;
  }
  const std::size_t before = reached_flows_.size();
  for (const std::uint32_t link : reached_links_) {
    const bool changed = changed_mark_[link] == pass_, full = full_mark_[link] == pass_;
    if (!changed && !full) continue;
    for (const User& user : users_[link])
      if ((changed && bottleneck_[user.flow] == link) || (full && level_[user.flow] > full_at_[link] * (1 + 1e-12)))
        reach_flow(user.flow);
  }
  return reached_flows_.size() > before;
}

// False if it takes too long.
bool IncrementalRates::grow_until_certified() {
  constexpr int kMostPasses = 32;
  for (const std::uint32_t link : touched_)
    for (const User& user : users_[link])
      if (bottleneck_[user.flow] == link) reach_flow(user.flow);
  // A flow that comes needs room on every link: those who run faster than it could are taken in with it.
  for (const std::uint32_t link : added_links_) {
    const double full_at = level_at_which_full(link) * kBelow;
    for (const User& user : users_[link])
      if (level_[user.flow] >= full_at) reach_flow(user.flow);
  }
  for (int pass = 0; pass < kMostPasses && 2 * reached_flows_.size() <= active_count_ + 16; ++pass) {
    for (const std::uint32_t f : reached_flows_)
      for (const std::uint32_t link : flows_[f].path) reach_link(link);
    solve_reached();
    if (!take_in_the_unsettled()) return true;
  }
  return false;
}

std::span<const std::uint32_t> IncrementalRates::recalculate() {
  ++round_;
  reached_flows_.clear();
  reached_links_.clear();
  for (const std::uint32_t link : touched_) reach_link(link);
  if (algorithm_ == RateAlgorithm::saa) {
    recalculate_neighbours();
  } else {
    if (algorithm_ != RateAlgorithm::ffa || !grow_until_certified()) {
      if (algorithm_ == RateAlgorithm::ffa) find_floor();
      reach_component();
      solve_reached();
    }
    keep_solution();
  }
  touched_.clear();
  touched_apps_.clear();
  added_links_.clear();
  slowest_removed_ = kPending;
  return reached_flows_;
}

}  // namespace weir
