// Distributed SAA ends at SAA, probing or piggy-backed. SAA-M keeps the four guarantees of theorem 4.1.5, its changes
// stay local (propositions 4.1.6 and 4.1.7), and the flows of figure 4.1 do not block each other for ever.
#include <gtest/gtest.h>

#include <limits>

#include "control/rate_lab.h"
#include "control/rates/saa.h"
#include "control/rates/saa_m.h"
#include "flow/solvers/saa.h"

namespace weir {
namespace {

using namespace testing_rates;

constexpr Time kSlice{2'000'000'000};  // much longer than the longest back-off and the slowest round trip

TEST(Saa, EndsAtSaaWithBothWaysOfReading) {
  for (std::uint64_t number = 0; number < scaled_count(100, 500, 2000); ++number) {
    SCOPED_TRACE(number);
    const auto lab = random_lab(number);
    SaaProtocol protocol(lab->capacity, lab->flows, {Time{10'000'000}, number % 2 == 1});
    ControlNetwork network(lab->topology, lab->out, lab->back, protocol, lab->timing);
    lab->schedule(network);
    network.run_until(lab->last_change() + kSlice);
    const Reference reference(*lab, staying(*lab));
    const std::vector<double> exact = saa(reference.problem()).rate;
    for (std::size_t i = 0; i < exact.size(); ++i)
      EXPECT_NEAR(static_cast<double>(network.flow(reference.who[i]).rate) / exact[i], 1.0, 1e-9);
    for (std::uint32_t f = 0; f < lab->flows.size(); ++f) EXPECT_EQ(network.flow(f).rate == 0, !lab->stays(f));
    if (HasFailure()) return;
  }
}

// The destination speaks only when the two weights of a data packet differ.
TEST(Saa, PiggyBackingIsSilentWhenNothingChanges) {
  Lab lab;
  lab.topology = star(4, {Rate{10'000'000'000}, Time{15'000}, 16'384});
  lab.routes = shortest_path_routes(lab.topology);
  lab.add_flow(nullptr, {{0}, {3}, 2, 0});
  lab.add_flow(nullptr, {{1}, {3}, 3, 0});
  lab.starts[1] = {200'000'000};
  lab.capacity.assign(lab.topology.ports(), rate_units({10'000'000'000}));
  SaaProtocol protocol(lab.capacity, lab.flows, {Time{10'000'000}, true});
  ControlNetwork network(lab.topology, lab.out, lab.back, protocol);
  lab.schedule(network);
  network.run_until({190'000'000});
  const Time first = network.flow(0).rate_set;
  EXPECT_NEAR(bits_per_second(network.flow(0).rate), 1e10, 1);
  EXPECT_LT(first, (Time{5'000'000})) << "known from the announcement, and never told again";
  network.run_until({400'000'000});
  EXPECT_NEAR(bits_per_second(network.flow(0).rate), 4e9, 1);
  EXPECT_NEAR(bits_per_second(network.flow(1).rate), 6e9, 1);
  EXPECT_LE(network.flow(0).rate_set, (Time{215'000'000})) << "told by the next data packet";
}

// ---- SAA-M ----

struct SaaMRun {
  explicit SaaMRun(std::unique_ptr<Lab> l, std::uint64_t seed)
      : lab(std::move(l)), protocol(lab->capacity, lab->flows, settings(seed)),
        network(lab->topology, lab->out, lab->back, protocol, lab->timing) {}
  static SaaMSettings settings(std::uint64_t seed) {
    SaaMSettings s;
    s.seed = seed;
    return s;
  }
  std::vector<RateUnits> rates() const {
    std::vector<RateUnits> out;
    for (std::uint32_t f = 0; f < lab->flows.size(); ++f) out.push_back(network.flow(f).rate);
    return out;
  }
  // Runs until no rate has changed during a slice.
  bool settle() {
    for (int i = 0; i < 200; ++i) {
      const std::vector<RateUnits> before = rates();
      network.run_until(network.now() + kSlice);
      if (rates() == before) return true;
    }
    return false;
  }
  std::unique_ptr<Lab> lab;
  SaaMProtocol protocol;
  ControlNetwork network;
};

// All but monotony, which takes time to see.
void expect_guarantees(const SaaMRun& run, const std::vector<std::uint32_t>& present) {
  const Reference reference(*run.lab, present);
  const std::vector<double> least_rates = saa(reference.problem()).rate;
  std::vector<RateUnits> load(run.lab->capacity.size(), 0);
  for (const std::uint32_t f : present)
    for (const PortId p : run.lab->out.of(f)) load[p.index] += run.network.flow(f).rate;
  for (std::size_t p = 0; p < load.size(); ++p) {
    EXPECT_LE(load[p], run.lab->capacity[p]) << "feasible, exactly: port " << p;
    EXPECT_EQ(run.protocol.port({static_cast<std::uint32_t>(p)}).free, run.lab->capacity[p] - load[p]);
    EXPECT_EQ(run.protocol.port({static_cast<std::uint32_t>(p)}).reserved, 0);
  }
  for (std::size_t i = 0; i < present.size(); ++i) {
    const RateUnits rate = run.network.flow(present[i]).rate;
    EXPECT_GE(static_cast<double>(rate + 1), least_rates[i] * (1 - 1e-15)) << "share of SAA: flow " << present[i];
    double free = std::numeric_limits<double>::infinity();
    for (const PortId p : run.lab->out.of(present[i]))
      free = std::min(free, static_cast<double>(run.lab->capacity[p.index] - load[p.index]) /
                                static_cast<double>(run.lab->capacity[p.index]));
    EXPECT_LE(free, 1e-12) << "maximal: flow " << present[i];
  }
}

// Weights are final, no link is oversubscribed, and everybody has at least his share.
bool is_calm(const SaaMRun& run, const std::vector<std::uint32_t>& present, const std::vector<double>& shares) {
  std::vector<RateWeight> weight(run.lab->capacity.size(), 0);
  for (const std::uint32_t f : present)
    for (const PortId p : run.lab->out.of(f)) weight[p.index] += run.lab->flows[f].weight;
  for (std::uint32_t p = 0; p < weight.size(); ++p)
    if (run.protocol.port({p}).weight != weight[p] || run.protocol.port({p}).free < 0) return false;
  for (std::size_t i = 0; i < present.size(); ++i)
    if (static_cast<double>(run.network.flow(present[i]).rate + 1) < shares[i] * (1 - 1e-15)) return false;
  return true;
}

// From there on rates only grow: as soon as every packet that has seen something else is back, and so is the one that
// tells the links what its source made of it; each takes `round_trip` at most.
std::size_t watch_rates_grow(SaaMRun& run, Time round_trip) {
  const std::vector<std::uint32_t> present = staying(*run.lab);
  const std::vector<double> shares = saa(Reference(*run.lab, present).problem()).rate;
  std::size_t risen = 0;
  bool watched = false;
  Time now = run.lab->last_change(), since = now;
  std::vector<RateUnits> before = run.rates();
  for (int step = 0; step < 500; ++step) {  // fine enough to see packets come back, one after the other
    now = now + std::max(Time{500'000}, round_trip / 20);
    run.network.run_until(now);
    const std::vector<RateUnits> after = run.rates();
    if (watched) {
      for (std::size_t f = 0; f < after.size(); ++f) {
        EXPECT_GE(after[f], before[f]) << "monotone: flow " << f;
        risen += after[f] > before[f] ? 1 : 0;
      }
    }
    if (!is_calm(run, present, shares)) {
      EXPECT_FALSE(watched) << "what holds goes on to hold";
      since = now;
    }
    watched = watched || now - since > 2 * round_trip;
    before = after;
  }
  EXPECT_TRUE(watched);
  return risen;
}

TEST(SaaM, KeepsItsFourGuarantees) {
  std::size_t risen = 0;
  for (std::uint64_t number = 0; number < scaled_count(50, 300, 2000); ++number) {
    SCOPED_TRACE(number);
    SaaMRun first(random_lab(number), number);
    first.lab->schedule(first.network);
    EXPECT_TRUE(first.settle());
    SaaMRun run(random_lab(number), number);  // the same once more, now that its longest round trip is known
    run.lab->schedule(run.network);
    run.network.run_until(run.lab->last_change());
    risen += watch_rates_grow(run, first.network.longest_round_trip());
    EXPECT_TRUE(run.settle());
    expect_guarantees(run, staying(*run.lab));
    if (HasFailure()) return;
  }
  EXPECT_GT(risen, scaled_count(50, 300, 2000) / 20) << "rates that rise while they are watched";
}

// Sets of flows by distance: F0 = {f}, F(i+1) shares a link with F(i).
std::vector<std::uint32_t> distances(const Lab& lab, const std::vector<std::uint32_t>& present, std::uint32_t from) {
  std::vector<std::uint32_t> distance(lab.flows.size(), std::numeric_limits<std::uint32_t>::max());
  distance[from] = 0;
  std::vector<std::uint32_t> order{from};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t other : present) {
      if (distance[other] <= distance[order[i]] + 1) continue;
      const auto a = lab.out.of(order[i]), b = lab.out.of(other);
      const bool share =
          std::any_of(a.begin(), a.end(), [&](PortId p) { return std::find(b.begin(), b.end(), p) != b.end(); });
      if (!share) continue;
      distance[other] = distance[order[i]] + 1;
      order.push_back(other);
    }
  return distance;
}

TEST(SaaM, ChangesStayLocal) {
  std::size_t beyond_start = 0, beyond_end = 0;  // flows that could have changed but must not
  for (std::uint64_t number = 0; number < scaled_count(50, 300, 2000); ++number) {
    SCOPED_TRACE(number);
    SaaMRun run(random_lab(number), number);
    // The last flow starts after all others have settled, and ends after that.
    const auto late = static_cast<std::uint32_t>(run.lab->flows.size() - 1);
    std::vector<std::uint32_t> all(run.lab->flows.size());
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t f = 0; f < late; ++f) run.network.start_flow(f, run.lab->starts[f]);
    ASSERT_TRUE(run.settle());
    const std::vector<std::uint32_t> distance = distances(*run.lab, all, late);
    Time before = run.network.now();
    run.network.start_flow(late, before);
    ASSERT_TRUE(run.settle());
    for (std::uint32_t f = 0; f < late; ++f) {
      if (distance[f] <= 2) continue;
      ++beyond_start;
      EXPECT_LE(run.network.flow(f).rate_set, before) << "start, flow " << f << " is not touched, not even for a while";
    }
    expect_guarantees(run, all);
    before = run.network.now();
    run.network.end_flow(late, before);
    ASSERT_TRUE(run.settle());
    for (std::uint32_t f = 0; f < late; ++f) {
      if (distance[f] <= 3) continue;
      ++beyond_end;
      EXPECT_LE(run.network.flow(f).rate_set, before) << "end, flow " << f << " is not touched, not even for a while";
    }
    all.pop_back();
    expect_guarantees(run, all);
    if (HasFailure()) return;
  }
  EXPECT_GT(beyond_start, beyond_end);
  EXPECT_GT(beyond_end, 0u);
}

// Figure 4.1: two flows cross two links in opposite order and find the same free capacity at the same moment. The links
// belong to a ring a -> b -> c -> d -> a; f1 goes from a to d, f2 from c to b, so f1 comes to a -> b first and f2 to
// c -> d. On both there is a flow that cannot use its share, since its destination takes only a tenth of a link.
std::unique_ptr<Lab> figure_4_1() {
  const LinkProperties link{Rate{10'000'000'000}, Time{15'000}, 16'384};
  TopologyBuilder b;
  std::vector<HostId> h;
  for (int i = 0; i < 8; ++i) h.push_back(b.add_host("h" + std::to_string(i)));
  const SwitchId s[4] = {b.add_switch("a", 4), b.add_switch("b", 4), b.add_switch("c", 4), b.add_switch("d", 4)};
  for (std::uint32_t i = 0; i < 4; ++i) {
    b.connect(TopologyBuilder::at(s[i], 0), TopologyBuilder::at(s[(i + 1) % 4], 1), link);
    b.connect(TopologyBuilder::at(h[2 * i]), TopologyBuilder::at(s[i], 2), link);
    b.connect(TopologyBuilder::at(h[2 * i + 1]), TopologyBuilder::at(s[i], 3), link);
  }
  auto lab = std::make_unique<Lab>();
  lab->topology = std::move(b).build();
  lab->routes = min_hop_routes(lab->topology);
  lab->capacity.assign(lab->topology.ports(), rate_units({10'000'000'000}));
  const auto port = [&](std::uint32_t at, std::uint32_t local) {
    return lab->topology.port(lab->topology.node(s[at]), local);
  };
  const auto add = [&](std::uint32_t from, std::uint32_t to, std::vector<PortId> way) {
    way.insert(way.begin(), lab->topology.host_port(h[from]));
    lab->out.add(way);
    lab->back.add(path(lab->topology, lab->routes, h[to], h[from]));
    lab->flows.push_back({h[from], h[to], 1, 0});
  };
  add(0, 6, {port(0, 0), port(1, 0), port(2, 0), port(3, 2)});
  add(4, 2, {port(2, 0), port(3, 0), port(0, 0), port(1, 2)});
  add(1, 3, {port(0, 0), port(1, 3)});
  add(5, 7, {port(2, 0), port(3, 3)});
  for (const PortId narrow : {port(1, 3), port(3, 3)}) lab->capacity[narrow.index] /= 10;
  return lab;
}

TEST(SaaM, BackOffResolvesFigure41) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    SaaMRun run(figure_4_1(), seed);
    for (std::uint32_t f = 0; f < 4; ++f) run.network.start_flow(f, {});
    ASSERT_TRUE(run.settle());
    expect_guarantees(run, {0, 1, 2, 3});
  }
}

// The case is a real one: without back-off the two flows reserve and cancel for ever.
TEST(SaaM, WithoutBackOffFigure41NeverEnds) {
  const auto lab = figure_4_1();
  SaaMSettings settings;
  settings.backoff = {};
  SaaMProtocol protocol(lab->capacity, lab->flows, settings);
  ControlNetwork network(lab->topology, lab->out, lab->back, protocol, lab->timing);
  for (std::uint32_t f = 0; f < 4; ++f) network.start_flow(f, {});
  network.run_until({100'000'000'000});
  const RateUnits third = rate_units({10'000'000'000}) / 3;
  EXPECT_EQ(network.flow(0).rate, third) << "both still have what SAA gives them";
  EXPECT_EQ(network.flow(1).rate, third);
  EXPECT_GT(network.flow(0).sent, 10'000u);
}

// What a flow draws is its stream's, in whatever slot it is placed, and anew each time it is placed.
TEST(SaaM, DrawsDoNotDependOnTheSlot) {
  const std::vector<RateUnits> capacity(1, rate_units({10'000'000'000}));
  const auto waits = [&](std::uint32_t slot, std::uint64_t stream) {
    SaaMProtocol protocol(capacity, std::span<const RatedFlow>{});
    RateMessage failed;
    failed.request = RateRequest::cancel;
    std::vector<std::int64_t> drawn;
    for (int times = 0; times < 2; ++times) {
      protocol.place(slot, {{0}, {1}, 1, 0, stream});
      RateActions out;
      for (int i = 0; i < 3; ++i) protocol.returned(slot, failed, out);
      for (const RateActions::Timer& timer : out.timers) drawn.push_back(timer.after.ps);
    }
    return drawn;
  };
  const std::vector<std::int64_t> here = waits(0, 7), there = waits(5, 7), other = waits(0, 8);
  ASSERT_EQ(here.size(), 6u);
  EXPECT_EQ(here, there);
  EXPECT_NE(here, other);
  EXPECT_EQ(here[0], here[3]);
}

}  // namespace
}  // namespace weir
