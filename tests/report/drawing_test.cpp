// How the page draws a fabric: by what it was built as, also when cables are lost.
#include "report/page/drawing.h"

#include <gtest/gtest.h>

#include "network/topologies/clos_plan.h"
#include "network/topologies/dragonfly_plan.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

constexpr LinkProperties kLink{Rate{10'000'000'000}, Time{}, 0};

TEST(Drawing, PodsAndPlanesOfAClosFabric) {
  const Topology t = clos({{2, 3, 2}, {2, 2}, {1, 1}}, kLink, {kLink, kLink});  // 2 pods of 3 leaves, 2 planes
  const Drawing d = drawing_of(t);
  EXPECT_EQ(d.shape, "tree");
  EXPECT_EQ(d.level_names.size(), 3u);
  ASSERT_EQ(d.group.size(), t.switches());
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const std::string& name = t.name(t.node(SwitchId{s}));  // "P1.L2", "P0.F1", "S1.0": the first number
    EXPECT_EQ(d.group_names[static_cast<std::size_t>(d.group[s])],
              (name[0] == 'P' ? "pod " : "plane ") + name.substr(1, 1));
  }
}

TEST(Drawing, UnitsOfRails) {
  const Topology t = clos({{4, 6}, {2}, {1}, 3}, kLink, {kLink});  // 2 units of 3 rails
  const Drawing d = drawing_of(t);
  EXPECT_EQ(d.group, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, -1, -1}));
  EXPECT_EQ(d.group_names, (std::vector<std::string>{"unit 0", "unit 1"}));
}

TEST(Drawing, GroupsOfDragonflies) {
  const Drawing d = drawing_of(dragonfly({2, 1, 1, 3}, kLink, kLink, kLink));
  EXPECT_EQ(d.shape, "ring");
  EXPECT_EQ(d.group, (std::vector<std::int32_t>{0, 0, 1, 1, 2, 2}));
  const Topology plus = dragonfly_plus({2, 1, 1, 2, 3}, kLink, kLink, kLink);
  const Drawing p = drawing_of(plus);
  EXPECT_EQ(p.shape, "ring");
  EXPECT_EQ(p.group, (std::vector<std::int32_t>{0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(p.level[plus.node(SwitchId{2}).index], 1) << "a spine stands inside";
}

TEST(Drawing, GridsAlsoWithoutSomeCables) {
  const Topology t = torus({{4, 3}, 1}, kLink, kLink);
  const std::vector<PortId> lost{t.port(t.node(SwitchId{0}), 1)};
  const Topology broken = t.without(lost);
  EXPECT_EQ(broken.shape(), Shape::graph) << "routes must not rely on it";
  for (const Topology* each : {&t, &broken}) {
    const Drawing d = drawing_of(*each);
    EXPECT_EQ(d.shape, "grid");
    EXPECT_EQ(d.sizes, (std::vector<std::uint32_t>{4, 3}));
    EXPECT_TRUE(d.wraps);
    EXPECT_FALSE(d.all_joined);
  }
  EXPECT_FALSE(drawing_of(mesh({{4, 3}, 1}, kLink, kLink)).wraps);
  EXPECT_TRUE(drawing_of(hyperx({{4, 3}, 1}, kLink, kLink)).all_joined);
}

}  // namespace
}  // namespace weir
