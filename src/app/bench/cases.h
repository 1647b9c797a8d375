// What `weir bench` measures, apart from how it is printed: packet-hops per second of the engine, the same of a bare
// loop beside it, and memory. Every case runs in a process of its own, so that its peak memory is its own.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace weir {

struct BenchCase {
  std::string name;
  std::string toml;  // scenario
};

struct BenchResult {
  bool ran = false;
  std::uint64_t hosts = 0, links = 0;
  std::uint64_t hops = 0, events = 0;
  unsigned threads = 1;           // that have executed the run
  double seconds = 0;             // of the run, best of the repetitions: CPU of one thread, or wall time of several
  double unmeasured_seconds = 0;  // the same without frames and with two bins
  double setup_seconds = 0;
  std::uint64_t state_bytes = 0;
  std::uint64_t peak_memory = 0;  // of the process

  double hops_per_second() const { return seconds > 0 ? static_cast<double>(hops) / seconds : 0; }
  double ns_per_hop() const { return hops > 0 ? seconds * 1e9 / static_cast<double>(hops) : 0; }
  double events_per_hop() const { return hops > 0 ? static_cast<double>(events) / static_cast<double>(hops) : 0; }
  double cost_of_measuring() const { return unmeasured_seconds > 0 ? seconds / unmeasured_seconds : 0; }
};

// `threads`: that may execute the run.
BenchResult run_bench_case(const BenchCase& bench, int repetitions, unsigned threads = 1, bool by_wall = false);

// All of them. Those on 3-trees take about `hops` packet-hops; the others have a fixed length.
std::vector<BenchCase> bench_cases(double hops);

// Two events per hop, each reading and writing one 64-byte record among `records`: what the clock and the memory allow.
double bare_loop_hops_per_second(std::uint32_t records, std::uint64_t hops);

}  // namespace weir
