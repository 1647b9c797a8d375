// What `weir bench` measures, apart from how it is printed: packet-hops per CPU second of the engine, the same of a
// bare timing-wheel loop beside it, and memory. Every case runs in a process of its own, so that its peak memory is its
// own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace weir {

struct BenchCase {
  std::string name;
  std::string toml;        // scenario
};

struct BenchResult {
  bool ran = false;
  std::uint64_t hosts = 0, links = 0;
  std::uint64_t hops = 0, events = 0, packets = 0, link_free_events = 0;
  double cpu_seconds = 0;  // of the run, best of the repetitions
  double setup_seconds = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t peak_memory = 0;  // of the process
  double lines_per_hop = 0;

  double hops_per_second() const { return cpu_seconds > 0 ? static_cast<double>(hops) / cpu_seconds : 0; }
  double ns_per_hop() const { return hops > 0 ? cpu_seconds * 1e9 / static_cast<double>(hops) : 0; }
};

BenchResult run_bench_case(const BenchCase& bench, int repetitions);

// The uniform case on a k-ary 3-tree, long enough for about `hops` packet-hops.
BenchCase tree_case(unsigned k, double load, double hops);
BenchCase hotspot_case();
BenchCase ack_case();
// Acknowledged uniform traffic at a load of 0.6 under a scheme: what it costs per hop, acknowledgements included.
BenchCase managed_case(const std::string& scheme);

// Two events per hop, each reading and writing one 64-byte record among `records`: what the clock and the memory
// allow.
double bare_loop_hops_per_second(std::uint32_t records, std::uint64_t hops);

}  // namespace weir
