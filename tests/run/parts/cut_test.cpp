// How fabrics are cut for several threads.
#include <gtest/gtest.h>

#include "packet/parts/cut.h"
#include "packet/parts/min_cut.h"
#include "run/simulate.h"
#include "scenario/parse.h"

namespace weir {
namespace {

struct CutFabric {
  explicit CutFabric(const std::string& topology, std::uint32_t parts)
      : setup(set_up(parse_scenario_text("[topology]\n" + topology + R"([link]
delay = "100ns"
[switch]
lanes = 2
[[traffic]]
pattern = "uniform"
load = 0.1
[run]
duration = "1us"
)", "test", vocabulary()))), cut(cut_fabric(run_input(setup), traits_of<SchemeHooks>(), parts)) {}

  const Topology& fabric() const { return setup.network->topology; }
  std::uint32_t cables_between() const {
    std::uint32_t count = 0;
    for (PortId p{0}; p.index < fabric().ports(); ++p.index)
      count += fabric().to(p).valid() &&
               cut.owner[fabric().node_of(p).index] != cut.owner[fabric().node_of(fabric().to(p)).index];
    return count / 2;
  }
  // Ports of the switches of the largest part, over the mean.
  double unevenness() const {
    std::vector<double> load(cut.parts, 0);
    double sum = 0;
    for (SwitchId s{0}; s.index < fabric().switches(); ++s.index) {
      load[cut.owner[fabric().node(s).index]] += fabric().port_count(fabric().node(s));
      sum += fabric().port_count(fabric().node(s));
    }
    return *std::max_element(load.begin(), load.end()) / (sum / cut.parts);
  }

  RunSetup setup;
  Cut cut;
};

TEST(CutFabric, KeepsHostsWithTheirSwitch) {
  const CutFabric tree("kind = 'k-ary-n-tree'\nk = 4\nn = 3\n", 4);
  for (HostId h{0}; h.index < tree.fabric().hosts(); ++h.index)
    EXPECT_EQ(tree.cut.owner[h.index],
              tree.cut.owner[tree.fabric().node_of(tree.fabric().to(tree.fabric().host_port(h))).index]);
  EXPECT_LE(tree.unevenness(), 1.11);
}
TEST(CutFabric, FewCablesLeadFromOnePartOfATorusToAnother) {
  const CutFabric torus("kind = 'torus'\nsizes = [8, 8, 8]\n", 8);
  if (min_cut(torus.fabric(), 8).empty()) GTEST_SKIP() << "weir was built without METIS";
  EXPECT_LT(torus.cables_between(), 460u) << "384 between cubes, 512 between slices";
  EXPECT_LE(torus.unevenness(), 1.11);
}
TEST(CutFabric, PodsOfATreeStayTogether) {
  const CutFabric tree("kind = 'k-ary-n-tree'\nk = 4\nn = 3\n", 4);
  EXPECT_LE(tree.cables_between(), 96u) << "three quarters of what leads up from the pods";
}
TEST(CutFabric, EveryRankHasSomething) {
  for (std::uint32_t parts = 1; parts < 40; ++parts)
    for (std::uint32_t ranks = 1; ranks <= parts; ++ranks) {
      Cut cut;
      cut.parts = parts;
      cut.ranks = ranks;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        ASSERT_LT(cut.first_of(rank), cut.first_of(rank + 1));
        for (std::uint32_t part = cut.first_of(rank); part < cut.first_of(rank + 1); ++part)
          ASSERT_EQ(cut.rank_of(part), rank) << part << " of " << parts << ", " << ranks << " ranks";
      }
    }
}

}  // namespace
}  // namespace weir
