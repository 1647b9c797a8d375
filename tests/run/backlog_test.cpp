// What waits at the hosts takes little memory, and no result depends on how little of it is kept: runs that keep whole
// records and runs that draw packets again, or note them, are equal to the bit.
#include <gtest/gtest.h>

#include <limits>

#include "run/covering_scenario.h"
#include "run/fingerprint.h"
#include "run/lab.h"
#include "run/random_scenario.h"

namespace weir {
namespace {

using testing::Fingerprint;

constexpr std::uint32_t kAll = std::numeric_limits<std::uint32_t>::max();

Measurements run_with(const Scenario& scenario, std::uint32_t whole_records, bool rest, FileReader read = nullptr) {
  const RunSetup built = set_up(scenario, read);
  RunInput run{built.network->topology, built.network->routes, *built.workload,
                packet_config(scenario, built.network->topology, *built.workload), scenario.seed};
  run.whole_records = whole_records;
  run.sources_rest = rest;
  run.routes_proven = built.routes_proven;
  const Section& scheme = scenario.section("scheme");
  return scheme_named(scheme.kind).configure(scheme, run).run(run);
}

void expect_equal(const std::string& text, FileReader read = nullptr) {
  const Scenario scenario = testing::scenario_of(text);
  const Measurements stored = run_with(scenario, kAll, false, read);
  for (const std::uint32_t whole : {0u, 3u}) {
    const Measurements m = run_with(scenario, whole, false, read);
    ASSERT_EQ(Fingerprint::of(m), Fingerprint::of(stored)) << whole << " whole records\n" << text;
    ASSERT_EQ(m.totals.peak_packets_alive, stored.totals.peak_packets_alive) << text;
    ASSERT_EQ(m.totals.events, stored.totals.events) << text;
    // Sources that rest change nothing either, but how much is to be done.
    const Measurements rested = run_with(scenario, whole, true, read);
    ASSERT_EQ(Fingerprint::of(rested), Fingerprint::of(stored)) << whole << " whole records\n" << text;
    ASSERT_LE(rested.totals.events, stored.totals.events) << text;
  }
}

TEST(Backlog, RandomScenariosAreEqualHoweverTheyKeepIt) {
  for (std::uint64_t i = 0; i < scaled_count(20, 150, 1500); ++i) {
    const std::string text = testing::RandomScenario(600'000 + i, testing::RandomScenario::Schemes::any).text();
    try {
      expect_equal(text);
    } catch (const InputError&) {  // a scheme that lacks something here
    }
    if (HasFailure()) return;
  }
}

TEST(Backlog, CoveringScenariosAreEqualHoweverTheyKeepIt) {
  for (std::uint64_t i = 0; i < scaled_count(20, 150, 1500); ++i) {
    try {
      expect_equal(testing::CoveringScenario(50'000 + i).text(), testing::CoveringScenario::trace);
    } catch (const InputError&) {
    }
    if (HasFailure()) return;
  }
}

// Random draws, sizes, loads and starts beyond what the fabric takes, in every organisation of the adapter.
std::string overload(std::uint64_t number) {
  RandomStream random(number, Purpose::test, 9);
  const auto one_of = [&](const std::vector<std::string>& words) { return words[random.below(words.size())]; };
  testing::Star star;
  star.hosts = 3 + static_cast<int>(random.below(4));
  star.payload = one_of({"[1000]", "[100, 1500]", "[64, 300, 2000]"});
  star.switches = fmt::format("lanes = {}\norganisation = '{}'\nbuffer_packets = {}\n", 1 + random.below(2),
                              one_of({"voq-input", "voq-input", "fifo-in-out"}), 1 + random.below(4));
  const int lanes = star.switches[8] - '0';
  star.adapter = one_of({"organisation = 'fifo'\n", "organisation = 'fifo'\n", "organisation = 'per-flow'\n",
                         "organisation = 'per-destination'\n", "organisation = 'modulo'\nqueues = 2\n",
                         "organisation = 'shared'\n", "organisation = 'fifo'\nqueue_limit = '20kB'\n"});
  if (random.below(3) == 0) star.adapter += "service = 'oldest-first'\n";
  star.scheme = one_of({"name = 'none'\n", "name = 'none'\n", "name = 'window'\npackets = 2\n",
                        "name = 'mvcm'\n", "name = 'saa'\n", "name = 'cca'\n"});
  star.run = fmt::format("duration = '{}us'\nmax_backlog = {}\n", 100 + random.below(300), 200 + random.below(2000));
  const std::uint64_t entries = 1 + random.below(4);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::string rate = fmt::format("arrivals = '{}'\nload = {}.{}\n", one_of({"constant", "poisson"}),
                                         random.below(3), 1 + random.below(9));
    star.traffic += fmt::format("[[traffic]]\nlane = {}\nclass = '{}'\n", random.below(lanes), one_of({"a", "b"}));
    if (random.below(4) == 0) star.traffic += fmt::format("after_received = {}\n", 1 + random.below(20));
    switch (random.below(5)) {
      case 0:
        star.traffic += fmt::format("pattern = 'burst'\ntarget = 0\npackets = {}\nspread = '{}ns'\n",
                                    1 + random.below(40), random.below(2) * 500);
        break;
      case 1: star.traffic += "pattern = 'hotspot'\ntarget = 1\n" + rate; break;
      case 2: star.traffic += "pattern = 'permutation'\nbytes = '20kB'\nspread = '50us'\n"; break;
      default:
        star.traffic += "pattern = 'uniform'\n" + rate + (random.below(2) == 0 ? "include_self = true\n" : "");
        if (rate.find("constant") != std::string::npos && random.below(2) == 0) star.traffic += "aligned = true\n";
    }
  }
  return star.text();
}

TEST(Backlog, OverloadsAreEqualHoweverTheyKeepIt) {
  std::size_t ran = 0;
  const std::uint64_t count = scaled_count(40, 400, 4000);
  for (std::uint64_t i = 0; i < count && !HasFailure(); ++i) {
    try {
      expect_equal(overload(i));
      ++ran;
    } catch (const InputError&) {
    }
  }
  EXPECT_GT(ran, count / 2);
}

// A packet to oneself starts another group at the very instant at which hosts make packets, so that a source of a lower
// number comes after one of a higher number.
TEST(Backlog, ASourceThatStartsWithinAnInstantKeepsItsPlace) {
  testing::Star star;
  star.hosts = 4;
  star.run = "duration = '300us'\n";
  star.traffic =
      R"([[traffic]]
name = "late"
pattern = "burst"
target = 3
packets = 5
spread = "0ns"
after_received = 40
[[traffic]]
pattern = "uniform"
arrivals = "constant"
aligned = true
load = 2
include_self = true
)";
  for (int seed = 1; seed <= 20; ++seed) expect_equal(fmt::format("seed = {}\n", seed) + star.text());
}

std::string hot_spot(const std::string& adapter, const std::string& duration) {
  return R"([topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[packet]
payload = ["2kB"]
[link]
rate = "10Gbps"
[adapter]
)" +
         adapter +
         R"([[traffic]]
pattern = "uniform"
load = 0.6
[[traffic]]
pattern = "hotspot"
class = "hot"
share = "20%"
target = 0
load = 10
[run]
max_backlog = 1000000
duration = ')" +
         duration + "'\n";
}
std::uint64_t peak_of(const Measurements& m) {
  std::uint64_t packets = 0;
  for (const HostResult& host : m.hosts) packets = std::max(packets, host.peak_backlog_packets);
  return packets;
}

TEST(Backlog, TakesNoMemoryWhereItIsDrawnAgain) {
  for (const std::string adapter : {"", "organisation = 'per-flow'\n"}) {
    const Scenario ten = testing::scenario_of(hot_spot(adapter, "10ms"));
    const Measurements short_run = run_with(testing::scenario_of(hot_spot(adapter, "1ms")), 16, true);
    const Measurements long_run = run_with(ten, 16, true);
    EXPECT_GT(peak_of(long_run), 8 * peak_of(short_run)) << "it is overloaded";
    EXPECT_GT(peak_of(long_run), 10'000u);
    EXPECT_LT(long_run.totals.state_bytes, short_run.totals.state_bytes + 5000) << adapter;
    EXPECT_GT(run_with(ten, kAll, true).totals.state_bytes, long_run.totals.state_bytes + 64 * peak_of(long_run));
  }
}

TEST(Backlog, TakesSixteenBytesAPacketWhereItIsNoted) {
  for (const std::string adapter :
       {"organisation = 'per-destination'\n", "organisation = 'modulo'\nqueues = 4\n"}) {
    const Scenario ten = testing::scenario_of(hot_spot(adapter, "10ms"));
    const Measurements before = run_with(testing::scenario_of(hot_spot(adapter, "10us")), 16, true);
    const Measurements noted = run_with(ten, 16, true);
    const auto waiting = static_cast<double>(noted.totals.peak_packets_alive);
    EXPECT_GT(waiting, 10'000);
    EXPECT_LT(static_cast<double>(noted.totals.state_bytes - before.totals.state_bytes), 17 * waiting + 100'000);
  }
}

}  // namespace
}  // namespace weir
