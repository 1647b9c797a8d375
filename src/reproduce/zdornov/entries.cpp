// Papers 000 and 003: adaptive flow routing, explicit rates, injection.
#include "reproduce/entries.h"
#include "reproduce/zdornov/flow_entries.h"

namespace weir {

std::span<const Entry> zdornov_entries() {
  static constexpr Entry kList[] = {
      {"zdornov/fig-1.1", "congestion spreads: six flows through two switches", zdornov_fig_1_1},
      {"zdornov/fig-2.2", "rates that know no applications", zdornov_fig_2_2},
      {"zdornov/fig-6.2", "flows per link under permutations, static and adaptive ascent", zdornov_fig_6_2},
      {"zdornov/fig-6.4", "contention by width of the horizontal links", zdornov_fig_6_4},
      {"zdornov/fig-6.5", "contention by radix and height of the tree", zdornov_fig_6_5},
      {"zdornov/fig-6.6", "ForcedDir and FreeDir by allowed hops", zdornov_fig_6_6},
      {"zdornov/table-6.1", "additional ports of the modified tree", zdornov_table_6_1},
      {"zdornov/fig-6.7", "one phase: completion with and without rate control", zdornov_fig_6_7},
      {"zdornov/fig-6.8", "independent flows: calculated rates against no control", zdornov_fig_6_8},
      {"zdornov/fig-6.9", "DFFA: calculation times", zdornov_fig_6_9},
      {"zdornov/fig-6.10", "several applications: calculated rates against no control", zdornov_fig_6_10},
      {"zdornov/fig-6.11", "DAFA: calculation times", zdornov_fig_6_11},
      {"zdornov/saa-m-messages", "SAA-M: control packets until the final rate", zdornov_saa_m_messages},
      {"zdornov/table-6.3", "realised rates of one application by buffers", zdornov_table_6_3},
      {"zdornov/table-6.4", "realised rates of independent flows by buffers", zdornov_table_6_4},
      {"zdornov/beyond", "what the paper left open: switches, caches, weights, other fabrics", zdornov_beyond},
      {"zdornov/prop-4.4.1", "what a flow may lose under SAA", zdornov_prop_4_4_1},
      {"zdornov/prop-4.4.2", "what an application may lose under FFA and SAA", zdornov_prop_4_4_2},
  };
  return kList;
}

}  // namespace weir
