#include "report/answer/flow_ends.h"

#include <algorithm>

#include "report/answer/wording.h"
#include "traffic/workload.h"

namespace weir {

std::optional<FlowEnds> flow_ends(const PreparedRun& run, const std::string& class_name) {
  const Measurements& m = run.m();
  const auto traffic_class = class_called(run, class_name);
  if (!traffic_class) return {};
  FlowEnds ends;
  double sum = 0;
  std::uint64_t delivered = 0;
  Time first = kNever, last{0};
  for (const FlowResult& flow : m.flows) {
    if (flow.traffic_class != *traffic_class) continue;
    if (flow.bytes == kEndless) return {};
    ++ends.flows;
    delivered += static_cast<std::uint64_t>(flow.delivered);
    first = std::min(first, flow.start);
    const auto duration = flow_completion_ps(flow);
    if (!duration) continue;
    ++ends.complete;
    sum += *duration;
    last = std::max(last, flow.completion);
  }
  // What is not in the flows came from sources of single packets.
  if (ends.flows == 0 || delivered < m.classes[traffic_class->index].received_bytes) return {};
  if (ends.complete > 0) {
    ends.mean_ps = sum / static_cast<double>(ends.complete);
    ends.last_ps = static_cast<double>((last - first).ps);
  }
  return ends;
}

}  // namespace weir
