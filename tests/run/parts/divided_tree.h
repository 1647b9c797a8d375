// A small tree and its traffic, for runs that threads or ranks divide. What follows its text belongs to [switch].
#pragma once

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

}  // namespace weir::testing
