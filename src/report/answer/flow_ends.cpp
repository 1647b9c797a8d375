#include "report/answer/flow_ends.h"

#include <algorithm>
#include <vector>

#include "report/answer/phrases.h"
#include "traffic/workload.h"

namespace weir {
namespace {

std::vector<const FlowResult*> flows_of(const AnalysedRun& run, const std::string& class_name) {
  std::vector<const FlowResult*> flows;
  const auto traffic_class = class_called(run, class_name);
  for (const FlowResult& flow : run.m().flows)
    if (traffic_class && flow.traffic_class == *traffic_class) flows.push_back(&flow);
  return flows;
}

}  // namespace

std::optional<FlowEnds> flow_ends(const AnalysedRun& run, const std::string& class_name) {
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

bool slowdown_is_comparable(const AnalysedRun& a, const AnalysedRun& b, const std::string& class_name) {
  const auto flows = flows_of(a, class_name), others = flows_of(b, class_name);
  const auto same = [](const FlowResult* x, const FlowResult* y) {
    return x->alone != kNever && x->alone == y->alone && x->start == y->start;
  };
  return !flows.empty() && std::equal(flows.begin(), flows.end(), others.begin(), others.end(), same);
}

}  // namespace weir
