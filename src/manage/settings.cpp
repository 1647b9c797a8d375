#include "manage/settings.h"

#include <algorithm>

namespace weir::manage {

namespace {

constexpr std::size_t kElement = 4;
constexpr std::size_t kTimesAsked = 3;
constexpr std::uint8_t kDead = 0xff;  // every byte of an answer for which nothing stands behind
// What settings take of a datagram. What stands behind them may be anything: libumad2sim, for one, writes there.
constexpr std::size_t kUsedBytes = mad::kPortsOfBlock * kElement;

using Ports = std::map<std::uint32_t, mad::SwitchPortCongestion>;

void take_block(const mad::Mad& answer, std::uint32_t block, Ports& ports) {
  for (std::uint32_t i = 0; i < mad::kPortsOfBlock; ++i)
    mad::decode(answer.data().subspan(i * kElement, kElement), ports[block * mad::kPortsOfBlock + i]);
}

std::uint32_t block_of(std::uint32_t number) { return number / mad::kPortsOfBlock; }

}  // namespace

// Each is asked for several times; where answers are missing or differ, there is none.
std::vector<Reply> SwitchSettings::read_surely(const std::vector<Request>& requests) {
  const std::size_t count = requests.size();
  std::vector<Request> repeated;
  for (std::size_t n = 0; n < kTimesAsked; ++n) repeated.insert(repeated.end(), requests.begin(), requests.end());
  const std::vector<Reply> replies = transport_.exchange(repeated);
  const auto is_one = [&](std::size_t i, const Reply& reply) {
    return is_answer(requests[i], reply) &&
           std::ranges::any_of(reply->data().first(kUsedBytes), [](std::uint8_t b) { return b != kDead; });
  };
  const auto agree = [&](std::size_t i, const Reply& other) {
    return is_one(i, replies[i]) && is_one(i, other) &&
           std::ranges::equal(replies[i]->data().first(kUsedBytes), other->data().first(kUsedBytes));
  };
  std::vector<Reply> sure(count);
  for (std::size_t i = 0; i < count; ++i) {
    bool all = true;
    for (std::size_t n = 1; n < kTimesAsked; ++n) all = all && agree(i, replies[i + n * count]);
    if (all) sure[i] = replies[i];
  }
  return sure;
}

std::size_t SwitchSettings::switches_without_marking() const {
  return static_cast<std::size_t>(std::count_if(of_switch_.begin(), of_switch_.end(), [](const auto& entry) {
    const OfSwitch& s = entry.second;
    return s.all.threshold == 0 && std::none_of(s.ports.begin(), s.ports.end(), [](const auto& port) {
             return port.second.valid && port.second.threshold > 0;
           });
  }));
}

void SwitchSettings::read_all() {
  std::vector<SwitchId> all;
  for (std::uint32_t s = 0; s < topology_.switches(); ++s) all.push_back({s});
  read(all);
}

void SwitchSettings::read(const std::vector<SwitchId>& switches) {
  std::vector<Request> requests;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> what;  // switch, block; kAll: the switch itself
  constexpr std::uint32_t kAll = 0xffff;
  for (const SwitchId s : switches) {
    const NodeId node = topology_.node(s);
    const std::uint32_t lid = topology_.identity(node).lid;
    if (lid == 0) continue;
    requests.push_back(congestion_request(mad::Method::get, mad::cc::kSwitchSetting, 0, lid, key_));
    what.push_back({s.index, kAll});
    for (std::uint32_t block = 0; block * mad::kPortsOfBlock <= identities_.highest_number(node); ++block) {
      requests.push_back(congestion_request(mad::Method::get, mad::cc::kSwitchPortSetting, block, lid, key_));
      what.push_back({s.index, block});
    }
  }
  const std::vector<Reply> replies = read_surely(requests);
  std::map<std::uint32_t, OfSwitch> found;
  std::map<std::uint32_t, bool> broken;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto [s, block] = what[i];
    if (!replies[i]) {
      broken[s] = true;
      continue;
    }
    if (block == kAll) {
      mad::decode(replies[i]->data(), found[s].all);
      continue;
    }
    take_block(*replies[i], block, found[s].ports);
  }
  for (auto& [s, settings] : found)
    if (!broken[s]) remember({s}, std::move(settings));
}

void SwitchSettings::remember(SwitchId at, OfSwitch seen) {
  const auto found = of_switch_.find(at.index);
  if (found != of_switch_.end()) {
    const OfSwitch& before = found->second;
    if (seen.all != before.all) changes_.push_back({at, std::nullopt, {}, {}});
    for (const auto& [number, setting] : seen.ports)
      if (const auto old = before.ports.find(number); old != before.ports.end() && old->second != setting)
        changes_.push_back({at, number, old->second, setting});
  }
  of_switch_.insert_or_assign(at.index, std::move(seen));
}

std::optional<mad::SwitchPortCongestion> SwitchSettings::known(PortId port) const {
  const auto found = of_switch_.find(topology_.switch_of(topology_.node_of(port)).index);
  if (found == of_switch_.end()) return std::nullopt;
  return found->second.ports.at(number(port));
}

std::optional<std::uint32_t> SwitchSettings::rate(PortId port) const {
  const std::optional<mad::SwitchPortCongestion> s = known(port);
  if (!s) return std::nullopt;
  const mad::SwitchCongestion& all = of_switch_.at(topology_.switch_of(topology_.node_of(port)).index).all;
  if ((s->valid ? s->threshold : all.threshold) == 0) return std::nullopt;
  if (s->valid) return s->marking_rate;
  return (all.control_map & mad::SwitchCongestion::kUseMarkingRate) != 0 ? all.marking_rate : 0;
}

std::optional<mad::SwitchPortCongestion> SwitchSettings::with_rate(PortId port, std::uint32_t rate) const {
  std::optional<mad::SwitchPortCongestion> s = known(port);
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

bool SwitchSettings::is_as_remembered(PortId port) {
  const SwitchId at = topology_.switch_of(topology_.node_of(port));
  const auto of_switch = of_switch_.find(at.index);
  if (of_switch == of_switch_.end()) {
    read({at});  // for the next time
    return false;
  }
  const std::uint32_t block = block_of(number(port));
  const std::vector<Reply> replies =
      read_surely({congestion_request(mad::Method::get, mad::cc::kSwitchSetting, 0, lid(port), key_),
                   congestion_request(mad::Method::get, mad::cc::kSwitchPortSetting, block, lid(port), key_)});
  if (!replies[0] || !replies[1]) return false;
  OfSwitch seen = of_switch->second;
  mad::decode(replies[0]->data(), seen.all);
  take_block(*replies[1], block, seen.ports);
  const bool same = seen == of_switch->second;
  remember(at, std::move(seen));
  return same;
}

Request SwitchSettings::write_request(PortId port, const mad::SwitchPortCongestion& wanted) const {
  const std::uint32_t block = block_of(number(port));
  Request request = congestion_request(mad::Method::set, mad::cc::kSwitchPortSetting, block, lid(port), key_);
  const OfSwitch& all = of_switch_.at(topology_.switch_of(topology_.node_of(port)).index);
  for (std::uint32_t i = 0; i < mad::kPortsOfBlock; ++i) {
    const std::uint32_t n = block * mad::kPortsOfBlock + i;
    mad::encode(n == number(port) ? wanted : all.ports.at(n), request.mad.data().subspan(i * kElement, kElement));
  }
  return request;
}

SwitchSettings::Result SwitchSettings::change(PortId port, const mad::SwitchPortCongestion& expected,
                                              const mad::SwitchPortCongestion& wanted) {
  if (!is_as_remembered(port)) return Result::not_tried;
  mad::SwitchPortCongestion& now =
      of_switch_.at(topology_.switch_of(topology_.node_of(port)).index).ports.at(number(port));
  if (now == wanted) return Result::done;
  if (now != expected) return Result::not_as_expected;
  transport_.exchange({write_request(port, wanted)});  // its answer proves nothing; what counts is what is there now
  now = wanted;
  return is_as_remembered(port) ? Result::done : Result::unclear;
}

PortId SwitchSettings::port(std::uint64_t switch_guid, std::uint32_t number) const {
  const NodeId node = identities_.node_of_guid(switch_guid);
  return node.valid() ? identities_.port(node, number) : PortId{};
}

}  // namespace weir::manage
