// Choosing the hosts that take part, and refusing lists that name hosts which do not exist.
#include "traffic/hosts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace weir {

HostId checked_host(std::string_view key, std::int64_t number, std::size_t hosts) {
  if (number < 0 || static_cast<std::uint64_t>(number) >= hosts) {
    throw BadParameter(key, fmt::format("{}: there is no host {}; this network has {} hosts, numbered 0 to {}", key,
                                        number, hosts, hosts - 1));
  }
  return {static_cast<std::uint32_t>(number)};
}

std::vector<HostId> place(const std::vector<HostId>& from, std::size_t count, Placement placement,
                          RandomStream& random) {
  std::vector<HostId> taken;
  if (placement == Placement::random) {
    taken = from;
    shuffle(taken, random);
    taken.resize(count);
    std::sort(taken.begin(), taken.end());
    return taken;
  }
  taken.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    taken.push_back(from[placement == Placement::first ? i : i * from.size() / count]);
  return taken;
}

namespace {

std::vector<HostId> listed_hosts(const HostSelection& selection, std::size_t hosts) {
  std::vector<HostId> listed;
  for (const std::int64_t number : selection.list) listed.push_back(checked_host("hosts", number, hosts));
  std::sort(listed.begin(), listed.end());
  const auto twice = std::adjacent_find(listed.begin(), listed.end());
  if (twice != listed.end()) throw BadParameter("hosts", fmt::format("hosts: host {} is listed twice", twice->index));
  if (selection.target.valid() && std::binary_search(listed.begin(), listed.end(), selection.target)) {
    throw BadParameter("hosts", fmt::format("hosts: host {} is the target and cannot send to itself; leave it out",
                                            selection.target.index));
  }
  return listed;
}

std::pair<std::uint32_t, std::uint32_t> checked_range(const std::vector<std::int64_t>& range, std::size_t hosts) {
  if (range.empty()) return {0, static_cast<std::uint32_t>(hosts - 1)};
  if (range.size() != 2)
    throw BadParameter("range", "range: give two host numbers, the first and the last, as in [0, 15]");
  const HostId first = checked_host("range", range[0], hosts), last = checked_host("range", range[1], hosts);
  if (last < first) {
    throw BadParameter("range", fmt::format("range: the last host {} comes before the first {}; write [{}, {}]",
                                            last.index, first.index, last.index, first.index));
  }
  return {first.index, last.index};
}

}  // namespace

std::vector<HostId> select_hosts(const HostSelection& selection, std::size_t hosts, RandomStream random) {
  if (hosts == 0) throw InputError("this network has no hosts, so nothing can be sent");
  if (!selection.list.empty()) return listed_hosts(selection, hosts);
  const auto [first, last] = checked_range(selection.range, hosts);
  std::vector<HostId> candidates;
  for (std::uint32_t h = first; h <= last; ++h) {
    const HostId host{h};
    if (host == selection.target || std::binary_search(selection.without.begin(), selection.without.end(), host))
      continue;
    candidates.push_back(host);
  }
  if (candidates.empty())
    throw InputError("no host is left to send: every host is the target or belongs to another entry");
  if (selection.count > candidates.size()) {
    throw BadParameter("fan_in", fmt::format("fan_in: {} senders wanted, but only {} hosts can send", selection.count,
                                             candidates.size()));
  }
  const double wanted = selection.share * static_cast<double>(last - first + 1);
  const std::size_t by_share =
      std::clamp<std::size_t>(static_cast<std::size_t>(std::llround(wanted)), 1, candidates.size());
  return place(candidates, selection.count > 0 ? selection.count : by_share, selection.placement, random);
}

}  // namespace weir
