// The whole way from a scenario's text to a workload: every pattern, every example, and errors at the right line.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "network/topologies/topologies.h"
#include "scenario/parse.h"
#include "temp_dir.h"
#include "traffic/generators.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"
#include "traffic_helpers.h"
#include "traffic_vocabulary.h"

namespace weir {
namespace {

using namespace literals;

Topology fabric(std::uint32_t k, std::uint32_t n) {
  const LinkProperties link{{8'000'000'000}, 1_ns, 0};
  return k_ary_n_tree({k, n, 0}, link, link);
}

Scenario parse(const std::string& text) { return parse_scenario_text(text, "s.toml", traffic_vocabulary()); }

Workload build(const std::string& text, std::uint32_t k = 4, std::uint32_t n = 2) {
  return build_workload(parse(text), fabric(k, n));
}

Workload entry(const std::string& keys) { return build("[[traffic]]\n" + keys); }

void expect_refused(const std::string& text, const std::string& message) {
  expect_error([&] { build(text); }, message);
}

TEST(Vocabulary, TrafficTablesAreSound) {
  EXPECT_EQ(vocabulary_problems(traffic_vocabulary()), std::vector<std::string>{});
}

TEST(Vocabulary, EveryExampleIsAWorkload) {
  for (const KindSpec& kind : traffic_kinds()) {
    SCOPED_TRACE(std::string(kind.name));
    EXPECT_FALSE(kind.summary.empty());
    if (kind.name == "trace") continue;  // needs a file; trace_test.cpp has some
    const Workload w = build(std::string(kind.example));
    EXPECT_GT(w.flows.size() + w.sources.size(), 0u);
    EXPECT_FALSE(describe(w).empty());
  }
}

// Nodes of HPCC's files: the switch is 0, so hosts are 1, 2 and 3.
TEST(Ns3Flows, HaveTheNumbersOfTheirTopology) {
  const LinkProperties link{{8'000'000'000}, 1_ns, 0};
  GraphSpec spec;
  spec.switches.push_back({"S0", 0, {}, {}});
  for (const char* host : {"H1", "H2", "H3"}) {
    spec.hosts.push_back({host, {}, {}});
    spec.cables.push_back({{host}, {"S0"}, link, 1, {}});
  }
  const TempDir dir;
  const auto workload = [&](const std::string& flows) {
    const std::string file = dir.write("flow.txt", flows);
    return build_workload(parse("[[traffic]]\npattern = 'trace'\nfile = '" + file + "'\n"), graph(spec));
  };
  const Workload w = workload("2\n2 1 3 100 2000 0\n3 1 3 100 2000 0\n");
  EXPECT_EQ(w.flows[{0}].source, HostId{1});
  EXPECT_EQ(w.flows[{0}].destination, HostId{0});
  EXPECT_EQ(w.flows[{1}].source, HostId{2});
  expect_error([&] { workload("1\n2 0 3 100 2000 0\n"); }, "flow.txt:2: node 0 is no host of this fabric");
}

TEST(Vocabulary, TheEffectiveConfigurationGivesTheSameWorkload) {
  for (const KindSpec& kind : traffic_kinds()) {
    SCOPED_TRACE(std::string(kind.name));
    if (kind.name == "trace") continue;
    const Scenario scenario = parse(std::string(kind.example));
    const Workload a = build_workload(scenario, fabric(4, 2));
    const Workload b = build(scenario.canonical());
    ASSERT_EQ(a.sources.size(), b.sources.size());
    ASSERT_EQ(a.flows.size(), b.flows.size());
    for (std::size_t i = 0; i < a.sources.size(); ++i) {
      EXPECT_EQ(a.sources[i].packets_per_second, b.sources[i].packets_per_second);
      EXPECT_EQ(a.sources[i].host, b.sources[i].host);
    }
    for (std::uint32_t f = 0; f < a.flows.size(); ++f) EXPECT_EQ(a.flows[{f}].destination, b.flows[{f}].destination);
  }
}

TEST(Classes, AnIncastIsToldFromWhatRunsBesideIt) {
  const Workload w = build("[[traffic]]\npattern = 'incast'\ntarget = 0\nbytes = '1kB'\n"
                           "[[traffic]]\npattern = 'uniform'\nload = 0.1\n");
  ASSERT_EQ(w.classes.size(), 2u);
  EXPECT_EQ(w.classes[0].name, "incast");
  EXPECT_EQ(w.classes[1].name, "cold");
}

TEST(Packet, DefaultsAndMixedSizes) {
  const PacketFormat plain = packet_format(parse(""));
  ASSERT_EQ(plain.payloads.size(), 1u);
  EXPECT_EQ(plain.payloads[0].payload, 2048);
  EXPECT_EQ(plain.ack, 22);
  const PacketFormat mixed =
      packet_format(parse("[packet]\npayload = ['64B', 512]\nshares = [1, 3]\nheader = '22B'\n"));
  ASSERT_EQ(mixed.payloads.size(), 2u);
  EXPECT_EQ(mixed.payloads[1].share, 0.75);
  EXPECT_EQ(mixed.max_payload(), 512);
  EXPECT_EQ(mixed.mean_wire_size(), 22 + 400);
  EXPECT_EQ(packet_format(parse("[packet]\npayload = [64, 512]\n")).payloads[0].share, 0.5);
}

TEST(Packet, RefusesSharesThatDoNotFit) {
  expect_error([] { packet_format(parse("[packet]\npayload = [64]\nshares = [1, 2]\n")); },
               "s.toml:3: shares: 2 numbers for 1 payload sizes");
  expect_error([] { packet_format(parse("[packet]\npayload = [64, 65]\nshares = [0, 0]\n")); }, "s.toml:3: shares");
  expect_error([] { packet_format(parse("[packet]\npayload = []\n")); }, "s.toml:2: payload");
}

// The hot spot of Ferrer 2012: 80 % uniform, 20 % silent until 50,000 packets have arrived, then 1,000 packets in all.
TEST(HotspotScenario, IsThatOfThePaper) {
  const std::string text =
      R"([packet]
payload = [256]
header = "22B"
[[traffic]]
pattern = "uniform"
name = "background"
except = "pulse"
total_rate = "68GB/s"
[[traffic]]
pattern = "hotspot"
name = "pulse"
target = 137
share = "20%"
total_rate = "68GB/s"
packets = 1000
after_received = 50000
spread = "200us"
)";
  const LinkProperties link{{8'000'000'000}, 1_ns, 0};
  const Workload w = build_workload(parse(text), bmin({4, 5, 512}, link, link));
  ASSERT_EQ(w.groups.size(), 2u);
  ASSERT_EQ(w.classes.size(), 2u);
  EXPECT_EQ(w.classes[0].name, "cold");
  EXPECT_EQ(w.classes[1].name, "hot");
  std::set<std::uint32_t> hosts, hot;
  std::uint64_t packets = 0;
  for (const Source& s : w.sources) {
    EXPECT_TRUE(hosts.insert(s.host.index).second);
    EXPECT_DOUBLE_EQ(s.packets_per_second, 68e9 / 512 / 278);
    if (s.group == 0) continue;
    hot.insert(s.host.index);
    packets += s.packets;
  }
  EXPECT_EQ(hosts.size(), 512u);
  EXPECT_EQ(hot.size(), 102u);
  EXPECT_EQ(hot.count(137), 0u);
  EXPECT_EQ(packets, 1000u);
  EXPECT_EQ(w.groups[1].activity.after_received, 50'000u);
  EXPECT_EQ(w.groups[1].activity.spread, 200_us);
  EXPECT_TRUE(std::is_sorted(w.sources.begin(), w.sources.end(),
                             [](const Source& a, const Source& b) { return a.host < b.host; }));
  EXPECT_EQ(describe(w), "512 sources in 2 groups, 401.2 Gb/s of payload offered, 1000 packets in limited bursts");
}

TEST(BurstScenario, AllPacketsAtOneInstantUnlessARateIsGiven) {
  Workload w = entry("pattern = 'burst'\ntarget = 0\npackets = 100\nspread = '1ms'\n");
  EXPECT_EQ(w.sources.size(), 15u);
  EXPECT_TRUE(std::isinf(w.sources[0].packets_per_second));
  EXPECT_EQ(w.sources[0].packets, 100u);
  EXPECT_EQ(w.classes.at(0).name, "hot");
  w = entry(R"(pattern = "burst"
target = 0
packets = 100
spread = "1ms"
load = 0.5
arrivals = "constant"
)");
  EXPECT_DOUBLE_EQ(w.sources[0].packets_per_second, 0.5e9 / 2048);
}

TEST(UniformScenario, DestinationsCanBeChosen) {
  EXPECT_TRUE(entry("pattern = 'uniform'\nload = 0.5\n").groups.at(0).targets.empty());
  EXPECT_EQ(entry("pattern = 'uniform'\nload = 0.5\nto = [3, 1, 2]\navoid = [2]\n").groups.at(0).targets,
            hosts_of({1, 3}));
  EXPECT_EQ(entry("pattern = 'uniform'\nload = 0.5\navoid = [2]\n").groups.at(0).targets.size(), 15u);
}

TEST(UniformScenario, OwnPacketSizes) {
  const Workload w = entry("pattern = 'uniform'\nload = 0.5\npayload = [100, 300]\nshares = [3, 1]\n");
  EXPECT_DOUBLE_EQ(w.sources.at(0).packets_per_second, 0.5e9 / 150);
}

TEST(PermutationScenario, FlowsOrSources) {
  const Workload flows = entry("pattern = 'permutation'\ncount = 3\nbytes = '1MB'\n");
  EXPECT_EQ(flows.flows.size(), 48u);
  EXPECT_EQ(flows.apps, 1u);
  EXPECT_EQ(flows.app_names.at(0), "permutation-1");
  EXPECT_EQ(describe(flows), "48 flows, 48 MB");
  const Workload sources = entry("pattern = 'permutation'\ncount = 2\nload = 0.8\n");
  EXPECT_EQ(sources.sources.size(), 32u);
  EXPECT_EQ(sources.groups.size(), 2u);
  EXPECT_DOUBLE_EQ(sources.sources[0].packets_per_second, 0.4e9 / 2048);
  EXPECT_NE(sources.groups[0].targets, sources.groups[1].targets);
  EXPECT_EQ(describe(entry("pattern = 'shift'\n")), "16 flows, all endless");
}

TEST(PermutationScenario, SeedOffsetGivesOthersAndFurtherEntriesDoNotDisturb) {
  const auto partners = [](const Workload& w) {
    std::vector<HostId> p;
    for (std::uint32_t f = 0; f < 16; ++f) p.push_back(w.flows[{f}].destination);
    return p;
  };
  const std::string first = "[[traffic]]\npattern = 'permutation'\nbytes = 1000\n";
  const auto base = partners(build(first));
  EXPECT_EQ(base, partners(build(first + "[[traffic]]\npattern = 'permutation'\nbytes = 10\n")));
  EXPECT_NE(base, partners(build(first + "seed_offset = 1\n")));
  EXPECT_NE(base, partners(build("seed = 2\n" + first)));
}

TEST(Applications, EveryEntryWithFlowsIsOne) {
  const Workload w = build(
      R"([[traffic]]
pattern = "uniform"
load = 0.1
[[traffic]]
pattern = "phases"
name = "a"
phases = 2
bytes = 100
compute = "3us"
range = [0, 7]
[[traffic]]
pattern = "phases"
name = "b"
phases = 2
bytes = 100
range = [8, 15]
)");
  EXPECT_EQ(w.apps, 2u);
  EXPECT_EQ(w.app_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(w.app_compute, (std::vector<Time>{3_us, 0_us}));
  ASSERT_EQ(w.flows.size(), 32u);
  for (const Flow& flow : w.flows) {
    EXPECT_EQ(flow.app.index, flow.source.index / 8);
    EXPECT_EQ(flow.source.index / 8, flow.destination.index / 8);
  }
}

TEST(FlowsScenario, ListInTheScenario) {
  const Workload w = entry("pattern = 'flows'\nlist = [[0, 5, '10MB'], [1, '2', 'endless', '5us', 2.5]]\n");
  ASSERT_EQ(w.flows.size(), 2u);
  EXPECT_EQ(w.flows[FlowId{0}].bytes, 10'000'000);
  EXPECT_EQ(w.flows[FlowId{1}].weight, 2.5);
  EXPECT_EQ(w.flows[FlowId{1}].start, 5_us);
  EXPECT_EQ(describe(w), "2 flows, 10 MB, 1 endless");
  expect_refused(R"([[traffic]]
pattern = "flows"
list = [
  [0, 5, "10MB"],
  [0, 99, "1MB"],
]
)",
                 R"(s.toml:5: dst "99" is no host)");
}

TEST(FlowsScenario, FileIsReadAndItsLinesAreNamed) {
  const TempDir dir;
  const std::string path = dir.write("flows.csv", "src,dst,bytes,app\n0,1,100,0\n2,3,100,1\n");
  const Workload w = entry("pattern = 'flows'\nname = 'f'\nfile = '" + path + "'\n");
  EXPECT_EQ(w.apps, 2u);
  EXPECT_EQ(w.app_names, (std::vector<std::string>{"f.0", "f.1"}));
  dir.write("flows.csv", "src,dst,bytes\n0,1,100\n2,2,100\n");
  expect_refused("[[traffic]]\npattern = 'flows'\nfile = '" + path + "'\n",
                 "flows.csv:3: dst is the same");
}

TEST(HostsByName, InEveryPlaceWhereANumberIsTaken) {
  const auto same = [](const std::string& names, const std::string& numbers) {
    const Workload a = entry(names), b = entry(numbers);
    ASSERT_EQ(a.flows.size(), b.flows.size()) << names;
    ASSERT_EQ(a.sources.size(), b.sources.size()) << names;
    for (std::uint32_t f = 0; f < a.flows.size(); ++f) {
      EXPECT_EQ(a.flows[FlowId{f}].source, b.flows[FlowId{f}].source) << names;
      EXPECT_EQ(a.flows[FlowId{f}].destination, b.flows[FlowId{f}].destination) << names;
    }
    for (std::size_t s = 0; s < a.sources.size(); ++s) EXPECT_EQ(a.sources[s].host, b.sources[s].host) << names;
  };
  const std::string incast = "pattern = 'incast'\nbytes = '1kB'\n", uniform = "pattern = 'uniform'\nload = 0.5\n";
  same(incast + "target = 'H5'\nhosts = 'H1?'\n", incast + "target = 5\nhosts = [10, 11, 12, 13, 14, 15]\n");
  same(incast + "target = 'H0'\nhosts = '*'\n", incast + "target = 0\n");
  same(incast + "target = 'H0'\nrange = ['H2', 'H9']\n", incast + "target = 0\nrange = [2, 9]\n");
  same(uniform + "hosts = ['H3', 5]\nto = 'H1*'\navoid = ['H12']\n",
       uniform + "hosts = [3, 5]\nto = [1, 10, 11, 12, 13, 14, 15]\navoid = [12]\n");
  same("pattern = 'hotspot'\nload = 1\ntarget = 'H7'\n", "pattern = 'hotspot'\nload = 1\ntarget = 7\n");
  const std::string arrivals = "pattern = 'flow-arrivals'\nsizes = 'fixed'\nbytes = '1kB'\nload = 0.5\nflows = 20\n";
  same(arrivals + "to = ['H1?']\n", arrivals + "to = [10, 11, 12, 13, 14, 15]\n");
  const TempDir dir;
  const std::string trace = fmt::format("pattern = 'trace'\nfile = '{}'\nmapping = 'list'\n",
                                        dir.write("t.csv", "source,destination,bytes\n0,1,100\n"));
  same(trace + "ranks = 2\nmap = ['H9', 'H4']\n", trace + "ranks = 2\nmap = [9, 4]\n");
}

TEST(Refused, WithTheLineOfTheKey) {
  const std::string uniform = "[[traffic]]\npattern = 'uniform'\n";
  expect_refused("", "there is no traffic");
  expect_refused(uniform, "s.toml:1: uniform: one of load, rate and total_rate must be given");
  expect_refused(uniform + "load = 0.5\nrate = '1Gbps'\n", "s.toml:4: only one of load, rate and total_rate");
  expect_refused(uniform + "load = 0.5\nper = 'these-hosts'\n", "s.toml:4: `per` has no effect");
  expect_refused(uniform + "load = 0.5\naligned = true\n", "s.toml:4: `aligned` has no effect");
  expect_refused(uniform + "load = 0.5\nshares = [1]\n", "s.toml:4: `shares` has no effect");
  expect_refused(uniform + "load = 1.2\narrivals = 'bernoulli'\n", "s.toml:3: load: host 0 would need 1.2");
  expect_refused(uniform + "load = 0.5\nhosts = [1, 16]\n", "s.toml:4: hosts: there is no host 16");
  expect_refused(uniform + "load = 0.5\nhosts = [1]\nshare = 0.5\n", "s.toml:5: `share` has no effect");
  expect_refused(uniform + "load = 0.5\nshare = 0\n", "s.toml:4: share: must be above 0");
  expect_refused(uniform + "load = 0.5\nstart = '2us'\nstop = '1us'\n", "s.toml:5: stop: must come after start");
  expect_refused(uniform + "load = 0.5\nto = [3]\n", "s.toml:4: host 3 has no destination");
  expect_refused(
      uniform +
          R"(load = 0.5
except = "hto"
[[traffic]]
pattern = "hotspot"
name = "hot"
target = 0
load = 1
)",
      R"(s.toml:4: except: no traffic entry is called "hto"; did you mean `hot`?)");
  expect_refused(uniform + "name = 'x'\nload = 0.5\nexcept = 'x'\n", "s.toml:5: except");
  expect_refused(uniform + "name = 'uniform-2'\nload = 1\n" + uniform + "load = 1\n", "s.toml:5: name: two traffic");
}

TEST(Refused, InOtherPatterns) {
  const auto refused = [](const std::string& keys, const std::string& message) {
    expect_refused("[[traffic]]\npattern = " + keys, message);
  };
  refused("'hotspot'\ntarget = 16\nload = 1\n", "s.toml:3: target: there is no host 16; this network has 16 hosts");
  refused("'hotspot'\ntarget = 1\nload = 1\npackets = 5\npackets_each = 6\n", "s.toml:6: packets_each");
  refused("'hotspot'\ntarget = 1\nload = 1\nhosts = [0, 1]\n", "s.toml:5: hosts: host 1 is the target");
  refused("'burst'\ntarget = 1\npackets = 5\nspread = '1us'\narrivals = 'constant'\n",
          "s.toml:6: `arrivals` has no");
  refused("'incast'\ntarget = 1\nfan_in = 16\n", "s.toml:4: fan_in: 16 senders wanted, but only 15");
  refused("'incast'\ntarget = 1\nfan_in = 3\nhosts = [2, 3]\n", "s.toml:4: `fan_in` has no effect");
  refused("'shift'\noffset = 32\n", "s.toml:3: offset: 32 sends every one");
  refused("'shift'\nload = 0.5\nbytes = 100\n", "s.toml:4: `bytes` has no effect");
  refused("'shift'\narrivals = 'constant'\n", "s.toml:3: `arrivals` has no effect");
  refused("'shift'\nafter_received = 5\n", "s.toml:3: `after_received` has no effect");
  refused("'permutation'\nhosts = [4]\n", "s.toml:1: a permutation without fixed points needs at least two hosts");
  refused("'permutation'\nhosts = [4]\nallow_self = true\n", "make no flow and no source");
  refused("\"all-to-all\"\n", "s.toml:1: all-to-all: bytes must be given");
  refused("'phases'\nphases = 2\n", "s.toml:1: phases: bytes must be given");
  refused("'phases'\nphases = 2\nbytes = 1\nexchange = ['shfit']\n",
          R"(s.toml:5: exchange: unknown "shfit"; did you mean `shift`?)");
  refused("'phases'\nphases = 2\nbytes = 1\noffset = 2\n", "s.toml:5: `offset` has no effect");
  refused("'random'\nmin_flows = 4\nmax_flows = 2\n", "max_flows: 2 is less than min_flows, 4");
  refused("\"flows\"\n", "s.toml:1: flows: give either `file` or `list`");
  refused("'flows'\nfile = '/nonexistent.csv'\n", "/nonexistent.csv");
}

}  // namespace
}  // namespace weir
