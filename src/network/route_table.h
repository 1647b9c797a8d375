// Which steps, each a port and a lane (route_step.h), lead from a switch to a destination. Trees and multistage
// networks are *computed* by digit arithmetic: one small record per switch and one word per host, no table; other
// fabrics with a structure by a class of their own (routings/structured_routes.h). Everything else is *stored*: a
// 16-bit group number per (switch, destination) and a table of groups of steps. The first candidate is the default.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/ids.h"
#include "network/route_step.h"
#include "network/routings/structured_routes.h"
#include "network/topology.h"

namespace weir {

// Addresses are packed digit strings: `bits` bits per digit, so that "all digits above level l agree" is one mask. At a
// switch: if the destination's address agrees with the switch's `coordinate` on `must_match`, go down (or on, in a
// unidirectional network) through down_base + digit at down_shift, otherwise up through up_base + digit at up_shift.
// A switch that only ever goes down has must_match = 0.
struct DigitRule {
  std::uint32_t coordinate = 0;
  std::uint32_t must_match = 0;
  std::uint32_t down_base = 0, up_base = 0;  // global port numbers
  std::uint16_t up_count = 0;                // how many up ports there are (candidates of an ascending packet)
  std::uint8_t down_shift = 0, up_shift = 0;
  std::uint32_t digit_mask = 0;
};

class RouteTable {
 public:
  // The default step; the hot path of every packet. The source matters only where the way up is chosen by it.
  [[gnu::always_inline]] RouteStep default_step(SwitchId s, HostId source, HostId destination) const {
    if (form_ == Form::digits) {
      const DigitRule& rule = rules_[s.index];
      const std::uint32_t address = addresses_[destination.index];
      const std::uint32_t up_address = up_addresses_[up_by_source_ ? source.index : destination.index];
      // Both ways are worked out: up or down can hardly be predicted, and a wrong guess costs more.
      const std::uint32_t down = rule.down_base + ((address >> rule.down_shift) & rule.digit_mask);
      const std::uint32_t up = rule.up_base + ((up_address >> rule.up_shift) & rule.digit_mask);
      const auto go_down = static_cast<std::uint32_t>(((address ^ rule.coordinate) & rule.must_match) == 0);
      return PortId{up ^ ((down ^ up) & (0 - go_down))};
    }
    if (form_ == Form::structured) [[unlikely]] return structure_->step(s, destination);
    return groups_[group_start_[group_[s.index * hosts_ + destination.index]]];
  }
  // A packet for this destination will be routed soon.
  [[gnu::always_inline]] void fetch(HostId destination) const {
    if (form_ != Form::digits) return;
    __builtin_prefetch(&addresses_[destination.index]);
    if (!up_by_source_) __builtin_prefetch(&up_addresses_[destination.index]);
  }
  // At this switch.
  [[gnu::always_inline]] void fetch(SwitchId s) const {
    if (form_ == Form::digits) __builtin_prefetch(&rules_[s.index]);
  }
  PortId default_port(SwitchId s, HostId source, HostId destination) const {
    return default_step(s, source, destination).port();
  }
  // All allowed steps, default first. `scratch` is used where the list is computed.
  std::span<const RouteStep> candidates(SwitchId s, HostId source, HostId destination,
                                        std::vector<RouteStep>& scratch) const;
  // The allowed step through this port; where there is none, one that keeps the lane.
  RouteStep step_through(PortId port, SwitchId s, HostId source, HostId destination) const;

  // The lanes that these routes use, as a block; 1 where packets keep their lane.
  const LaneBlocks& lanes() const { return lanes_; }
  bool changes_lanes() const { return lanes_.size() > 1; }

  bool is_computed() const { return form_ != Form::stored; }
  bool is_up_by_source() const { return up_by_source_; }
  std::span<const DigitRule> rules() const { return rules_; }  // per switch; empty without digits
  const StructuredRoutes* structure() const { return structure_.get(); }  // null where the routes have another form
  bool has_alternatives() const;
  std::size_t bytes_of_state() const;
  const std::string& name() const { return name_; }

  static RouteTable by_digits(std::string name, std::vector<DigitRule> rules, std::vector<std::uint32_t> addresses,
                              std::vector<std::uint32_t> up_addresses, bool up_by_source = false);
  static RouteTable structured(std::string name, std::shared_ptr<const StructuredRoutes> structure);
  // candidates[s * hosts + d]; equal lists share one group. More than 65,535 different groups is an InputError. An
  // empty list marks "no route". `lanes`: how many the steps use, as a block.
  static RouteTable stored(std::string name, std::size_t hosts, const std::vector<std::vector<RouteStep>>& candidates,
                           std::uint32_t lanes = 1);
  bool reachable(SwitchId s, HostId destination) const;

 private:
  friend class StoredRoutes;  // fills a stored table entry by entry
  enum class Form : std::uint8_t { stored, digits, structured };
  std::string name_;
  Form form_ = Form::stored;
  bool up_by_source_ = false;
  LaneBlocks lanes_;
  std::size_t hosts_ = 0;
  std::vector<DigitRule> rules_;
  std::vector<std::uint32_t> addresses_, up_addresses_;
  std::vector<std::uint16_t> group_;
  std::vector<std::uint32_t> group_start_;  // size groups + 1
  std::vector<RouteStep> groups_;
  std::shared_ptr<const StructuredRoutes> structure_;
};

}  // namespace weir
