#include "app/bench_cases.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "app/process.h"
#include "app/runner.h"
#include "base/big_vector.h"
#include "base/memory.h"
#include "packet/clock.h"

namespace weir {
namespace {

// Cache lines that one event touches in the engine's tables, read off the code (engine_run.h, switch_plain.h):
//   landing at a switch   packet, gauge of the buffer, routing rule, destination's address, outgoing channel and link
//   sending               channel of the buffer that is left, bin and its last chunk for the next landing
//   link coming free      link, channel, packet
//   birth and delivery    packet, source state and description, adapter queue and ring, host and class counters,
//                         two histogram buckets, a bin of the series
double lines_per_hop(const BenchResult& r) {
  const double sends = static_cast<double>(r.hops) * 9;
  const double frees = static_cast<double>(r.link_free_events) * 3;
  const double ends = static_cast<double>(r.packets) * 14;
  return (sends + frees + ends) / static_cast<double>(std::max<std::uint64_t>(1, r.hops));
}

BenchResult measure(const BenchCase& bench, int repetitions) {
  BenchResult r;
  const double before = cpu_seconds();
  const Scenario scenario = parse_scenario_text(bench.toml, bench.name, vocabulary());
  Outcome outcome = prepare_run(scenario);
  r.setup_seconds = cpu_seconds() - before;
  r.hosts = outcome.network->topology.hosts();
  r.links = outcome.network->topology.ports();
  for (int i = 0; i < repetitions; ++i) {
    const double start = cpu_seconds();
    run_prepared(scenario, outcome);
    const double seconds = cpu_seconds() - start;
    r.cpu_seconds = i == 0 ? seconds : std::min(r.cpu_seconds, seconds);
  }
  const Measurements& m = outcome.measurements;
  r.hops = m.totals.hops;
  r.events = m.totals.events;
  for (const ClassResult& c : m.classes) r.packets += c.received;
  const std::uint64_t other = r.hops + r.packets;
  r.link_free_events = r.events > other ? r.events - other : 0;
  r.state_bytes = m.totals.state_bytes;
  r.lines_per_hop = lines_per_hop(r);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  r.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  r.ran = true;
  return r;
}

constexpr std::string_view kTree = R"(
name = "bench"
[topology]
kind = "k-ary-n-tree"
k = {}
n = 3
[link]
rate = "10Gbps"
delay = "15ns"
[packet]
payload = ["2kB"]
[switch]
buffer_packets = 8
route_delay = "100ns"
switch_delay = "0ns"
[[traffic]]
pattern = "uniform"
load = {}
[run]
duration = "{}ns"
)";

constexpr std::string_view kMin = R"(
name = "bench"
[topology]
kind = "bmin"
k = 4
n = 5
hosts = 512
[packet]
payload = ["256B"]
header = "22B"
[switch]
organisation = "fifo-in-out"
arbitration = "round-robin"
buffer = "1KiB"
[adapter]
organisation = "per-destination"
)";

}  // namespace

BenchCase tree_case(unsigned k, double load, double hops) {
  const double hosts = static_cast<double>(k) * k * k;
  const double packets_per_ns = hosts * load / 1600.0;  // 2 kB at 10 Gb/s take 1600 ns
  const auto duration = static_cast<std::int64_t>(std::max(20'000.0, hops / (packets_per_ns * 5.8)));
  return {fmt::format("{}-ary 3-tree, uniform {}", k, load), fmt::format(fmt::runtime(kTree), k, load, duration)};
}

BenchCase hotspot_case() {
  return {"hot spot, 512 hosts, buffered crossbar", std::string(kMin) + R"(
[[traffic]]
name = "cold"
pattern = "uniform"
except = "hot"
total_rate = "544Gbps"
[[traffic]]
name = "hot"
pattern = "hotspot"
share = "20%"
target = 0
total_rate = "544Gbps"
after_received = 50000
packets = 5000
[run]
until = "class"
class = "hot"
)"};
}

BenchCase ack_case() {
  return {"acknowledged, 512 hosts, buffered crossbar", std::string(kMin) + R"(acks = true
[[traffic]]
pattern = "uniform"
load = 0.3
[run]
duration = "2ms"
)"};
}

BenchCase managed_case(const std::string& scheme) {
  return {fmt::format("acknowledged, 512 hosts, uniform 0.6, {}", scheme), std::string(kMin) + R"(acks = true
[[traffic]]
pattern = "uniform"
load = 0.6
[run]
duration = "500us"
[scheme]
name = ")" + scheme + "\"\n"};
}

// The child measures and sends its numbers through a pipe; a crash or an exhausted memory is seen as a case that did
// not run.
BenchResult run_bench_case(const BenchCase& bench, int repetitions) {
  int ends[2];
  BenchResult result;
  if (pipe(ends) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    release_signals();
    int code = 0;
    try {
      const BenchResult r = measure(bench, repetitions);
      code = write(ends[1], &r, sizeof r) == static_cast<ssize_t>(sizeof r) ? 0 : 1;
    } catch (const std::exception& e) {
      note("{}: {}\n", bench.name, error_text(e));
      code = 1;
    }
    _exit(code);
  }
  close(ends[1]);
  if (read(ends[0], &result, sizeof result) != static_cast<ssize_t>(sizeof result)) result = {};
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return result;
}

double bare_loop_hops_per_second(std::uint32_t records, std::uint64_t hops) {
  static constexpr std::int64_t kPeriod = 1'600'000;  // ps: a packet time
  // Every event reads and writes one record and makes the next event.
  struct alignas(64) Record {
    std::uint64_t words[8] = {};
  };
  struct Machine {
    Clock clock;
    BigVector<Record> table;
    std::uint64_t left;

    std::int64_t stop_at() const { return left > 0 ? kNever.ps : -1; }
    std::uint32_t prepare(const Packet&) const { return 0; }
    void prepare(const TimedEvent& event) const { __builtin_prefetch(&table[event.entity()], 1); }
    void land(Packet&, std::uint32_t) {}
    void handle(const TimedEvent& event) {
      --left;
      Record& record = table[event.entity()];
      ++record.words[0];
      record.words[7] += record.words[0];
      const auto next = static_cast<std::uint32_t>((event.entity() * 7919ull + 13u) % table.size());
      clock.at({event.time + kPeriod}, EventKind::link_free, next);
    }
    bool unsettled() const { return false; }
    void settle() {}
  };
  const std::uint32_t pending = std::max(1u, records / 2);
  Machine machine{Clock({{128 * kPeriod / pending}, {kPeriod}}), BigVector<Record>(records), 2 * hops};
  RandomStream random(1, Purpose::test, 0);
  for (std::uint32_t i = 0; i < pending; ++i)
    machine.clock.at({static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(kPeriod)))},
                     EventKind::link_free, static_cast<std::uint32_t>(random.below(records)));
  const double start = cpu_seconds();
  machine.clock.run(machine);
  return static_cast<double>(hops) / (cpu_seconds() - start);
}

}  // namespace weir
