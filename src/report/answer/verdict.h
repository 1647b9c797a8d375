// Which run helps the traffic that did nothing wrong: the last sentence of a comparison.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/answer/judgement.h"
#include "store/run_record.h"

namespace weir {

std::string verdict(
    const std::vector<AnalysedRun>& runs);  // sentences, the last without a stop; empty for a single run

// On InfiniBand, traffic in a lane of its own does not wait behind the disturbance, whatever the scheme. What to say
// where nobody tried that, and what to type, which stands alone.
struct UntriedLane {
  std::string text, options;
};
std::optional<UntriedLane> untried_lane(const std::vector<AnalysedRun>& runs);

// Where no scheme that can be had for this fabric helps: "`dcqcn` can be deployed on this fabric, but the peak latency
// is not clearly lower with it (181 us against 184 us)".
std::string none_available(const std::vector<AnalysedRun>& runs, const Judgement& j);

// The best of the runs with a scheme that the owner of an InfiniBand subnet can enable there, by opensm's own options;
// number of runs if none helps.
std::size_t opensm_can_enable(const std::vector<AnalysedRun>& runs, const Judgement& j);

// Of schemes that do not help: which ran with defaults, and what could be tried; empty if there are none.
std::string untried_remark(const std::vector<AnalysedRun>& runs, const Judgement& j);

// What to keep in mind where a percentile decides and rests on few flows; otherwise empty.
std::string few_flows_remark(const std::vector<AnalysedRun>& runs, const Judgement& j);

}  // namespace weir
