#include "manage/settings.h"

namespace weir::manage {

namespace {

constexpr std::size_t kElement = 4;

std::span<const std::uint8_t> element_of(const mad::Mad& block, std::uint32_t number) {
  return block.data().subspan((number % mad::kPortsOfBlock) * kElement, kElement);
}
std::span<std::uint8_t> element_of(mad::Mad& block, std::uint32_t number) {
  return block.data().subspan((number % mad::kPortsOfBlock) * kElement, kElement);
}

}  // namespace

void SwitchSettings::read_all() {
  std::vector<Request> requests;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> what;  // switch, block; kAll: the switch itself
  constexpr std::uint32_t kAll = 0xffff;
  for (std::uint32_t s = 0; s < topology_.switches(); ++s) {
    const NodeId node = topology_.node(SwitchId{s});
    const std::uint32_t lid = topology_.identity(node).lid;
    if (lid == 0) continue;
    requests.push_back(congestion_request(mad::Method::get, mad::cc::kSwitchSetting, 0, lid, key_));
    what.push_back({s, kAll});
    for (std::uint32_t block = 0; block * mad::kPortsOfBlock <= identities_.highest_number(node); ++block) {
      requests.push_back(congestion_request(mad::Method::get, mad::cc::kSwitchPortSetting, block, lid, key_));
      what.push_back({s, block});
    }
  }
  const std::vector<Reply> replies = transport_.exchange(requests);
  std::map<std::uint32_t, OfSwitch> found;
  std::map<std::uint32_t, bool> broken;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto [s, block] = what[i];
    if (!is_answer(requests[i], replies[i])) {
      broken[s] = true;
      continue;
    }
    if (block == kAll) {
      mad::decode(replies[i]->data(), found[s].all);
      continue;
    }
    for (std::uint32_t n = block * mad::kPortsOfBlock; n < (block + 1) * mad::kPortsOfBlock; ++n)
      mad::decode(element_of(*replies[i], n), found[s].ports[n]);
  }
  of_switch_.clear();
  for (auto& [s, settings] : found)
    if (!broken[s]) of_switch_.emplace(s, std::move(settings));
}

std::optional<mad::SwitchPortCongestion> SwitchSettings::original(PortId port) const {
  const auto found = of_switch_.find(topology_.switch_of(topology_.node_of(port)).index);
  if (found == of_switch_.end()) return std::nullopt;
  return found->second.ports.at(number(port));
}

std::optional<mad::SwitchPortCongestion> SwitchSettings::with_rate(PortId port, std::uint32_t rate) const {
  std::optional<mad::SwitchPortCongestion> s = original(port);
  if (!s) return s;
  const mad::SwitchCongestion& all = of_switch_.at(topology_.switch_of(topology_.node_of(port)).index).all;
  if (!s->valid) {
    const bool on = (all.control_map & mad::SwitchCongestion::kUseThreshold) != 0;
    s->threshold = on ? all.threshold : 0;
    s->packet_size = on ? all.packet_size : 0;
    s->valid = true;
    s->credit_starved = false;
  }
  s->marking_rate = static_cast<std::uint16_t>(rate);
  return s;
}

std::optional<mad::Mad> SwitchSettings::read_block(PortId port) {
  const Request request = congestion_request(mad::Method::get, mad::cc::kSwitchPortSetting,
                                             number(port) / mad::kPortsOfBlock, lid(port), key_);
  std::vector<Reply> replies = transport_.exchange({request});
  if (replies.size() != 1 || !is_answer(request, replies[0])) return std::nullopt;
  return replies[0];
}

SwitchSettings::Result SwitchSettings::change(PortId port, const mad::SwitchPortCongestion& expected,
                                              const mad::SwitchPortCongestion& wanted) {
  const auto block = read_block(port);
  if (!block) return Result::no_answer;
  mad::SwitchPortCongestion now;
  mad::decode(element_of(*block, number(port)), now);
  if (now == wanted) return Result::done;
  if (now != expected) return Result::not_as_expected;
  Request request = congestion_request(mad::Method::set, mad::cc::kSwitchPortSetting,
                                       number(port) / mad::kPortsOfBlock, lid(port), key_);
  // Only the ports of this block: what stands behind them belongs to the next one.
  std::copy_n(block->data().begin(), mad::kPortsOfBlock * kElement, request.mad.data().begin());
  mad::encode(wanted, element_of(request.mad, number(port)));
  transport_.exchange({request});  // whether its answer comes or not: what counts is what is there now
  const auto after = read_block(port);
  if (!after) return Result::no_answer;
  mad::decode(element_of(*after, number(port)), now);
  return now == wanted ? Result::done : Result::not_as_expected;
}

PortId SwitchSettings::port(std::uint64_t switch_guid, std::uint32_t number) const {
  const NodeId node = identities_.node_of_guid(switch_guid);
  return node.valid() ? identities_.port(node, number) : PortId{};
}

}  // namespace weir::manage
