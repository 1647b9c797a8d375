#include "packet/config/lane_order.h"

#include <algorithm>

namespace weir {

namespace {

constexpr std::int64_t kWeightUnit = 64, kLimitUnit = 4096;  // bytes

LaneOrder::Round round_of(const LaneTables::Table& table, std::uint32_t lanes) {
  LaneOrder::Round round;
  for (const LaneTables::Entry& entry : table)
    if (entry.weight > 0 && entry.lane < lanes) round.push_back({Lane{entry.lane}, entry.weight * kWeightUnit});
  return round;
}

}  // namespace

LaneOrder strict_order(std::uint32_t lanes) {
  LaneOrder order;
  for (Lane lane{lanes}; lane.index-- > 0;) order.rounds.push_back({{lane, LaneOrder::kUnlimited}});
  return order;
}

double least_weight(std::span<const double> weights) {
  double least = 0;
  for (const double weight : weights)
    if (weight > 0) least = least == 0 ? weight : std::min(least, weight);
  return least;
}

LaneOrder order_by_weight(std::span<const double> weights, Bytes largest) {
  LaneOrder order;
  const double least = least_weight(weights);
  for (Lane lane{static_cast<std::uint32_t>(weights.size())}; lane.index-- > 0;)
    if (weights[lane.index] == 0) order.rounds.push_back({{lane, LaneOrder::kUnlimited}});
  LaneOrder::Round& shared = order.rounds.emplace_back();
  for (Lane lane{0}; lane.index < weights.size(); ++lane.index) {
    const double share = weights[lane.index] / least * static_cast<double>(largest);
    if (share > 0) shared.push_back({lane, static_cast<std::int64_t>(share)});
  }
  order.carries = true;
  return order;
}

LaneOrder order_by_tables(const LaneTables& tables, std::uint32_t lanes) {
  LaneOrder order;
  order.unit = kWeightUnit;
  // A packet of the high table starts as long as less than the limit was sent: one byte of it is one packet.
  if (tables.limit < LaneTables::kNoLimit) order.limit = std::max<std::int64_t>(1, tables.limit * kLimitUnit);
  order.rounds = {round_of(tables.high, lanes), round_of(tables.low, lanes)};
  if (order.rounds[0].empty() && order.rounds[1].empty()) return {};
  return order;
}

}  // namespace weir
