// The figures of the papers that are computations of their own, by paper. What each column of a table means stands
// beside the function that fills it.
#pragma once
#include "reproduce/computation.h"

namespace weir {
namespace dcqcn {
RowTable fluid(const Work& work, Parameters& with);
}  // namespace dcqcn
namespace ferrer {
RowTable calibration(const Work& work, Parameters& with);
RowTable window(const Work& work, Parameters& with);
}  // namespace ferrer
namespace mizero {
RowTable roots(const Work& work, Parameters& with);
}  // namespace mizero
namespace zdornov {
RowTable contention(const Work& work, Parameters& with);
RowTable link_contention(const Work& work, Parameters& with);
RowTable overhead(const Work& work, Parameters& with);
RowTable phase_runs(const Work& work, Parameters& with);
RowTable phase_rates(const Work& work, Parameters& with);
RowTable independent(const Work& work, Parameters& with);
RowTable applications(const Work& work, Parameters& with);
RowTable dffa(const Work& work, Parameters& with);
RowTable dafa(const Work& work, Parameters& with);
RowTable saa_m_packets(const Work& work, Parameters& with);
RowTable realisation(const Work& work, Parameters& with);
RowTable fabrics(const Work& work, Parameters& with);
RowTable bounds(const Work& work, Parameters& with);
RowTable bound_search(const Work& work, Parameters& with);
RowTable two_applications(const Work& work, Parameters& with);
}  // namespace zdornov
}  // namespace weir
