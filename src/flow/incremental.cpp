// Finds what a change can reach, copies it into a small problem of its own, and solves that.
#include "flow/incremental.h"

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "flow/ffa.h"
#include "flow/wide.h"

namespace weir {

IncrementalRates::IncrementalRates(RateAlgorithm algorithm, std::vector<double> capacity, std::vector<double> reserved,
                                   std::size_t most_flows, std::vector<double> priority)
    : algorithm_(algorithm),
      capacity_(std::move(capacity)),
      reserved_(std::move(reserved)),
      priority_(std::move(priority)),
      flows_(most_flows),
      rate_(most_flows, 0.0),
      users_(capacity_.size()),
      flow_mark_(most_flows, 0),
      link_mark_(capacity_.size(), 0),
      density_(algorithm == RateAlgorithm::saa ? capacity_.size() : 0, 0.0),
      local_link_(capacity_.size(), 0) {}

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
      for (const User& user : users_[reached_links_[next_link]]) reach_flow(user.flow);
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
    wide::Sum sum;
    for (const User& user : users_[link]) {
      sum.add(flows_[user.flow].weight);
      reach_flow(user.flow);
    }
    const double usable = reserved_.empty() ? capacity_[link] : capacity_[link] * (1.0 - reserved_[link]);
    density_[link] = sum.value() / usable;
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
  std::vector<double> capacity(reached_links_.size()), reserved(reserved_.empty() ? 0 : reached_links_.size());
  for (std::uint32_t i = 0; i < reached_links_.size(); ++i) {
    local_link_[reached_links_[i]] = i;
    capacity[i] = capacity_[reached_links_[i]];
    if (!reserved_.empty()) reserved[i] = reserved_[reached_links_[i]];
  }
  RowList paths;
  std::vector<double> weight;
  std::vector<std::uint32_t> application;
  bool all_ones = true;
  for (const std::uint32_t f : reached_flows_) {
    const FlowEntry& flow = flows_[f];
    for (const std::uint32_t link : flow.path) paths.push(local_link_[link]);
    paths.close_row();
    weight.push_back(flow.weight);
    if (algorithm_ == RateAlgorithm::afa) application.push_back(flow.application);
    all_ones = all_ones && !(flow.weight < 1 || flow.weight > 1);
  }
  if (all_ones) weight.clear();
  const Incidence incidence(capacity.size(), std::move(paths));
  const RateProblem problem{&incidence, capacity, weight, reserved, application, priority_};
  if (algorithm_ == RateAlgorithm::ffa) {
    ffa(problem, scratch_, solution_);
  } else {
    solution_ = solve(algorithm_, problem);
  }
  for (std::size_t i = 0; i < reached_flows_.size(); ++i) rate_[reached_flows_[i]] = solution_.rate[i];
}

std::span<const std::uint32_t> IncrementalRates::recalculate() {
  ++round_;
  reached_flows_.clear();
  reached_links_.clear();
  for (const std::uint32_t link : touched_) reach_link(link);
  if (algorithm_ == RateAlgorithm::saa) {
    recalculate_neighbours();
  } else {
    reach_component();
    if (!reached_flows_.empty()) solve_reached();
  }
  touched_.clear();
  touched_apps_.clear();
  return reached_flows_;
}

}  // namespace weir
