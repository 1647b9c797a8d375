#include "measure/collectives.h"

#include <algorithm>
#include <map>

#include "measure/measurements.h"
#include "traffic/workload.h"

namespace weir {

namespace {

CollectiveResult result_of(const CollectiveRecord& record, const std::vector<FlowResult>& flows) {
  CollectiveResult r{
      record.app, record.operation, record.group, record.repetition, record.ranks, record.bytes, {}, {}, 0, 0, {}, {},
      {}};
  std::map<HostId, Time> ends;
  bool complete = true;
  for (std::uint32_t f = record.first.index; f < record.last.index; ++f) {
    const FlowResult& flow = flows[f];
    if (flow.start != kNever) r.start = r.start ? std::min(*r.start, flow.start) : flow.start;
    complete = complete && flow.completion != kNever;
    for (const HostId host : {flow.source, flow.destination}) ends[host] = std::max(ends[host], flow.completion);
  }
  if (!ends.empty()) r.lowest = ends.begin()->first;
  if (!complete || !r.start || ends.empty()) return r;
  for (const auto& [host, end] : ends) {
    if (!r.completion || end > *r.completion) {
      r.completion = end;
      r.slowest = host;
    }
    r.first_done = r.first_done ? std::min(*r.first_done, end) : end;
  }
  const double seconds = (*r.completion - *r.start).seconds();
  if (seconds > 0) r.algorithm_bps = 8 * static_cast<double>(record.bytes) / seconds;
  r.bus_bps = r.algorithm_bps * record.bus_factor;
  return r;
}

}  // namespace

std::vector<CollectiveResult> collective_results(const Workload& workload, const std::vector<FlowResult>& flows) {
  std::vector<CollectiveResult> results;
  for (const CollectiveRecord& record : workload.collectives) results.push_back(result_of(record, flows));
  return results;
}

}  // namespace weir
