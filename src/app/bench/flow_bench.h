// Speed of the flow-level half on this machine: what `weir bench` shows, and what bench/ measures in detail. Nothing
// below app/ may see a clock, so the caller brings one.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "flow/solvers/incidence.h"

namespace weir {

// Random flows in a k-ary 3-tree under static routing, all links equal: the instances of every flow-level benchmark.
struct BenchFlows {
  std::size_t links = 0;
  RowList paths;
  std::vector<double> weight;              // over four orders of magnitude
  std::vector<std::uint32_t> application;  // 32 of them, at random
};
struct BenchSize {
  std::uint32_t k, flows_per_host;
  double ffa_target_ms, saa_target_ns;  // on one core; ns per pair
};
std::vector<BenchSize> bench_sizes();  // 20,480, 163,840 and 1,048,576 flows
BenchFlows bench_flows(BenchSize size, std::uint64_t seed = 1);

struct FlowBenchRow {
  std::string instance;  // "16-ary 3-tree"
  std::string what;      // "routes", "table", "saa", "ffa", "ffa weighted", "saa-m", "afa"
  std::size_t flows = 0, pairs = 0;  // a pair: a flow and a link on its path
  double milliseconds = 0;  // best of the repetitions
  double ns_per_pair = 0;
  double target_ms = 0;  // 0 = none
  bool reached() const { return target_ms <= 0 || milliseconds <= target_ms; }
};
// `seconds` is CPU or wall time since any origin. `sizes`: how many of bench_sizes() to run.
std::vector<FlowBenchRow> flow_bench(const std::function<double()>& seconds, std::size_t sizes = 3);

}  // namespace weir
