// Every topology with every routing and every choice of ways, on the lanes that they ask for. What the static check
// calls free drains under load; what it names a cycle of stands still in a run with flows along that cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "network/deadlock/deadlock.h"
#include "run/lab.h"
#include "scale.h"
#include "source_dir.h"
#include "temp_dir.h"

namespace weir {
namespace {

struct Fabric {
  std::string topology;
  bool has_detours = false;  // valiant and ugal, with the routing that is usual here

  bool is(std::string_view kind) const { return topology.find(fmt::format("kind = '{}'", kind)) != topology.npos; }
  // Files of other simulators tell rates and delays themselves.
  std::string link() const { return is("htsim") || is("ns3") ? "" : "[link]\nrate = '8Gbps'\ndelay = '10ns'\n"; }
};

const std::string kData = source_dir() + "/tests/network/data/";

// A ring of four and a chord, as ns-3 has it.
constexpr const char* kNs3 =
    "8 4 9\n4 5 6 7\n0 4 8Gbps 10ns 0\n1 5 8Gbps 10ns 0\n2 6 8Gbps 10ns 0\n3 7 8Gbps 10ns 0\n4 5 8Gbps 10ns 0\n"
    "5 6 8Gbps 10ns 0\n6 7 8Gbps 10ns 0\n7 4 8Gbps 10ns 0\n4 6 8Gbps 10ns 0\n";

std::vector<Fabric> fabrics(const TempDir& files) {
  return {
      {"kind = 'k-ary-n-tree'\nk = 2\nn = 3\n"},
      {"kind = 'modified-k-ary-n-tree'\nk = 3\nn = 2\n"},
      {"kind = 'umin'\nk = 2\nn = 3\n"},
      {"kind = 'bmin'\nk = 2\nn = 3\n"},
      {"kind = 'leaf-spine'\nhosts = 3\nleaves = 4\nspines = 2\nbundle = 2\n"},
      {"kind = 'clos'\nhosts = 2\nleaves = 2\npods = 3\nplanes = 2\nspines = 2\n"},
      {"kind = 'rail-optimised'\naccelerators = 3\nservers = 2\nunits = 2\nspines = 2\n"},
      {"kind = 'rail-optimised'\naccelerators = 3\nservers = 2\nunits = 2\nspines = 2\nserver_switch = true\n"},
      {"kind = 'dragonfly'\nrouters = 3\nhosts = 1\nglobal_ports = 2\n", true},
      {"kind = 'dragonfly'\nrouters = 4\nhosts = 1\nglobal_ports = 2\ngroups = 4\narrangement = 'absolute'\n", true},
      {"kind = 'dragonfly+'\nleaves = 2\nspines = 2\nhosts = 2\nglobal_ports = 2\n", true},
      {"kind = 'torus'\nsizes = [5, 4]\n", true},
      {"kind = 'mesh'\nsizes = [4, 5]\n", true},
      {"kind = 'hyperx'\nsizes = [4, 3]\nhosts = 2\n", true},
      {"kind = 'two-switch'\nleft = 3\nright = 3\nlinks = 2\n"},
      {"kind = 'star'\nhosts = 6\n"},
      {"kind = 'graph'\nhosts = ['A', 'B', 'C', 'D', 'E']\nswitches = ['R', 'S', 'T', 'U', 'V']\n"
       "links = [['A', 'R'], ['B', 'S'], ['C', 'T'], ['D', 'U'], ['E', 'V'], ['R:2', 'S:3'], ['S:2', 'T:3'], "
       "['T:2', 'U:3'], ['U:2', 'V:3'], ['V:2', 'R:3']]\n"},
      {"kind = 'file'\npath = '" + kData + "small.ibnetdiscover'\n"},
      {"kind = 'file'\npath = '" + kData + "ring.cables'\n"},
      {"kind = 'htsim'\npath = '" + kData + "htsim/leaf_spine_tiny.topo'\n"},
      {"kind = 'ns3'\npath = '" + files.write("topology.txt", kNs3) + "'\n"},
      {"kind = 'leaf-spine'\nhosts = 3\nleaves = 4\nspines = 3\n[failures]\nfailed_count = 2\n"},
      {"kind = 'clos'\nhosts = 2\nleaves = 2\npods = 3\nplanes = 2\nspines = 2\n[failures]\nfailed_count = 1\n"},
      {"kind = 'dragonfly'\nrouters = 3\nhosts = 1\nglobal_ports = 2\n[failures]\nfailed_count = 2\n"},
      {"kind = 'torus'\nsizes = [5, 4]\n[failures]\nfailed_count = 2\n"},
      {"kind = 'hyperx'\nsizes = [4, 3]\nhosts = 2\n[failures]\nfailed_count = 2\n"},
  };
}
constexpr const char* kRoutings[] = {
    "kind = 'auto'\n",
    "kind = 'digits'\n",
    "kind = 'dor'\n",
    "kind = 'dor'\nlanes = 'none'\n",
    "kind = 'minimal'\n",
    "kind = 'shortest-paths'\ndetours = 'none'\n",
    "kind = 'shortest-paths'\ndetours = 'all'\n",
    "kind = 'min-hop'\n",
    "kind = 'min-hop'\nspread = true\n",
    "kind = 'up-down'\nalternatives = true\n",
};
constexpr const char* kChoices[] = {"fixed", "live-queue",  "snooping", "flow-setup", "ecmp",
                                    "spray", "round-robin", "flowlet",  "valiant",    "ugal"};
constexpr const char* kSwitches[] = {
    "organisation = 'voq-input'\n",
    "organisation = 'voq-input'\narbitration = 'round-robin'\n",
    "organisation = 'output-queued'\n",
    "organisation = 'fifo-in-out'\n",
};

struct Case {
  Fabric fabric;
  std::string routing, choice;
  std::uint64_t seed;  // draws the cables that are missing, and the load
  int lanes = 1;

  bool makes_detours() const { return choice == "valiant" || choice == "ugal"; }
  // Whether the routing that is usual here has this choice.
  bool is_usual() const {
    return makes_detours() ? fabric.has_detours : !(choice == "snooping" && fabric.is("umin"));  // one-way links
  }
  bool keeps_order() const { return choice == "fixed" || choice == "ecmp"; }
  std::string text(const std::string& switches, const std::string& traffic) const {
    return fmt::format(
        "seed = {}\n[topology]\n{}{}[packet]\npayload = [256]\nheader = '22B'\n"
        "[switch]\nlanes = {}\n{}[routing]\n{}choice = '{}'\n{}[run]\nuntil = 'flows'\nmax_time = '50ms'\n",
        seed, fabric.topology, fabric.link(), lanes, switches, routing, choice, traffic);
  }
};

// More traffic than the fabric can carry, for buffers of two to four packets.
std::string random_load(RandomStream& random) {
  std::string traffic = fmt::format("[[traffic]]\npattern = 'permutation'\ncount = {}\nbytes = '{}B'\n",
                                    2 + random.below(4), 2000 + random.below(6000));
  traffic += fmt::format("[[traffic]]\npattern = 'shift'\noffset = {}\nbytes = '{}B'\n", 1 + random.below(3),
                         1000 + random.below(9000));
  return traffic;
}
std::string random_switches(RandomStream& random) {
  return fmt::format("{}buffer = '{}B'\n", kSwitches[random.below(std::size(kSwitches))], 556 + random.below(557));
}

// Why a routing or a choice is none for a fabric.
constexpr const char* kNotHere[] = {"routing `", "needs detours", "snooping needs links in both directions"};

// The set-up with as many lanes as it asks for; nothing if the routing or the choice is none for this fabric.
std::optional<RunSetup> set_up_case(Case& c) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::string refused;
    try {
      return set_up(testing::scenario_of(c.text("", "[[traffic]]\npattern = 'shift'\noffset = 1\nbytes = '1kB'\n")));
    } catch (const InputError& error) {
      refused = error.what();
    }
    constexpr std::string_view kAsks = "set lanes = ";
    const std::size_t at = refused.find(kAsks);
    if (at == refused.npos) {
      const bool fits = std::any_of(std::begin(kNotHere), std::end(kNotHere),
                                    [&](const char* reason) { return refused.find(reason) != refused.npos; });
      EXPECT_TRUE(fits) << refused;
      return std::nullopt;
    }
    c.lanes = std::stoi(refused.substr(at + kAsks.size()));
  }
  ADD_FAILURE() << "its own number of lanes is not enough\n" << c.text("", "");
  return std::nullopt;
}

// Flows along the default ways that make the dependencies of this cycle.
std::string flows_along(const Network& network, const std::vector<RouteChannel>& cycle) {
  std::set<std::pair<PortId, PortId>> steps;
  for (std::size_t i = 0; i < cycle.size(); ++i) steps.emplace(cycle[i].port, cycle[(i + 1) % cycle.size()].port);
  std::string rows;
  for (std::uint32_t a = 0; a < network.topology.hosts(); ++a)
    for (std::uint32_t b = 0; b < network.topology.hosts(); ++b) {
      if (a == b) continue;
      const auto path = default_path(network.topology, network.routes, {a}, {b});
      for (std::size_t i = 1; i < path.size(); ++i) {
        if (!steps.contains({path[i - 1], path[i]})) continue;
        rows += fmt::format("{}[{}, {}, 20000]", rows.empty() ? "" : ", ", a, b);
        break;
      }
    }
  return testing::flows(rows);
}

// The cycle is named, and with one packet in each buffer its flows wait for each other.
void expect_shown(const Case& c, const RunSetup& setup) {
  const DeadlockVerdict verdict =
      check_deadlock(setup.network->topology, setup.network->routes, Dependencies::default_ports);
  ASSERT_FALSE(verdict.free);
  EXPECT_TRUE(std::any_of(setup.warnings.begin(), setup.warnings.end(), [&](const std::string& warning) {
    return warning.find(verdict.text(setup.network->topology)) != warning.npos;
  }));
  const Outcome outcome = testing::run_text(
      c.text("organisation = 'voq-input'\nbuffer = '300B'\n", flows_along(*setup.network, verdict.cycle)));
  EXPECT_EQ(outcome.measurements.ending, Ending::deadlock) << outcome.measurements.ending_text;
}

void expect_drained(const Case& c) {
  RandomStream random(c.seed, Purpose::test, 0);
  const std::string switches = random_switches(random);
  const std::string text = c.text(switches, random_load(random));
  SCOPED_TRACE(text);
  const Outcome outcome = testing::run_text(text);
  EXPECT_EQ(outcome.measurements.ending, Ending::finished) << outcome.measurements.ending_text;
  for (const ClassResult& k : outcome.measurements.classes) {
    EXPECT_EQ(k.received, k.generated);
    if (c.keeps_order()) {
      EXPECT_EQ(k.out_of_order, 0u);
    }
  }
}

TEST(NoDeadlock, EveryTopologyRoutingAndChoiceIsFreeOrItsCycleIsShown) {
  const TempDir files;
  const std::size_t share = scaled_count(40, 10, 1);  // one in so many runs
  std::size_t cases = 0, number = 0, free = 0, cyclic = 0, runs = 0, shown = 0;
  for (const Fabric& fabric : fabrics(files))
    for (const char* routing : kRoutings)
      for (const char* choice : kChoices) {
        Case c{fabric, routing, choice, ++cases};
        SCOPED_TRACE(c.text("", ""));
        const std::optional<RunSetup> setup = set_up_case(c);
        if (routing == kRoutings[0]) {
          EXPECT_EQ(setup.has_value(), c.is_usual());
        }
        if (!setup) continue;
        const bool fixed = c.choice == "fixed";
        const DeadlockVerdict verdict =
            check_deadlock(setup->network->topology, setup->network->routes,
                           fixed ? Dependencies::default_ports : Dependencies::all_candidates);
        if (c.choice != "flow-setup") {
          EXPECT_EQ(setup->routes_proven, verdict.free);
        }
        ++(verdict.free ? free : cyclic);
        if (routing == kRoutings[0]) {
          EXPECT_TRUE(verdict.free);
        }
        if (verdict.free && number++ % share == 0) {
          expect_drained(c);
          ++runs;
        } else if (!verdict.free && fixed) {
          expect_shown(c, *setup);
          ++shown;
        }
      }
  RecordProperty("free", std::to_string(free));
  RecordProperty("with_a_cycle", std::to_string(cyclic));
  RecordProperty("loaded_runs", std::to_string(runs));
  fmt::print("{} combinations free of deadlock, {} with a cycle; {} loaded runs drained, {} cycles shown\n", free,
             cyclic, runs, shown);
  EXPECT_GE(runs, scaled_count(10, 50, 200));
  EXPECT_GT(shown, 3u);
}

}  // namespace
}  // namespace weir
