// Paper 000, packet by packet: figure 1.1.
#include <fmt/format.h>

#include "measure/derive.h"
#include "reproduce/entries.h"

namespace weir {

// Six equal flows: rates while all are active, and the completion of the last when each has one unit of data.
void zdornov_fig_1_1(Reproduction& r) {
  const std::vector<Outcome> outcomes = r.run(
      {r.scenario("zdornov/fig-1.1.toml", {{"run.until", "duration"}, {"run.duration", "50ms"}, {"run.warmup", "5ms"}}),
       r.scenario("zdornov/fig-1.1.toml")});
  const Measurements& steady = outcomes[0].measurements;
  const double line = 1e9 * (steady.end - steady.warmup).seconds();
  for (std::size_t f = 0; f < steady.flows.size(); ++f)
    r.value(fmt::format("rate of f{}", f + 1), static_cast<double>(steady.flows[f].delivered_in_window) / line);
  const Topology& topology = outcomes[0].network->topology;
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const PortId port{p};
    if (topology.name(topology.node_of(port)) == "SW1" && topology.name(topology.node_of(topology.to(port))) == "SW2")
      r.value("load of the link sw1 -> sw2", utilisation(steady, port));
  }
  Time last;
  for (const FlowResult& flow : outcomes[1].measurements.flows) last = std::max(last, flow.completion);
  r.value("completion of all flows", last.seconds() / 0.020);
  r.note(
      "Round robin by input and 8 packet buffers of 2048 B, as the figure's text says; one unit is 20 MB at 8 Gb/s.");
}

}  // namespace weir
