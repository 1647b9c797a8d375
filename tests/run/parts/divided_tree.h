// A small tree and its traffic, for runs that threads or ranks divide. What follows its text belongs to [switch].
#pragma once
#include <cstdint>
#include <vector>

#include "scale.h"

namespace weir::testing {

inline const char* const kTree = R"([topology]
kind = "k-ary-n-tree"
k = 3
n = 3
[link]
rate = "10Gbps"
delay = "17ns"
[packet]
payload = ["300B", "1000B"]
header = "20B"
[switch]
route_delay = "50ns"
)";

inline const char* const kUniform = "[[traffic]]\npattern = 'uniform'\nload = 0.7\n";
inline const char* const kHotSpot = R"([[traffic]]
name = "hot"
pattern = "hotspot"
target = 5
share = 0.4
load = 0.8
[[traffic]]
pattern = "uniform"
load = 0.4
except = "hot"
)";

// By how many threads. The part in the middle of three has a neighbour on each side, the others on one, as both of two:
// where every run takes long, three are enough.
inline std::vector<std::uint32_t> numbers_of_threads() {
  const std::vector<std::uint32_t> three{3}, both{2, 3};
  return scaled_count(0, 1, 1) == 0 ? three : both;
}

}  // namespace weir::testing
