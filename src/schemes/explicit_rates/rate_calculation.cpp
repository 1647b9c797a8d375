#include "schemes/explicit_rates/rate_calculation.h"

#include <algorithm>

namespace weir {
namespace {

std::vector<double> capacities(const Topology& topology) {
  std::vector<double> out(topology.ports());
  for (std::uint32_t p = 0; p < out.size(); ++p) out[p] = topology.link({p}).rate.bytes_per_second();
  return out;
}

std::vector<double> shares_by_link(const Topology& topology, const ReservedShares& reserved) {
  std::vector<double> out(topology.ports(), reserved.inside);
  for (std::uint32_t p = 0; p < out.size(); ++p)
    if (topology.to({p}).valid()) out[p] = reserved.of(topology, {p});
  return out;
}

}  // namespace

double ReservedShares::of(const Topology& topology, PortId link) const {
  const bool edge =
      topology.is_host(topology.node_of(link)) || topology.is_host(topology.node_of(topology.to(link)));
  return edge ? hosts : inside;
}

RateCalculator::RateCalculator(const CalculationParams& params, const Topology& topology, std::uint32_t apps)
    : rates_(params.algorithm, capacities(topology), shares_by_link(topology, params.reserved), 64),
      apps_(apps) {}

void RateCalculator::add(const ControlledFlow& flow) {
  if (flow.connection.index >= number_.size()) number_.resize(flow.connection.index + 1, kNone);
  std::uint32_t number = static_cast<std::uint32_t>(connection_.size());
  if (free_.empty()) {
    connection_.emplace_back();
    if (number >= rates_.room()) rates_.make_room(2 * rates_.room());
  } else {
    number = free_.back();
    free_.pop_back();
  }
  number_[flow.connection.index] = number;
  connection_[number] = flow.connection;
  const bool own = flow.app == ControlledFlow::kOwnApplication;
  std::vector<std::uint32_t> links;
  for (const LinkId link : flow.links) links.push_back(link.index);
  rates_.add(number, links, flow.weight, own ? apps_ + number : flow.app);
}

void RateCalculator::remove(ConnectionId connection) {
  const std::uint32_t number = number_[connection.index];
  rates_.remove(number);
  number_[connection.index] = kNone;
  connection_[number] = kNoConnection;
  leaving_.push_back(number);  // not used again before the next calculation has seen it go
}

std::span<const ConnectionId> RateCalculator::recalculate() {
  ++calculations_;
  changed_.clear();
  for (const std::uint32_t number : rates_.recalculate())
    if (connection_[number].valid()) changed_.push_back(connection_[number]);
  std::sort(leaving_.begin(), leaving_.end(), std::greater<>());
  free_.insert(free_.end(), leaving_.begin(), leaving_.end());
  leaving_.clear();
  return changed_;
}

double RateCalculator::rate(ConnectionId connection) const { return rates_.rate(number_[connection.index]); }

}  // namespace weir
