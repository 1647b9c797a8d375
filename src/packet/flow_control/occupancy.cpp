// The rarer half of the gauges: more leaves to come than a gauge has places for.
#include "packet/flow_control/occupancy.h"

namespace weir {

void InputGauges::keep_elsewhere(Gauge& g, ChannelId channel, const Leave& leave) {
  if (elsewhere_.empty()) elsewhere_.resize(gauges_.size());
  std::vector<Leave>& heap = elsewhere_[channel.index];
  heap.push_back(leave);
  std::push_heap(heap.begin(), heap.end());
  ++g.elsewhere;
}

void InputGauges::fold_elsewhere(Gauge& g, ChannelId channel, std::int64_t until, std::int32_t& all,
                                 std::int32_t& at_once) {
  std::vector<Leave>& heap = elsewhere_[channel.index];
  while (!heap.empty() && heap.front().at <= until) {
    const Leave leave = heap.front();
    all += leave.cost;
    at_once += leave.at <= g.landed ? leave.cost : 0;
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
    --g.elsewhere;
  }
}

}  // namespace weir
