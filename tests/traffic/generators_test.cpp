// From rates in the user's terms to packets per second, slots and budgets.
#include "traffic/generators.h"
#include "traffic/source_state.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "traffic_helpers.h"

namespace weir {
namespace {

using namespace literals;

GeneratorBasics basics(double load, Bytes payload = 1000, Bytes header = 0) {
  GeneratorBasics b;
  b.name = "test";
  b.sizes = {{payload, 1.0}};
  b.header = header;
  b.rate.by = RateChoice::By::load;
  b.rate.load = load;
  return b;
}

double rate_of_first(const GeneratorBasics& b, const HostList& hosts, std::vector<HostId> sources) {
  Workload w;
  add_uniform(w, hosts, {b, std::move(sources), {}, false});
  return w.sources.at(0).packets_per_second;
}

TEST(Rates, LoadIsAFractionOfTheHostsOwnLink) {
  HostList hosts = equal_hosts(2);
  hosts.rates[1] = {32'000'000'000};
  Workload w;
  add_uniform(w, hosts, {basics(0.5), first_hosts(2), {}, false});
  ASSERT_EQ(w.sources.size(), 2u);
  EXPECT_DOUBLE_EQ(w.sources[0].packets_per_second, 5e5);  // 0.5 of 1 GB/s in 1000 B
  EXPECT_DOUBLE_EQ(w.sources[1].packets_per_second, 2e6);
}

TEST(Rates, HeadersCountOrNot) {
  GeneratorBasics b = basics(0.5, 1000, 250);
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(2), first_hosts(1)), 4e5);
  b.rate.count_headers = false;
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(2), first_hosts(1)), 5e5);
}

TEST(Rates, TotalRateIsDividedByAllHostsOrByThese) {
  // 68 bytes per nanosecond for 512 hosts, 278 B packets: the medium rate of Ferrer 2012.
  GeneratorBasics b = basics(0, 256, 22);
  b.rate.by = RateChoice::By::total_rate;
  b.rate.rate = {68 * 8'000'000'000};
  const std::vector<HostId> sources = first_hosts(410);
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(512), sources), 68e9 / 512 / 278);
  b.rate.per_all_hosts = false;
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(512), sources), 68e9 / 410 / 278);
  b.rate.count_headers = false;
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(512), sources), 68e9 / 410 / 256);
}

TEST(Rates, MixedSizesUseTheirMean) {
  GeneratorBasics b = basics(1);
  b.sizes = {{64, 0.5}, {512, 0.5}};
  b.header = 22;
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(2), first_hosts(1)), 1e9 / 310);
}

TEST(Rates, RatePerHostAndPart) {
  GeneratorBasics b = basics(0);
  b.rate.by = RateChoice::By::rate;
  b.rate.rate = {4'000'000'000};
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(2), first_hosts(1)), 5e5);
  b.rate.part = 0.25;
  EXPECT_DOUBLE_EQ(rate_of_first(b, equal_hosts(2), first_hosts(1)), 1.25e5);
}

TEST(Bernoulli, SlotIsTheLargestPacketAndMeetsTheLoad) {
  GeneratorBasics b = basics(0.6, 256, 22);
  b.arrivals = Arrivals::bernoulli;
  Workload w;
  add_uniform(w, equal_hosts(4), {b, first_hosts(4), {}, false});
  EXPECT_EQ(w.sources[0].slot, 278_ns);
  EXPECT_NEAR(w.sources[0].slot_probability, 0.6, 1e-12);
}

TEST(Bernoulli, FullLoadIsPossibleAndMoreIsRefused) {
  GeneratorBasics b = basics(1, 256, 22);
  b.arrivals = Arrivals::bernoulli;
  Workload w;
  add_uniform(w, equal_hosts(4), {b, first_hosts(4), {}, false});
  EXPECT_DOUBLE_EQ(w.sources[0].slot_probability, 1.0);
  b.rate.load = 1.01;
  expect_error([&] { add_uniform(w, equal_hosts(4), {b, first_hosts(4), {}, false}); }, "load: host 0 would need 1.01");
  b.rate.load = 0.9;
  b.sizes = {{64, 0.5}, {512, 0.5}};  // 0.9 of the link in packets of 310 B needs 1.55 of them per slot of 534 B
  expect_error([&] { add_uniform(w, equal_hosts(4), {b, first_hosts(4), {}, false}); }, "would need 1.55");
}

TEST(Hotspot, ThousandPacketsAreSharedEqually) {
  Workload w;
  HotspotTraffic hot{basics(0.1), first_hosts(102), {500}, 1000, {}};
  add_hotspot(w, equal_hosts(512), hot);
  std::uint64_t sum = 0;
  for (const Source& s : w.sources) {
    EXPECT_TRUE(s.packets == 9 || s.packets == 10);
    sum += s.packets;
  }
  EXPECT_EQ(sum, 1000u);
  EXPECT_EQ(w.sources.front().packets, 10u);
  EXPECT_EQ(w.sources.back().packets, 9u);
  EXPECT_EQ(w.groups.at(0).rule, DestinationRule::fixed);
  EXPECT_EQ(w.groups.at(0).targets, hosts_of({500}));
}

RC_GTEST_PROP(EvenPart, SumsToTheTotalAndDiffersByOneAtMost, ()) {
  const auto total = *rc::gen::inRange<std::uint64_t>(0, 100'000);
  const auto parts = *rc::gen::inRange<std::uint64_t>(1, 700);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < parts; ++i) {
    sum += even_part(total, parts, i);
    RC_ASSERT(even_part(total, parts, 0) - even_part(total, parts, i) <= 1);
  }
  RC_ASSERT(sum == total);
}

TEST(Hotspot, EachAndEndless) {
  Workload w;
  add_hotspot(w, equal_hosts(4), {basics(0.1), first_hosts(2), {3}, {}, 7});
  add_hotspot(w, equal_hosts(4), {basics(0.1), first_hosts(2), {3}, {}, {}});
  EXPECT_EQ(w.sources[1].packets, 7u);
  EXPECT_EQ(w.sources[2].packets, std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(w.sources[2].group, 1u);
}

TEST(Hotspot, InstantHasInfiniteRate) {
  Workload w;
  HotspotTraffic burst{basics(0), first_hosts(2), {3}, {}, 100};
  burst.basics.rate.by = RateChoice::By::instant;
  add_hotspot(w, equal_hosts(4), burst);
  EXPECT_TRUE(std::isinf(w.sources[0].packets_per_second));
}

TEST(Uniform, RefusesASourceWithoutDestination) {
  Workload w;
  expect_error(
      [&] {
        add_uniform(w, equal_hosts(1), {basics(0.1), first_hosts(1), {}, false});
      },
      "host 0 has no destination");
  expect_error(
      [&] {
        add_uniform(w, equal_hosts(4), {basics(0.1), first_hosts(4), hosts_of({2}), false});
      },
      "host 2 has no destination");
  EXPECT_TRUE(w.sources.empty());
  EXPECT_NO_THROW(add_uniform(w, equal_hosts(1), {basics(0.1), first_hosts(1), {}, true}));
}

TEST(Partners, HostsWithoutPartnerOrWithThemselvesSendNothing) {
  Workload w;
  add_partners(w, equal_hosts(4), {basics(0.5), {{1}, {0}, {2}, {}}});
  ASSERT_EQ(w.sources.size(), 2u);
  EXPECT_EQ(w.sources[0].host, HostId{0});
  EXPECT_EQ(w.sources[1].host, HostId{1});
  EXPECT_EQ(w.groups.at(0).rule, DestinationRule::table);
}

// The whole way: what sources really make is what was asked for.
TEST(Uniform, OfferedLoadIsMetOverALongRun) {
  for (const Arrivals arrivals : {Arrivals::constant, Arrivals::bernoulli, Arrivals::poisson}) {
    GeneratorBasics b = basics(0.37, 256, 22);
    b.sizes = {{64, 0.5}, {256, 0.5}};
    b.arrivals = arrivals;
    Workload w;
    add_uniform(w, equal_hosts(8), {b, first_hosts(8), {}, false});
    constexpr Time kEnd = 20_ms;
    double bytes = 0;
    for (const Source& source : w.sources) {
      SourceState state(1, source.stream());
      const SourceGroup& group = w.groups[source.group];
      for (Time t = state.first(source, group, 0_ps); t < kEnd; t = state.next(source, group, t)) {
        bytes += static_cast<double>(state.draw(source.host, group, 8).payload + 22);
      }
    }
    EXPECT_NEAR(bytes / (8 * 1e9 * kEnd.seconds()), 0.37, 0.37 * 0.01);
  }
}

}  // namespace
}  // namespace weir
