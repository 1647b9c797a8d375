// Flows and incasts that arrive over time: the load that was asked for, who is drawn, and that further hosts or entries
// leave the draws of others alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "network/topologies/topologies.h"
#include "scenario/parse.h"
#include "temp_dir.h"
#include "traffic/arrivals/arriving_flows.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"
#include "traffic_helpers.h"
#include "traffic_vocabulary.h"

namespace weir {
namespace {

using namespace literals;

constexpr double kLink = 1e9;  // bytes per second

Vocabulary vocabulary() {
  Vocabulary v = traffic_vocabulary();
  v.sections.push_back(
      {.name = "run", .summary = "end", .common = {{"duration", ParamType::time, kUnset, "end", 0, 1e6}}});
  return v;
}

Workload build(const std::string& text, std::uint32_t hosts = 16, const std::string& file = "s.toml") {
  const LinkProperties link{{8'000'000'000}, 1_ns, 0};
  return build_workload(parse_scenario_text(text, file, vocabulary()), star(hosts, link));
}

Workload arrivals(const std::string& keys, std::uint32_t hosts = 16) {
  return build("[[traffic]]\npattern = 'flow-arrivals'\n" + keys, hosts);
}
Workload incasts(const std::string& keys, std::uint32_t hosts = 16) {
  return build("[[traffic]]\npattern = 'incast-arrivals'\n" + keys, hosts);
}

void expect_refused(const std::string& text, const std::string& message) {
  expect_error([&] { build(text); }, message);
}

double bytes_of(const Workload& w) {
  double sum = 0;
  for (const Flow& flow : w.flows) sum += static_cast<double>(flow.bytes);
  return sum;
}

bool same(const Flow& a, const Flow& b) {
  return a.source == b.source && a.destination == b.destination && a.bytes == b.bytes && a.start == b.start;
}

TEST(FlowArrivals, ReachTheLoad) {
  for (const std::string sizes : {"websearch", "fbhadoop", "alistorage"}) {
    const Workload w = arrivals("sizes = '" + sizes + "'\nload = 0.6\nstop = '400ms'\n", 64);
    const double wanted = 0.6 * 64 * kLink * 0.4;
    // A sum of N sizes has the relative deviation sqrt(1 + c^2) / sqrt(N); c, of one size, is below 6.
    EXPECT_NEAR(bytes_of(w) / wanted, 1, 4 * 6 / std::sqrt(static_cast<double>(w.flows.size()))) << sizes;
    EXPECT_GT(w.flows.size(), 1000u);
  }
}

TEST(FlowArrivals, FixedSizesAreCountedExactly) {
  // 1000 bytes are one packet of 1000 + 250 bytes: 100,000 flows per second and host are a load of 1/8.
  const std::string head = "[packet]\npayload = [1000]\nheader = '250B'\n[[traffic]]\npattern = 'flow-arrivals'\n";
  const std::string fixed = "sizes = 'fixed'\nbytes = '1kB'\narrivals = 'constant'\nstop = '10ms'\n";
  const Workload w = build(head + fixed + "load = 0.125\n");
  EXPECT_EQ(w.flows.size(), 16u * 1000);
  EXPECT_EQ(build(head + fixed + "load = 0.1\ncounts = 'payload'\n").flows.size(), 16u * 1000);
  EXPECT_EQ(build(head + fixed + "rate = '1Gbps'\n").flows.size(), 16u * 1000);
  EXPECT_EQ(build(head + fixed + "total_rate = '16Gbps'\nhosts = [3, 4]\n").flows.size(), 2u * 1000);
  EXPECT_EQ(build(head + fixed + "total_rate = '16Gbps'\nhosts = [3, 4]\nper = 'these-hosts'\n").flows.size(),
            2u * 8000);
}

TEST(FlowArrivals, PoissonGapsAreExponential) {
  const Workload w = arrivals("sizes = 'fixed'\nbytes = 1000\nload = 0.1\nstop = '100ms'\nhosts = [2]\n");
  const double count = static_cast<double>(w.flows.size());
  EXPECT_NEAR(count, 10'000, 4 * 100);
  double longer = 0, last = 0;
  for (const Flow& flow : w.flows) {
    longer += flow.start.seconds() - last > 20e-6;  // twice the mean: e^-2 of all gaps
    last = flow.start.seconds();
  }
  EXPECT_NEAR(longer / count, std::exp(-2), 4 * std::sqrt(0.117 / count));
}

TEST(FlowArrivals, ComeInOrderAndNeverToThemselves) {
  const Workload w = arrivals("sizes = 'fbhadoop'\nload = 0.5\nflows = 5000\nstart = '1us'\n");
  ASSERT_EQ(w.flows.size(), 5000u);
  std::map<std::uint32_t, int> to;
  for (std::uint32_t f = 0; f < 5000; ++f) {
    const Flow& flow = w.flows[{f}];
    EXPECT_NE(flow.source, flow.destination);
    EXPECT_GE(flow.start, f == 0 ? 1_us : w.flows[{f - 1}].start);
    ++to[flow.destination.index];
  }
  ASSERT_EQ(to.size(), 16u);
  for (const auto& [host, count] : to) EXPECT_NEAR(count, 5000 / 16.0, 4.5 * std::sqrt(5000 / 16.0)) << host;
  EXPECT_EQ(w.app_names, std::vector<std::string>{"flow-arrivals-1"});
}

TEST(FlowArrivals, DestinationsWithinAndBetweenGroups) {
  const std::string keys = "sizes = 'fbhadoop'\nload = 0.5\nflows = 2000\n";
  std::set<std::uint32_t> seen;
  for (const Flow& f : arrivals(keys + "destinations = 'own-group'\ngroup = 4\n").flows) {
    EXPECT_EQ(f.source.index / 4, f.destination.index / 4);
    EXPECT_NE(f.source, f.destination);
    seen.insert(f.destination.index);
  }
  EXPECT_EQ(seen.size(), 16u);
  seen.clear();
  for (const Flow& f : arrivals(keys + "destinations = 'other-groups'\ngroup = 4\n").flows) {
    EXPECT_NE(f.source.index / 4, f.destination.index / 4);
    seen.insert(f.source.index * 16 + f.destination.index);
  }
  EXPECT_EQ(seen.size(), 16u * 12);
  seen.clear();
  for (const Flow& f : arrivals(keys + "to = [1, 2, 3]\navoid = [2]\nhosts = [1, 5, 9]\n").flows)
    seen.insert(f.source.index * 16 + f.destination.index);
  EXPECT_EQ(seen, (std::set<std::uint32_t>{16 + 3, 5 * 16 + 1, 5 * 16 + 3, 9 * 16 + 1, 9 * 16 + 3}));
}

TEST(FlowArrivals, OtherHostsAndEntriesLeaveTheDrawsAlone) {
  const std::string keys = "[[traffic]]\npattern = 'flow-arrivals'\nsizes = 'websearch'\nload = 0.5\nstop = '20ms'\n";
  const Workload all = build(keys), again = build(keys), some = build(keys + "hosts = [3, 7]\n"),
                 more = build(keys + "[[traffic]]\npattern = 'incast-arrivals'\nsenders = 3\nbytes = 500\nload = 0.01\n"
                                     "stop = '20ms'\n");
  ASSERT_EQ(all.flows.size(), again.flows.size());
  std::vector<Flow> of_some;
  for (std::uint32_t f = 0; f < all.flows.size(); ++f) {
    EXPECT_TRUE(same(all.flows[{f}], again.flows[{f}]));
    EXPECT_TRUE(same(all.flows[{f}], more.flows[{f}]));
    if (all.flows[{f}].source.index == 3 || all.flows[{f}].source.index == 7) of_some.push_back(all.flows[{f}]);
  }
  ASSERT_EQ(of_some.size(), some.flows.size());
  for (std::uint32_t f = 0; f < some.flows.size(); ++f) EXPECT_TRUE(same(some.flows[{f}], of_some[f]));
  EXPECT_FALSE(same(all.flows[{0}], build("seed = 2\n" + keys).flows[{0}]));
}

TEST(FlowArrivals, EndWithTheRunUnlessTheySayWhen) {
  const std::string keys =
      "[[traffic]]\npattern = 'flow-arrivals'\nsizes = 'fixed'\nbytes = 1000\narrivals = 'constant'\nload = 0.1\n";
  EXPECT_EQ(build(keys + "[run]\nduration = '1ms'\n").flows.size(), 16u * 100);
  EXPECT_EQ(build(keys + "stop = '2ms'\n[run]\nduration = '1ms'\n").flows.size(), 16u * 200);
}

TEST(FlowArrivals, SizesOfAFile) {
  const TempDir dir;
  dir.write("my.cdf", "1000 0\n1000 50\n3000 50\n3000 100\n");
  const std::string text = "[[traffic]]\npattern = 'flow-arrivals'\nload = 0.5\nflows = 1000\nsizes = 'my.cdf'\n";
  std::map<Bytes, int> sizes;
  for (const Flow& flow : build(text, 16, (dir / "s.toml").string()).flows) ++sizes[flow.bytes];
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_NEAR(sizes[1000], 500, 4 * 16);
  EXPECT_EQ(sizes[1000] + sizes[3000], 1000);
  dir.write("my.cdf", "1000 0\n1000 x\n");
  expect_error([&] { build(text, 16, (dir / "s.toml").string()); }, "my.cdf:2: share: must be a number");
}

TEST(FlowArrivals, RefuseWhatCannotBe) {
  const std::string head = "[[traffic]]\npattern = 'flow-arrivals'\n";
  expect_refused(head + "load = 0.5\nflows = 1\n", "lacks `sizes`");
  expect_refused(head + "sizes = 'web-search'\nload = 0.5\nflows = 1\n", "did you mean `websearch`?");
  expect_refused(head + "sizes = 'other.cdf'\nload = 0.5\nflows = 1\n", "built-in ones are `websearch`, `fbhadoop`");
  expect_refused(head + "sizes = 'websearch'\nload = 0.5\n", "s.toml:1: flow-arrivals: give `stop`, `flows` or run");
  expect_refused(head + "sizes = 'websearch'\nload = 0\nflows = 1\n", "s.toml:4: load: must be above 0");
  expect_refused(head + "sizes = 'websearch'\nflows = 1\n", "one of load, rate and total_rate must be given");
  expect_refused(head + "sizes = 'fixed'\nload = 1\nflows = 1\n", "s.toml:3: sizes = \"fixed\" needs `bytes`");
  expect_refused(head + "sizes = 'websearch'\nbytes = 3\nload = 1\nflows = 1\n", "determines the flow sizes");
  expect_refused(head + "sizes = 'fixed'\nbytes = 1\nload = 1\nstop = '1s'\n",
                 "flows would arrive, but at most 10000000 are");
  expect_refused(head + "sizes = 'websearch'\nload = 0.1\nstop = '1ns'\n", "no flow arrives in 1e-09 s");
  expect_refused(head + "sizes = 'websearch'\nload = 1\nstop = '1us'\nstart = '2us'\n", "stop: must come after start");
  expect_refused(head + "sizes = 'websearch'\nload = 1\nstart = '2us'\n[run]\nduration = '1us'\n", "start: nothing");
  expect_refused(head + "sizes = 'websearch'\nload = 1\nflows = 1\ndestinations = 'own-group'\n", "needs `group`");
  expect_refused(head + "sizes = 'websearch'\nload = 1\nflows = 1\ndestinations = 'own-group'\ngroup = 1\n",
                 "host 0 has no destination but itself");
  expect_refused(head + "sizes = 'websearch'\nload = 1\nflows = 1\nto = [16]\n", "s.toml:6: to: there is no host 16");
  expect_refused(head + "sizes = 'websearch'\nload = 1\nflows = 1\npayload = [3]\n", "this entry makes flows");
}

TEST(IncastArrivals, SendToOneHostEach) {
  const Workload w = incasts("senders = 6\nbytes = '500kB'\nload = '2%'\nstop = '2s'\n");
  // 16 links of 1 GB/s, 2 % of them, 3 MB at a time.
  EXPECT_NEAR(static_cast<double>(w.flows.size()) / 6, 2 * 16e9 * 0.02 / 3e6, 4 * std::sqrt(213.3));
  ASSERT_EQ(w.flows.size() % 6, 0u);
  std::map<std::uint32_t, int> targets, senders;
  for (std::uint32_t f = 0; f < w.flows.size(); f += 6) {
    std::set<HostId> own;
    for (std::uint32_t i = f; i < f + 6; ++i) {
      EXPECT_EQ(w.flows[{i}].destination, w.flows[{f}].destination);
      EXPECT_EQ(w.flows[{i}].start, w.flows[{f}].start);
      EXPECT_EQ(w.flows[{i}].bytes, 500'000);
      EXPECT_NE(w.flows[{i}].source, w.flows[{f}].destination);
      own.insert(w.flows[{i}].source);
      ++senders[w.flows[{i}].source.index];
    }
    EXPECT_EQ(own.size(), 6u);
    ++targets[w.flows[{f}].destination.index];
  }
  EXPECT_EQ(targets.size(), 16u);
  const double mean = static_cast<double>(w.flows.size()) / 16;
  for (const auto& [host, count] : senders) EXPECT_NEAR(count, mean, 4 * std::sqrt(mean)) << host;
  EXPECT_EQ(w.classes[w.flows[{0}].traffic_class.index].name, "incast");
}

TEST(IncastArrivals, ComePeriodically) {
  const Workload w = incasts(
      "senders = 2\nbytes = 1\narrivals = 'constant'\nperiod = '10us'\nstart = '5us'\nevents = 4\nto = [9]\n");
  ASSERT_EQ(w.flows.size(), 8u);
  for (std::uint32_t f = 0; f < 8; ++f) {
    EXPECT_EQ(w.flows[{f}].start, 5_us + (f / 2) * 10_us);
    EXPECT_EQ(w.flows[{f}].destination, HostId{9});
  }
}

TEST(IncastArrivals, AllOthersCanSend) {
  const Workload w = incasts("senders = 15\nbytes = 10\nperiod = '1us'\nevents = 3\nspread = '1us'\n");
  ASSERT_EQ(w.flows.size(), 45u);
  std::set<Time> starts;
  for (const Flow& flow : w.flows) starts.insert(flow.start);
  EXPECT_GT(starts.size(), 40u);
  // A target outside those who send leaves all of them.
  const Workload outside = incasts("senders = 2\nhosts = [1, 2]\nto = [3]\nbytes = 10\nperiod = '1us'\nevents = 1\n");
  EXPECT_EQ(outside.flows.size(), 2u);
}

TEST(IncastArrivals, RefuseWhatCannotBe) {
  const std::string head = "[[traffic]]\npattern = 'incast-arrivals'\nbytes = 10\n";
  expect_refused(head + "senders = 16\nload = 0.1\nevents = 1\n", "s.toml:4: senders: 16 wanted, but only 15 hosts");
  expect_refused(head + "senders = 3\nevents = 1\n", "give either `load` or `period`");
  expect_refused(head + "senders = 3\nload = 1\nperiod = '1us'\nevents = 1\n", "`period` says how often incasts come");
  expect_refused(head + "senders = 3\nload = 1\n", "give `stop`, `events` or run.duration");
  expect_refused(head + "senders = 3\nload = 0\nevents = 1\n", "load: must be above 0");
  expect_refused(head + "senders = 15\nperiod = '1ns'\nevents = 1000000\nstop = '1s'\n", "flows would arrive");
}

}  // namespace
}  // namespace weir
