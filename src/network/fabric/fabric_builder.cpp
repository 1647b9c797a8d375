#include "network/fabric/fabric_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace weir {

namespace {

bool same_port(const FabricEnd& x, const FabricEnd& y) { return x.node == y.node && x.port == y.port; }

}  // namespace

std::uint32_t FabricBuilder::node(const std::string& key, std::uint32_t line) {
  const auto [place, is_new] = keys_.emplace(key, static_cast<std::uint32_t>(fabric_.nodes.size()));
  if (is_new) {
    fabric_.nodes.emplace_back().where = at(line);
    described_.push_back(false);
  }
  return place->second;
}

void FabricBuilder::describe(std::uint32_t number, std::uint32_t line) {
  if (!described_[number]) fabric_.nodes[number].where = at(line);
  described_[number] = true;
}

void FabricBuilder::remark(std::uint32_t line, const std::string& what) {
  fabric_.remarks.push_back("line " + std::to_string(line) + ": " + what);
}

std::string FabricBuilder::port_text(const FabricEnd& end) const {
  const FabricNode& node = fabric_.nodes[end.node];
  return (node.name.empty() ? "node " + std::to_string(end.node + 1) : node.name) + " port " + std::to_string(end.port);
}

void FabricBuilder::check_ports(const FabricEnd& here, const FabricEnd& there, std::uint32_t line) const {
  for (const FabricEnd& end : {here, there}) {
    const std::uint32_t ports = fabric_.nodes[end.node].ports;
    if (end.port == 0 || (ports > 0 && end.port > ports))
      refuse(line, port_text(end) + " does not exist; " +
                       (ports > 0 ? "it has ports 1 to " + std::to_string(ports) : "ports are numbered from 1"));
  }
}

void FabricBuilder::claim(FabricEnd here, FabricEnd there, std::optional<LinkSpeed> speed, std::uint32_t line) {
  check_ports(here, there, line);
  const auto [place, is_new] = claims_.emplace(here, Claim{there, speed, line, here});
  if (!is_new && !same_port(place->second.there, there))
    refuse(line, port_text(here) + " is connected to " + port_text(there) + " here, and to " +
                     port_text(place->second.there) + " in line " + std::to_string(place->second.line));
  const auto [back, is_first] = peers_.emplace(there, std::pair(here, line));
  if (!is_first && !same_port(back->second.first, here))
    refuse(line, port_text(there) + " is connected to " + port_text(here) + " here, and to " +
                     port_text(back->second.first) + " in line " + std::to_string(back->second.second));
}

void FabricBuilder::add_cable(const FabricEnd& end, const Claim& claim, std::vector<std::string>& remarks) {
  const auto other = claims_.find(claim.there);
  const bool two = other != claims_.end();
  if (two && !same_port(other->second.there, end))
    refuse(claim.line, port_text(end) + " is connected to " + port_text(claim.there) + " here, but in line " +
                           std::to_string(other->second.line) + " that port is connected to " +
                           port_text(other->second.there));
  if (two && claim.there < end) return;  // the other end makes the cable
  FabricCable cable{claim.here, two ? other->second.here : claim.there, claim.speed, {}, at(claim.line)};
  const auto complete = [](FabricEnd& mine, const FabricEnd& theirs) {
    if (mine.lid == 0) mine.lid = theirs.lid;
    if (mine.guid == 0) mine.guid = theirs.guid;
  };
  if (two) {
    complete(cable.a, other->second.there);
    complete(cable.b, claim.there);
    const auto& speed = other->second.speed;
    if (speed && cable.speed && *speed != *cable.speed) {
      if (speed->rate() < cable.speed->rate()) cable.speed = speed;
      remarks.push_back("line " + std::to_string(claim.line) + ": the ends of " + port_text(cable.a) + " - " +
                        port_text(cable.b) + " report different speeds; the slower one is used, " +
                        cable.speed->text());
    }
    if (!cable.speed) cable.speed = speed;
  } else if (both_ends_ && described_[claim.there.node]) {
    remarks.push_back("line " + std::to_string(claim.line) + ": " + port_text(end) + " - " + port_text(claim.there) +
                      " is listed at one end only");
  }
  if (cable.b < cable.a) std::swap(cable.a, cable.b);
  fabric_.cables.push_back(std::move(cable));
}

// Described nodes in the order of their descriptions, then those that were only mentioned.
void FabricBuilder::number_by_place() {
  const auto count = static_cast<std::uint32_t>(fabric_.nodes.size());
  std::vector<std::uint32_t> order(count), place(count);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    return std::tuple(!described_[x], fabric_.nodes[x].where.line) <
           std::tuple(!described_[y], fabric_.nodes[y].where.line);
  });
  std::vector<FabricNode> nodes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    place[order[i]] = i;
    nodes[i] = std::move(fabric_.nodes[order[i]]);
  }
  fabric_.nodes = std::move(nodes);
  for (FabricCable& cable : fabric_.cables) {
    cable.a.node = place[cable.a.node];
    cable.b.node = place[cable.b.node];
    if (cable.b < cable.a) std::swap(cable.a, cable.b);
  }
}

// A dump that was cut off lacks many nodes: one remark for all.
void FabricBuilder::tell_undescribed() {
  constexpr std::size_t kNames = 3;
  std::string names;
  std::size_t count = 0;
  std::uint32_t line = 0;
  for (std::uint32_t n = 0; n < fabric_.nodes.size(); ++n) {
    if (described_[n]) continue;
    if (++count <= kNames) names += (names.empty() ? "" : ", ") + fabric_.nodes[n].name;
    if (line == 0) line = fabric_.nodes[n].where.line;
  }
  if (count == 1) remark(line, names + " appears as a neighbour, but is not described");
  else if (count > 1)
    remark(line, fmt::format("{} nodes appear as neighbours, but are not described ({}{}): is the file complete?",
                             count, names, count > kNames ? ", ..." : ""));
}

Fabric FabricBuilder::finish() {
  std::vector<std::string> remarks;
  for (const auto& [end, claim] : claims_) {
    check_ports(claim.here, claim.there, claim.line);
    add_cable(end, claim, remarks);
  }
  if (both_ends_) tell_undescribed();
  fabric_.remarks.insert(fabric_.remarks.end(), remarks.begin(), remarks.end());
  number_by_place();
  std::sort(fabric_.cables.begin(), fabric_.cables.end(),
            [](const FabricCable& x, const FabricCable& y) { return x.a < y.a; });
  return std::move(fabric_);
}

}  // namespace weir
