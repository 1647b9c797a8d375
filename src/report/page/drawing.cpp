#include "report/page/drawing.h"

#include <algorithm>

#include "network/hops.h"
#include "network/topologies/clos_plan.h"
#include "network/topologies/dragonfly_plan.h"
#include "network/topologies/tree_levels.h"

namespace weir {
namespace {

std::vector<std::int32_t> levels_of(const Topology& t) {
  std::vector<std::int32_t> levels(t.nodes(), -1);
  for (std::uint32_t s = 0; s < t.switches(); ++s) {
    const NodeId n = t.node(SwitchId{s});
    levels[n.index] = t.level(n);
  }
  return levels;
}

void add_names(Drawing& drawing, const char* word, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) drawing.group_names.push_back(word + std::to_string(i));
}

// Pods stand together, and so do the spines of a plane; of a rail-optimised fabric the rails of a unit.
void arrange_clos(const Topology& t, Drawing& drawing) {
  const ClosPlan plan(t);
  const std::uint32_t rails = plan.rails();
  drawing.group.assign(t.switches(), -1);
  if (plan.levels() == 3) {
    const std::uint32_t pods = plan.switches_at(1) / plan.replicas(1), planes = plan.replicas(1);
    add_names(drawing, "pod ", pods);
    add_names(drawing, "plane ", planes);
    drawing.level_names = {"leaves", "pod switches", "spines"};
    for (std::uint32_t s = 0; s < t.switches(); ++s) {
      const ClosPlan::Place p = plan.place({s});
      drawing.group[s] = static_cast<std::int32_t>(p.level == 0   ? p.subtree / plan.down(1)
                                                   : p.level == 1 ? p.subtree
                                                                  : pods + p.replica / plan.up(1));
    }
  } else if (rails > 1) {
    add_names(drawing, "unit ", plan.leaves() / rails);
    drawing.level_names = {"rails", "spines"};
    for (std::uint32_t s = 0; s < plan.leaves(); ++s) drawing.group[s] = static_cast<std::int32_t>(s / rails);
  } else {
    drawing.level_names = {"leaves", "spines"};
  }
}

template <class Plan>
void arrange_groups(const Topology& t, Drawing& drawing) {
  const Plan plan(t);
  drawing.shape = "ring";
  add_names(drawing, "G", plan.shape().groups);
  for (std::uint32_t s = 0; s < t.switches(); ++s)
    drawing.group.push_back(static_cast<std::int32_t>(plan.group_of({s})));
}

// A cable list does not say that it is a tree; the cables do.
void arrange_graph(const Topology& t, Drawing& drawing) {
  const TreeLevels found = tree_levels(t);
  if (!found.is_tree || std::find(found.level.begin(), found.level.end(), kFar) != found.level.end()) return;
  drawing.shape = "tree";
  for (std::uint32_t s = 0; s < t.switches(); ++s)
    drawing.level[t.node(SwitchId{s}).index] = static_cast<std::int32_t>(found.level[s]);
}

}  // namespace

Drawing drawing_of(const Topology& t) {
  Drawing drawing;
  drawing.shape = "graph";
  drawing.level = levels_of(t);
  switch (t.built_as()) {
    case Shape::graph: arrange_graph(t, drawing); break;
    case Shape::tree: drawing.shape = "tree"; break;
    case Shape::unidirectional_min: drawing.shape = "umin"; break;
    case Shape::bidirectional_min: drawing.shape = "bmin"; break;
    case Shape::clos:
      drawing.shape = "tree";
      arrange_clos(t, drawing);
      break;
    case Shape::torus:
    case Shape::mesh:
    case Shape::hyperx:
      drawing.shape = "grid";
      drawing.sizes.assign(t.sizes().begin(), t.sizes().end());
      drawing.wraps = t.built_as() == Shape::torus;
      drawing.all_joined = t.built_as() == Shape::hyperx;
      break;
    case Shape::dragonfly:
      drawing.level_names = {"routers"};
      arrange_groups<DragonflyPlan>(t, drawing);
      break;
    case Shape::dragonfly_plus:
      drawing.level_names = {"leaves", "spines"};
      arrange_groups<DragonflyPlusPlan>(t, drawing);
      break;
  }
  return drawing;
}

}  // namespace weir
