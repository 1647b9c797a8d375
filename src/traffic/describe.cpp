// The workload in a line or two, for the terminal.
#include <fmt/core.h>

#include "scenario/quantity.h"
#include "traffic/generators.h"

namespace weir {

namespace {

std::string plural(std::size_t count, std::string_view one) {
  return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
}

std::string bits_text(double bytes_per_second) {
  const double bits = bytes_per_second * 8;
  return bits < 1e9 ? fmt::format("{:.4g} Mb/s", bits * 1e-6) : fmt::format("{:.4g} Gb/s", bits * 1e-9);
}

std::string size_text(double bytes) {
  if (bytes < 1e6) return fmt::format("{:.4g} kB", bytes * 1e-3);
  return bytes < 1e9 ? fmt::format("{:.4g} MB", bytes * 1e-6) : fmt::format("{:.4g} GB", bytes * 1e-9);
}

std::string describe_flows(const Workload& workload) {
  std::size_t endless = 0;
  double bytes = 0;
  for (const Flow& flow : workload.flows) {
    if (flow.bytes == kEndless) {
      ++endless;
    } else {
      bytes += static_cast<double>(flow.bytes);
    }
  }
  std::string text = plural(workload.flows.size(), "flow");
  if (workload.apps > 1) text += fmt::format(" of {} applications", workload.apps);
  if (endless < workload.flows.size()) text += ", " + size_text(bytes);
  if (endless > 0)
    text += fmt::format(", {} endless", endless == workload.flows.size() ? "all" : std::to_string(endless));
  return text;
}

std::string describe_sources(const Workload& workload) {
  double steady = 0;
  std::uint64_t budget = 0;
  constexpr auto kNoBudget = std::numeric_limits<std::uint64_t>::max();
  for (const Source& source : workload.sources) {
    if (source.packets != kNoBudget) {
      budget += source.packets;
    } else {
      steady += source.packets_per_second * mean_payload(workload.groups[source.group].sizes);
    }
  }
  std::string text = plural(workload.sources.size(), "source");
  if (workload.groups.size() > 1) text += fmt::format(" in {} groups", workload.groups.size());
  if (steady > 0) text += fmt::format(", {} of payload offered", bits_text(steady));
  if (budget > 0) text += fmt::format(", {} in limited bursts", plural(budget, "packet"));
  return text;
}

}  // namespace

std::string describe(const Workload& workload) {
  std::string text;
  if (!workload.flows.empty()) text = describe_flows(workload);
  if (!workload.sources.empty()) text += (text.empty() ? "" : "\n") + describe_sources(workload);
  return text.empty() ? "no traffic" : text;
}

}  // namespace weir
