// The fluid model of DCQCN (Zhu et al. 2016) for several numbers of flows and delays.
#include "reproduce/computations.h"
#include "schemes/roce/dcqcn_fluid.h"

namespace weir::dcqcn {

// A row for each number of flows and delay of the loop; queues in bytes.
RowTable fluid(const Work& work, Parameters& with) {
  Fluid model;
  model.red = {static_cast<double>(with.number("kmin")), static_cast<double>(with.number("kmax"))};
  model.pmax = with.number("pmax_percent") / 100.0;
  model.memory = with.flag("memory");
  model.departing = with.flag("departing");
  const std::vector<std::uint32_t> flows = with.numbers("flows"), delays = with.numbers("delays_us");
  std::vector<FluidResult> found(flows.size() * delays.size());
  work.parallel(found.size(), [&](std::size_t i) {
    Fluid one = model;
    one.flows = flows[i % flows.size()];
    one.delay = delays[i / flows.size()] * 1e-6;
    found[i] = solve(one, 0.4, 0.6);
  });
  RowTable table{{"flows", "delay_us", "mean", "deviation", "least", "most", "marked", "alpha"}, {}};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const FluidResult& r = found[i];
    table.rows.push_back({static_cast<double>(flows[i % flows.size()]), static_cast<double>(delays[i / flows.size()]),
                          r.mean, r.deviation, r.least, r.most, r.marked, r.alpha});
  }
  return table;
}

}  // namespace weir::dcqcn
