// DFFA and DAFA end at the answers of FFA and AFA, whatever the order in which packets arrive; DFFA does so within the
// bound of theorem 4.2.12; ports keep as little as the thesis says.
#include <gtest/gtest.h>

#include "control/rate_dafa.h"
#include "control/rate_dffa.h"
#include "control/rate_lab.h"
#include "flow/afa.h"
#include "flow/ffa.h"

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

TEST(Dffa, KeepsNothingPerFlowInTheNetwork) {
  const auto lab = random_lab(1);
  std::vector<RatedFlow> many(10'000, lab->flows.front());
  DffaProtocol few(lab->topology, lab->capacity, lab->flows), thousands(lab->topology, lab->capacity, many);
  EXPECT_EQ(few.bytes_per_port(), thousands.bytes_per_port());
  EXPECT_EQ(few.bytes_per_port(), 64u);
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
  const auto lab = random_lab(1);
  const auto bytes = [&](std::uint32_t apps, std::size_t flows) {
    std::vector<RatedFlow> list(flows, lab->flows.front());
    for (std::uint32_t f = 0; f < flows; ++f) list[f].app = f % apps;
    return DafaProtocol(lab->topology, lab->capacity, list, a_switch(*lab)).bytes_per_port();
  };
  EXPECT_EQ(bytes(32, 100), bytes(32, 10'000)) << "not by flows";
  EXPECT_EQ(bytes(64, 100) - bytes(32, 100), 32 * 2 * sizeof(RateWeight));
  EXPECT_EQ(bytes(128, 128) - bytes(64, 128), 64 * 2 * sizeof(RateWeight));
  EXPECT_THROW(bytes(129, 129), InputError);
}

}  // namespace
}  // namespace weir
