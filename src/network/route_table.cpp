// The forms of a RouteTable. Computed ones answer from a DigitRule or from the structure; stored ones from interned
// groups of steps, because a fabric has few different lists and many (switch, destination) pairs.
#include "network/route_table.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "network/routings/stored_routes.h"

namespace weir {

namespace {

// Group 0 is "no route". It owns one invalid step, so that default_step() needs no test.
constexpr std::uint16_t kNoRoute = 0;

template <class T>
std::size_t bytes_of(const std::vector<T>& items) {
  return items.capacity() * sizeof(T);
}

}  // namespace

std::span<const RouteStep> RouteTable::candidates(SwitchId s, HostId source, HostId destination,
                                                  std::vector<RouteStep>& scratch) const {
  if (form_ == Form::stored) {
    const std::uint16_t group = group_[s.index * hosts_ + destination.index];
    if (group == kNoRoute) return {};
    return {groups_.data() + group_start_[group], groups_.data() + group_start_[group + 1]};
  }
  if (form_ == Form::structured) {
    structure_->candidates(s, destination, scratch);
    return scratch;
  }
  const RouteStep first = default_step(s, source, destination);
  scratch.assign(1, first);
  const DigitRule& rule = rules_[s.index];
  if (((addresses_[destination.index] ^ rule.coordinate) & rule.must_match) != 0) {
    for (std::uint32_t u = 0; u < rule.up_count; ++u) {
      if (rule.up_base + u != first.port().index) scratch.push_back(PortId{rule.up_base + u});
    }
  }
  return scratch;
}

RouteStep RouteTable::step_through(PortId port, SwitchId s, HostId source, HostId destination) const {
  if (form_ == Form::digits) return port;  // its steps are ports alone
  std::vector<RouteStep> scratch;
  for (const RouteStep step : candidates(s, source, destination, scratch))
    if (step.port() == port) return step;
  return port;
}

std::size_t RouteTable::bytes_of_state() const {
  return bytes_of(rules_) + bytes_of(addresses_) + bytes_of(up_addresses_) + bytes_of(group_) + bytes_of(group_start_) +
         bytes_of(groups_) + (structure_ ? structure_->bytes_of_state() : 0);
}

RouteTable RouteTable::by_digits(std::string name, std::vector<DigitRule> rules, std::vector<std::uint32_t> addresses,
                                 std::vector<std::uint32_t> up_addresses, bool up_by_source) {
  RouteTable table;
  table.name_ = std::move(name);
  table.form_ = Form::digits;
  table.up_by_source_ = up_by_source;
  table.hosts_ = addresses.size();
  table.rules_ = std::move(rules);
  table.addresses_ = std::move(addresses);
  table.up_addresses_ = std::move(up_addresses);
  return table;
}

RouteTable RouteTable::structured(std::string name, std::shared_ptr<const StructuredRoutes> structure) {
  RouteTable table;
  table.name_ = std::move(name);
  table.form_ = Form::structured;
  table.lanes_ = LaneBlocks(structure->lanes());
  table.structure_ = std::move(structure);
  return table;
}

bool RouteTable::has_alternatives() const {
  if (form_ == Form::structured) return structure_->has_alternatives();
  if (form_ == Form::stored) return groups_.size() > group_start_.size() - 1;
  return std::any_of(rules_.begin(), rules_.end(), [](const DigitRule& rule) { return rule.up_count > 1; });
}

RouteTable RouteTable::stored(std::string name, std::size_t hosts,
                              const std::vector<std::vector<RouteStep>>& candidates, std::uint32_t lanes) {
  const std::size_t switches = hosts == 0 ? 0 : candidates.size() / hosts;
  StoredRoutes routes(std::move(name), switches, hosts, lanes);
  for (std::uint32_t s = 0; s < switches; ++s) {
    for (std::uint32_t d = 0; d < hosts; ++d) routes.set({s}, {d}, candidates[s * hosts + d]);
  }
  return std::move(routes).build();
}

bool RouteTable::reachable(SwitchId s, HostId destination) const {
  if (form_ == Form::structured) return structure_->step(s, destination).valid();
  return form_ != Form::stored || group_[s.index * hosts_ + destination.index] != kNoRoute;
}

StoredRoutes::StoredRoutes(std::string name, std::size_t switches, std::size_t hosts, std::uint32_t lanes) {
  table_.lanes_ = LaneBlocks(lanes);
  table_.name_ = std::move(name);
  table_.hosts_ = hosts;
  table_.group_.assign(switches * hosts, kNoRoute);
  table_.group_start_ = {0, 1};
  table_.groups_ = {RouteStep{}};
}

void StoredRoutes::set(SwitchId s, HostId destination, std::span<const RouteStep> candidates) {
  std::uint16_t& entry = table_.group_[s.index * table_.hosts_ + destination.index];
  if (candidates.empty()) {
    entry = kNoRoute;
    return;
  }
  for (const RouteStep step : candidates)
    WEIR_CHECK(step.keeps_lane() || step.raises_lane() || step.lane().index < table_.lanes_.size());
  key_.assign(candidates.begin(), candidates.end());
  const std::size_t next = table_.group_start_.size() - 1;
  const auto [place, is_new] = group_of_.try_emplace(key_, static_cast<std::uint16_t>(next));
  if (is_new) {
    if (next > 65'535)
      throw InputError(
          "routing " + table_.name_ +
          " needs more than 65,535 different groups of ports; use `digits` on a tree or multistage network, or "
          "a smaller fabric");
    table_.groups_.insert(table_.groups_.end(), key_.begin(), key_.end());
    table_.group_start_.push_back(static_cast<std::uint32_t>(table_.groups_.size()));
  }
  entry = place->second;
}

RouteTable StoredRoutes::build() && { return std::move(table_); }

}  // namespace weir
