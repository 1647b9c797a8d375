#include "live/lane_tables.h"

#include <algorithm>

#include "mad/smp_fields.h"

namespace weir::live {

namespace {

// Each table is two blocks of 32 entries, numbered in the upper half of the modifier; an entry is a lane and a weight.
constexpr std::uint32_t kLowBlock = 1, kHighBlock = 3, kBlocks = 2;
constexpr std::size_t kEntriesOfBlock = 32;

std::uint64_t key_of(std::uint32_t port, std::uint32_t block) {
  return SubnetNode::table_key(mad::smp::kLaneArbitration, port, block << 16);
}

LaneTables::Table read(const SubnetNode& node, std::uint32_t port, std::uint32_t first) {
  LaneTables::Table table;
  for (std::uint32_t block = first; block < first + kBlocks; ++block) {
    const auto found = node.tables.find(key_of(port, block));
    if (found == node.tables.end()) continue;
    for (std::size_t i = 0; i < kEntriesOfBlock; ++i)
      table.push_back({found->second[2 * i] & 0x0fu, found->second[2 * i + 1]});
  }
  return table;
}

void write(SubnetNode& node, std::uint32_t port, std::uint32_t first, const LaneTables::Table& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    Attribute& block = node.tables[key_of(port, first + static_cast<std::uint32_t>(i / kEntriesOfBlock))];
    block[2 * (i % kEntriesOfBlock)] = static_cast<std::uint8_t>(table[i].lane);
    block[2 * (i % kEntriesOfBlock) + 1] = static_cast<std::uint8_t>(table[i].weight);
  }
}

void raise(Attribute& info, mad::Field field, std::size_t entries) {
  mad::put(info, field, std::max<std::uint64_t>(mad::get(info, field), entries));
}

}  // namespace

LaneTables lane_tables(const Subnet& subnet, NodePort at) {
  const SubnetNode& node = subnet.node(at);
  return {read(node, at.port, kHighBlock), read(node, at.port, kLowBlock),
          static_cast<std::uint32_t>(mad::get(subnet.port(at).info, mad::port_info::kHighLimit))};
}

void show_lane_tables(Subnet& subnet, const LaneTables& tables) {
  if (tables.high.empty() && tables.low.empty()) return;
  for (SubnetNode& node : subnet.nodes()) {
    for (std::uint32_t n = 1; n < node.ports.size(); ++n) {
      Attribute& info = node.ports[n].info;
      write(node, n, kHighBlock, tables.high);
      write(node, n, kLowBlock, tables.low);
      raise(info, mad::port_info::kArbitrationHigh, tables.high.size());
      raise(info, mad::port_info::kArbitrationLow, tables.low.size());
      mad::put(info, mad::port_info::kHighLimit, tables.limit);
    }
  }
}

}  // namespace weir::live
