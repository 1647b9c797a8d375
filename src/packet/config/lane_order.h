// In which order the lanes of a link send, as a value. Lanes are listed in rounds. The first round that has something
// to send goes first; within a round the entries take turns, and each sends as much as its grant says, by whole
// packets. Strict priority, shares by weight (Ethernet's ETS) and InfiniBand's arbitration tables are such orders.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/units.h"
#include "network/route_step.h"

namespace weir {

struct LaneOrder {
  static constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max() / 2;

  struct Entry {
    Lane lane;
    std::int64_t grant = 0;  // bytes of a turn
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Round = std::vector<Entry>;

  std::vector<Round> rounds;
  std::int64_t limit = kUnlimited;  // bytes of the first round, after which the others may send a packet
  std::int64_t unit = 1;            // in which packets count
  bool carries = false;             // what a lane sends beyond its grant counts against its next turn

  bool empty() const { return rounds.empty(); }
  friend bool operator==(const LaneOrder&, const LaneOrder&) = default;
};

// The highest lane first.
LaneOrder strict_order(std::uint32_t lanes);

// Lanes share the link by weight, lane 0 first; those of weight 0 go before all others, the highest first. The lane of
// the smallest weight is granted a packet of the largest size.
LaneOrder order_by_weight(std::span<const double> weights, Bytes largest);
// Of the lanes that share, the smallest weight; 0 if none does.
double least_weight(std::span<const double> weights);

// InfiniBand's arbitration tables: weights in units of 64 bytes; the limit of the high table in units of 4 KiB, where 0
// stands for one packet and 255 for no limit.
struct LaneTables {
  static constexpr std::uint32_t kMostEntries = 64, kMostWeight = 255, kNoLimit = 255;

  struct Entry {
    std::uint32_t lane = 0, weight = 0;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  using Table = std::vector<Entry>;

  Table high, low;
  std::uint32_t limit = 0;
};

// Entries of weight 0, and of lanes that do not exist, are skipped; empty if no others are left.
LaneOrder order_by_tables(const LaneTables& tables, std::uint32_t lanes);

}  // namespace weir
