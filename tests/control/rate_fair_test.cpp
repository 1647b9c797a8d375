// DFFA and DAFA end at the answers of FFA and AFA, whatever the order in which packets arrive; DFFA does so within the
// bound of theorem 4.2.12; ports keep as little as the thesis says.
#include <gtest/gtest.h>

#include "control/rate_lab.h"
#include "control/rates/dafa.h"
#include "control/rates/dffa.h"
#include "flow/solvers/afa.h"
#include "flow/solvers/ffa.h"

namespace weir {
namespace {

using namespace testing_rates;

void expect_rates(const Lab& lab, const ControlNetwork& network, const Reference& reference,
                  const std::vector<double>& exact) {
  for (std::size_t i = 0; i < reference.who.size(); ++i) {
    const double rate = static_cast<double>(network.flow(reference.who[i]).rate);
    EXPECT_NEAR(rate / exact[i], 1.0, 1e-9) << "flow " << reference.who[i];
  }
  for (std::uint32_t f = 0; f < lab.flows.size(); ++f) {
    if (lab.stays(f)) continue;
    EXPECT_EQ(network.flow(f).rate, 0) << "flow " << f << " has ended";
  }
}

// No link is promised more than it has: exactly, not within a tolerance.
void expect_feasible(const Lab& lab, const ControlNetwork& network) {
  std::vector<RateUnits> load(lab.capacity.size(), 0);
  for (std::uint32_t f = 0; f < lab.flows.size(); ++f)
    for (const PortId p : lab.out.of(f)) load[p.index] += network.flow(f).rate;
  for (std::size_t p = 0; p < load.size(); ++p) EXPECT_LE(load[p], lab.capacity[p]) << "port " << p;
}

constexpr Time kLong{1'000'000'000'000};

TEST(Dffa, EndsAtFfaWithinItsBound) {
  double closest = 0;  // the largest share of the bound that a run has used
  for (std::uint64_t number = 0; number < scaled_count(100, 500, 2000); ++number) {
    SCOPED_TRACE(number);
    const auto lab = random_lab(number);
    DffaProtocol protocol(lab->topology, lab->capacity, lab->flows);
    ControlNetwork network(lab->topology, lab->out, lab->back, protocol, lab->timing);
    lab->schedule(network);
    ASSERT_FALSE(network.run_until(kLong)) << "DFFA must come to rest";
    const Reference reference(*lab, staying(*lab));
    const RateSolution exact = ffa(reference.problem());
    expect_rates(*lab, network, reference, exact.rate);
    expect_feasible(*lab, network);
    Time last_entry{}, last_settled{};
    for (const std::uint32_t f : reference.who) {
      EXPECT_TRUE(protocol.is_settled(f));
      last_entry = std::max(last_entry, network.flow(f).begun);
      last_settled = std::max(last_settled, network.flow(f).rate_set);
    }
    const Time bound = 6 * static_cast<std::int64_t>(exact.levels) * network.longest_round_trip();
    EXPECT_LE(last_settled - last_entry, bound);
    closest = std::max(closest, (last_settled - last_entry).seconds() / bound.seconds());
    for (std::uint32_t n = 1; n < lab->topology.nodes(); ++n)
      EXPECT_EQ(protocol.round({n}), protocol.round({0})) << "all elements end in one round";
    if (HasFailure()) return;
  }
  EXPECT_LT(closest, 1);
  RecordProperty("share_of_bound_percent", static_cast<int>(100 * closest));
}

// So many flows of so many applications between random hosts of a star, which start within 20 us; every other one ends.
Lab crowd(std::uint32_t apps, std::uint32_t flows) {
  Lab lab;
  lab.topology = star(32, {Rate{10'000'000'000}, Time{15'000}, 16'384});
  lab.routes = shortest_path_routes(lab.topology);
  lab.capacity.assign(lab.topology.ports(), rate_units({10'000'000'000}));
  RandomStream random(6, Purpose::test, flows);
  for (std::uint32_t f = 0; f < flows; ++f) {
    const auto from = static_cast<std::uint32_t>(random.below(32));
    const auto to = static_cast<std::uint32_t>((from + 1 + random.below(31)) % 32);
    lab.add_flow(nullptr, {{from}, {to}, 1 + random.below(100), f % apps});
    lab.starts.back() = {static_cast<std::int64_t>(random.below(20'000'000))};
    if (f % 2 == 1) lab.ends.back() = {lab.starts.back().ps + 300'000'000};
  }
  return lab;
}

// Bytes that the network keeps at the end of a run, in which it had to do with all of them.
template <class Protocol>
std::size_t bytes_after_run(const Lab& lab, Protocol& protocol) {
  ControlNetwork network(lab.topology, lab.out, lab.back, protocol, lab.timing);
  lab.schedule(network);
  EXPECT_FALSE(network.run_until(kLong));
  for (std::uint32_t f = 0; f < lab.flows.size(); f += 2) EXPECT_GT(network.flow(f).rate, 0);
  return protocol.bytes_in_network();
}

TEST(Dffa, KeepsNothingPerFlowInTheNetwork) {
  const auto bytes = [](std::uint32_t flows) {
    const Lab lab = crowd(1, flows);
    DffaProtocol protocol(lab.topology, lab.capacity, lab.flows);
    return bytes_after_run(lab, protocol);
  };
  const std::size_t few = bytes(10), ports = 64, nodes = 33;
  EXPECT_EQ(bytes(1000), few);
  EXPECT_EQ(few, ports * 64 + nodes * 8);
}

NodeId a_switch(const Lab& lab) { return {static_cast<std::uint32_t>(lab.topology.nodes() - 1)}; }

TEST(Dafa, EndsAtAfa) {
  for (std::uint64_t number = 0; number < scaled_count(100, 500, 2000); ++number) {
    SCOPED_TRACE(number);
    const auto lab = random_lab(number);
    DafaProtocol protocol(lab->topology, lab->capacity, lab->flows, a_switch(*lab));
    ControlNetwork network(lab->topology, lab->out, lab->back, protocol, lab->timing);
    lab->schedule(network);
    ASSERT_FALSE(network.run_until(kLong)) << "DAFA must come to rest";
    EXPECT_TRUE(protocol.is_done());
    const Reference reference(*lab, staying(*lab));
    const RateSolution exact = afa(reference.problem(true));
    expect_rates(*lab, network, reference, exact.rate);
    expect_feasible(*lab, network);
    EXPECT_EQ(protocol.iterations(), exact.levels);
    if (HasFailure()) return;
  }
}

// Figure 2.2: three flows of one application share a link, one of each application shares another.
TEST(Dafa, GivesApplicationsWhatFigure22Says) {
  Lab lab;
  lab.topology = star(8, {Rate{10'000'000'000}, Time{15'000}, 16'384});
  lab.routes = shortest_path_routes(lab.topology);
  for (std::uint32_t i = 0; i < 3; ++i) lab.add_flow(nullptr, {{i}, {6}, 1, 0});
  lab.add_flow(nullptr, {{3}, {7}, 1, 0});
  lab.add_flow(nullptr, {{4}, {7}, 1, 1});
  for (std::uint32_t p = 0; p < lab.topology.ports(); ++p) lab.capacity.push_back(rate_units({10'000'000'000}));
  DafaProtocol protocol(lab.topology, lab.capacity, lab.flows, lab.topology.node(SwitchId{0}));
  ControlNetwork network(lab.topology, lab.out, lab.back, protocol);
  lab.schedule(network);
  network.run_until(kLong);
  EXPECT_NEAR(bits_per_second(network.flow(0).rate) / 1e10, 1.0 / 3, 1e-12);
  EXPECT_NEAR(bits_per_second(network.flow(3).rate) / 1e10, 1.0 / 3, 1e-12);
  EXPECT_NEAR(bits_per_second(network.flow(4).rate) / 1e10, 2.0 / 3, 1e-12);
  EXPECT_EQ(protocol.iterations(), 2u);
}

TEST(Dafa, KeepsTwoWeightsForEachApplicationAndPort) {
  const auto bytes = [](std::uint32_t apps, std::uint32_t flows) {
    const Lab lab = crowd(apps, flows);
    DafaProtocol protocol(lab.topology, lab.capacity, lab.flows, lab.topology.node(SwitchId{0}));
    return bytes_after_run(lab, protocol);
  };
  const std::size_t ports = 64;
  EXPECT_EQ(bytes(32, 1000), bytes(32, 100)) << "not by flows";
  EXPECT_EQ(bytes(64, 100) - bytes(32, 100), ports * 32 * 2 * sizeof(RateWeight));
  EXPECT_EQ(bytes(128, 128) - bytes(64, 128), ports * 64 * 2 * sizeof(RateWeight));
  EXPECT_THROW(bytes(129, 129), InputError);
}

}  // namespace
}  // namespace weir
