// Flows of one switch that share the link to host 0, whose queue is watched; buffers are so large that flow control
// stays silent.
#pragma once
#include <fmt/format.h>

#include <string>

namespace weir::testing {

struct Bottleneck {
  int flows = 2;
  std::string rate, delay;  // of every link
  std::string scheme;       // lines of [scheme]
  std::string run;          // lines of [run]

  std::string text() const {
    return fmt::format(R"([topology]
kind = "star"
hosts = {}
[link]
rate = "{}"
delay = "{}"
[packet]
payload = ["1000B"]
[switch]
organisation = "output-queued"
buffer = "100MB"
[adapter]
organisation = "per-flow"
[scheme]
{}
[[traffic]]
pattern = "incast"
target = 0
[measure]
watch = ["S0:0"]
watch_bin = "100us"
[run]
{}
)",
                       flows + 1, rate, delay, scheme, run);
  }
};

}  // namespace weir::testing
