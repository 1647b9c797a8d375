#include "app/bench/cases.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "app/process.h"
#include "app/runner.h"
#include "base/big_vector.h"
#include "base/memory.h"
#include "packet/clock/clock.h"

namespace weir {
namespace {

constexpr const char* kFewMeasurements = "[measure]\nframes = 0\nmax_bins = 2\n";

BenchResult measure(const BenchCase& bench, int repetitions, unsigned threads, bool by_wall) {
  BenchResult r;
  const double before = cpu_seconds();
  const Scenario scenario = parse_scenario_text(bench.toml, bench.name, vocabulary());
  RunSetup setup = set_up(scenario);
  const auto clock = [&] { return by_wall ? wall_seconds() : cpu_seconds(); };
  r.setup_seconds = cpu_seconds() - before;
  r.hosts = setup.network->topology.hosts();
  r.links = setup.network->topology.ports();
  Measurements m;
  const auto best_of = [&](const Scenario& what) {
    setup = set_up(what, std::move(setup.network), std::move(setup.workload));
    setup.threads = threads;
    double best = 0;
    for (int i = 0; i < repetitions; ++i) {
      const double start = clock();
      m = run_simulation(setup);
      const double seconds = clock() - start;
      best = i == 0 ? seconds : std::min(best, seconds);
    }
    return best;
  };
  r.unmeasured_seconds = best_of(parse_scenario_text(bench.toml + kFewMeasurements, bench.name, vocabulary()));
  r.seconds = best_of(scenario);
  r.threads = m.totals.threads;
  r.hops = m.totals.hops;
  r.events = m.totals.events;
  r.state_bytes = m.totals.state_bytes;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  r.peak_memory = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  r.ran = true;
  return r;
}

// A k-ary 3-tree with virtual output queues.
struct Tree {
  unsigned k = 8;
  double load = 0.6;
  bool fast = false;            // 4 kB at 400 Gb/s instead of 2 kB at 10 Gb/s
  double hot = 0;               // that every fifth host adds for host 0, as a share of its link
  int milliseconds = 0;         // instead of as long as the hops take
  std::string switches = "buffer_packets = 8\n";
};

std::string tree(const Tree& t, double hops) {
  const double hosts = static_cast<double>(t.k) * t.k * t.k;
  const double packet_ns = t.fast ? 80 : 1600;
  const double needed = hops * packet_ns / (hosts * t.load * 5.8);
  const double duration = t.milliseconds > 0 ? t.milliseconds * 1e6 : std::max(12.5 * packet_ns, needed);
  std::string text = fmt::format(
      "[topology]\nkind = \"k-ary-n-tree\"\nk = {}\nn = 3\n[link]\n{}[packet]\npayload = [\"{}\"]\n[switch]\n"
      "switch_delay = \"0ns\"\nroute_delay = \"{}\"\n{}[[traffic]]\npattern = \"uniform\"\nload = {}\n",
      t.k, t.fast ? "rate = \"400Gbps\"\ndelay = \"25ns\"\n" : "rate = \"10Gbps\"\ndelay = \"15ns\"\n",
      t.fast ? "4kB" : "2kB", t.fast ? "250ns" : "100ns", t.switches, t.load);
  if (t.hot > 0)
    text += fmt::format("[[traffic]]\npattern = \"hotspot\"\nclass = \"hot\"\nshare = \"20%\"\ntarget = 0\nload = {}\n",
                        t.hot);
  return text + fmt::format("[run]\nduration = \"{}ns\"\n", static_cast<std::int64_t>(duration));
}

// The fabric of Ferrer 2012: a multistage network of buffered crossbars.
constexpr std::string_view kCrossbars = R"([topology]
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
)";

std::string crossbars(const std::string& adapter, const std::string& traffic) {
  return std::string(kCrossbars) + "[adapter]\norganisation = \"per-destination\"\n" + adapter + traffic;
}

constexpr const char* kPulse = R"([[traffic]]
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
)";

// The same pulse at a tenth of its length, under a scheme.
std::string managed_pulse(const std::string& scheme) {
  return crossbars("acks = true\n",
                   std::string(kPulse) + "packets = 500\n[run]\nduration = \"600us\"\n[scheme]\n" + scheme);
}

// Flows with routes of their own, on a lane that control packets interrupt.
std::string flow_setup(const std::string& scheme) {
  return R"([topology]
kind = "modified-k-ary-n-tree"
k = 8
n = 3
[link]
rate = "10Gbps"
delay = "15ns"
[packet]
payload = ["2kB"]
[switch]
buffer_packets = 8
lanes = 2
priority = "preemptive"
[routing]
choice = "flow-setup"
[[traffic]]
pattern = "permutation"
bytes = "200kB"
count = 8
[run]
until = "flows"
[scheme]
)" + scheme;
}

// 4096 hosts with PAUSE and acknowledgements: a permutation, and 819 flows more into host 0.
std::string incast() {
  std::string rows;
  for (int i = 0; i < 819; ++i) rows += fmt::format("{}[{}, 0, \"500kB\"]", i == 0 ? "" : ", ", 5 * i + 1);
  return R"([topology]
kind = "k-ary-n-tree"
k = 16
n = 3
[link]
rate = "100Gbps"
delay = "1us"
[packet]
payload = ["4kB"]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "200kB"
[adapter]
acks = true
[[traffic]]
pattern = "permutation"
bytes = "500kB"
[[traffic]]
pattern = "flows"
class = "hot"
list = [)" + rows + "]\n[run]\nuntil = \"flows\"\n";
}

// A lossless Ethernet with acknowledgements: four flows of every host, and 64 flows more into one.
std::string roce(const std::string& scheme) {
  return R"([topology]
kind = "k-ary-n-tree"
k = 8
n = 3
[link]
rate = "100Gbps"
delay = "500ns"
[packet]
payload = ["1000B"]
[switch]
organisation = "output-queued"
flow_control = "pause"
buffer = "500kB"
[adapter]
organisation = "per-flow"
acks = true
[[traffic]]
pattern = "permutation"
count = 4
[[traffic]]
pattern = "incast"
class = "hot"
target = 0
fan_in = 64
[run]
duration = "200us"
[scheme]
name = ")" + scheme + "\"\n";
}

}  // namespace

std::vector<BenchCase> bench_cases(double hops) {
  std::vector<BenchCase> cases;
  const auto add = [&](std::string name, std::string text) { cases.push_back({std::move(name), std::move(text)}); };
  for (const unsigned k : {4u, 8u, 16u, 32u})
    add(fmt::format("{}-ary 3-tree, uniform 0.6", k), tree({.k = k}, hops));
  for (const unsigned k : {16u, 32u}) {
    add(fmt::format("{}-ary 3-tree, uniform 0.9", k), tree({.k = k, .load = 0.9}, hops));
    add(fmt::format("{}-ary 3-tree, uniform 0.6, 400 Gb/s", k), tree({.k = k, .fast = true}, hops));
    add(fmt::format("{}-ary 3-tree, uniform 0.9, 400 Gb/s", k), tree({.k = k, .load = 0.9, .fast = true}, hops));
  }
  for (const unsigned k : {8u, 16u, 32u})
    add(fmt::format("{}-ary 3-tree, hot spot", k), tree({.k = k, .hot = 0.1}, hops));
  add("16-ary 3-tree, hot spot, 400 Gb/s", tree({.k = 16, .fast = true, .hot = 0.1}, hops));
  add("32-ary 3-tree, hot spot, 400 Gb/s", tree({.k = 32, .fast = true, .hot = 0.1}, hops));
  // Ten times what the target takes. Packets pile up at all hosts: ten times as many in ten times the time.
  for (const int milliseconds : {1, 10})
    add(fmt::format("4096 overloaded, {} ms", milliseconds),
        tree({.k = 16, .hot = 0.0122, .milliseconds = milliseconds}, hops));
  add("8-ary 3-tree, hot spot, PAUSE",
      tree({.k = 8, .hot = 0.1, .switches = "flow_control = \"pause\"\nbuffer = \"40kB\"\n"}, hops));
  add("8-ary 3-tree, hot spot, PFC", tree({.k = 8, .hot = 0.1, .switches = "flow_control = \"pfc\"\n"}, hops));
  add("4096 hosts, incast, PAUSE, acknowledged", incast());
  add("512 hosts, hot spot, buffered crossbar",
      crossbars("", std::string(kPulse) + "packets = 5000\n[run]\nuntil = \"class\"\nclass = \"hot\"\n"));
  add("512 hosts, acknowledged 0.3, buffered crossbar",
      crossbars("acks = true\n", "[[traffic]]\npattern = \"uniform\"\nload = 0.3\n[run]\nduration = \"2ms\"\n"));
  for (const char* scheme : {"none", "mvcm"})
    add(fmt::format("512 hosts, acknowledged 0.6, buffered crossbar, {}", scheme),
        crossbars("acks = true\n", fmt::format("[[traffic]]\npattern = \"uniform\"\nload = 0.6\n[run]\nduration = "
                                              "\"500us\"\n[scheme]\nname = \"{}\"\n",
                                              scheme)));
  for (const char* scheme : {"window", "renato", "iocm", "cca", "qcn", "saa"})
    add(fmt::format("512 hosts, hot spot, buffered crossbar, {}", scheme),
        managed_pulse(fmt::format("name = \"{}\"\n", scheme)));
  for (const char* scheme : {"none", "dcqcn", "hpcc", "timely"})
    add(fmt::format("512 hosts, RoCE, acknowledged, {}", scheme), roce(scheme));
  add("512 hosts, flow set-up, preemption, saa", flow_setup("name = \"saa\"\n"));
  add("512 hosts, flow set-up, preemption, saa distributed", flow_setup("name = \"saa\"\nmethod = \"distributed\"\n"));
  return cases;
}

// The child measures and sends its numbers through a pipe; a crash or an exhausted memory is seen as a case that did
// not run.
BenchResult run_bench_case(const BenchCase& bench, int repetitions, unsigned threads, bool by_wall) {
  int ends[2];
  BenchResult result;
  if (pipe(ends) != 0) return result;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    release_signals();
    int code = 0;
    try {
      const BenchResult r = measure(bench, repetitions, threads, by_wall);
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
    static constexpr bool fetches() { return true; }
    void prepare(const Packet&, bool) const {}
    void prepare(const TimedEvent& event, bool) const { __builtin_prefetch(&table[event.entity()], 1); }
    void land(Packet&) {}
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
