#include "report/answer/caveats.h"

#include <fmt/format.h>

#include <algorithm>

#include "packet/config/switch_presets.h"
#include "packet/flow_control/flow_control_kind.h"
#include "report/number_format.h"
#include "report/terminal/terminal_text.h"
#include "scenario/quantity.h"
#include "store/tables.h"

namespace weir {
namespace {

constexpr std::size_t kMostRemarks = 5;

bool arrived_early(const ClassResult& c) {
  return c.received > 0 && c.latency.count() == 0 && c.received_bytes_in_window == 0;
}

std::string why_nothing(const Measurements& m, std::uint32_t number) {
  std::size_t flows = 0, started = 0;
  for (const FlowResult& flow : m.flows) {
    if (flow.traffic_class.index != number) continue;
    ++flows;
    started += flow.start != kNever ? 1 : 0;
  }
  const std::string end = format_time(m.end);
  if (flows == 0) return "its sources generated no packet before the run ended at " + end;
  if (started > 0) return "its flows have started, but their hosts sent no packet before the run ended at " + end;
  return fmt::format("{} started before the run ended at {}",
                     flows == 1 ? "its flow had not" : fmt::format("none of its {} flows had", flows), end);
}

std::string remark_of(const Measurements& m, std::uint32_t number) {
  const ClassResult& c = m.classes[number];
  if (sent_nothing(c)) return fmt::format("class `{}` sent nothing: {}", c.name, why_nothing(m, number));
  if (c.received == 0 && c.received_bytes == 0)
    return fmt::format("no packet of class `{}` arrived before the run ended at {}", c.name, format_time(m.end));
  if (arrived_early(c))
    return fmt::format("no packet of class `{}` arrived after the warm-up of {}", c.name, format_time(m.warmup));
  return "";
}

std::vector<std::string> remarks_on_classes(const AnalysedRun& run) {
  const Measurements& m = run.m();
  const bool some_early = std::any_of(m.classes.begin(), m.classes.end(), arrived_early);
  const bool some_in_time = std::any_of(m.classes.begin(), m.classes.end(),
                                        [](const ClassResult& c) { return c.received > 0 && !arrived_early(c); });
  if (some_early && !some_in_time)
    return {fmt::format("no packet arrived after the warm-up of {}, so no latency is known: the run ended at {}",
                        format_time(m.warmup), format_time(m.end))};
  std::vector<std::string> remarks;
  for (std::uint32_t c = 0; c < m.classes.size(); ++c)
    if (std::string remark = remark_of(m, c); !remark.empty()) remarks.push_back(std::move(remark));
  if (remarks.size() > kMostRemarks) {
    const std::string rest =
        fmt::format("and {} more classes of which no packet arrived", remarks.size() - kMostRemarks);
    remarks.resize(kMostRemarks);
    remarks.push_back(rest);
  }
  const std::size_t ports = connected_ports(run).size();
  if (ports > run.max_rows)
    remarks.push_back(fmt::format("the tables contain {} of {} ports, those that waited longest or carried the most; "
                                  "measure.max_rows sets the number",
                                  run.max_rows, ports));
  return remarks;
}

// Files of subnets and of other simulators say how nodes are connected, and nothing of switches and packets.
std::string assumption_of(const AnalysedRun& run) {
  const Scenario& scenario = *run.record.scenario;
  const Section* topology = scenario.find("topology");
  if (topology == nullptr) return "";
  if (topology->kind != "file" && topology->kind != "htsim" && topology->kind != "ns3") return "";
  std::vector<std::string> assumed;
  const Section &link = scenario.section("link"), &switches = scenario.section("switch");
  if (topology->kind == "file" && !link.given("delay"))
    assumed.push_back(fmt::format("cables of {} (link.delay)", to_text(link.time("delay"))));
  const bool credits = chosen_component<FlowControlKind>(switches, "flow_control").by_credits;
  const SwitchPreset* preset = switch_preset(scenario, run.topology());
  if (preset != nullptr && !switches.given("preset"))
    assumed.push_back(fmt::format("switches like {}, {} from port to port, with buffers of {} (switch.preset)",
                                  preset->name, preset->latency, kAssumedBuffer));
  if (preset != nullptr && switches.given("preset") && credits && !switches.given("buffer") &&
      !switches.given("buffer_packets"))
    assumed.push_back(fmt::format("buffers of {} (switch.buffer)", kAssumedBuffer));
  if (preset == nullptr && !switches.given("switch_delay") && !switches.given("route_delay"))
    assumed.push_back(fmt::format("switches that take {} (switch.switch_delay)",
                                  to_text(switches.time("route_delay") + switches.time("switch_delay"))));
  if (preset == nullptr && credits && !switches.given("buffer") && !switches.given("buffer_packets"))
    assumed.push_back("buffers of 8 packets (switch.buffer)");
  if (!scenario.section("packet").given("header")) assumed.push_back("packets without headers (packet.header)");
  if (topology->kind == "file" && scenario.section("routing").kind == "auto")
    assumed.push_back("routes by weir, not those of the subnet (routing.kind)");
  if (assumed.empty()) return "";
  return fmt::format("assumed, because the fabric file does not say: {}", fmt::join(assumed, "; "));
}

}  // namespace

namespace {

// A scheme whose senders wait for acknowledgements pays for them, too, where nobody else asks for them.
std::string price_of_acks(const AnalysedRun& run) {
  const Scenario& scenario = *run.record.scenario;
  const Section *adapter = scenario.find("adapter"), *packet = scenario.find("packet");
  if (adapter == nullptr || packet == nullptr || !adapter->knows("acks") || adapter->flag("acks")) return "";
  std::uint64_t received = 0;
  for (const ClassResult& c : run.m().classes) received += c.received_bytes;
  const auto bytes = static_cast<double>(run.m().totals.acks) * static_cast<double>(packet->bytes("ack"));
  if (bytes == 0 || received == 0) return "";
  return fmt::format("; but its {} acknowledgements used bandwidth: {} of what the data used",
                     format_count(run.m().totals.acks), format_share(bytes / static_cast<double>(received)));
}

}  // namespace

bool sent_nothing(const ClassResult& c) {
  return c.generated == 0 && c.refused == 0 && c.injected == 0 && c.received == 0 && c.received_bytes == 0;
}

std::string idle_sentence(const AnalysedRun& run) {
  const RunRecord& record = run.record;
  if (run.m().scheme_idle.empty()) return "";
  std::string name = record.scheme.empty() ? "the scheme" : record.scheme;
  if (!record.label.empty() && record.label != record.scheme) name = fmt::format("{} ({})", record.label, name);
  return name + " never acted: " + run.m().scheme_idle + price_of_acks(run);
}

std::vector<std::string> caveats_of(const AnalysedRun& run) {
  std::vector<std::string> remarks = remarks_on_classes(run);
  if (std::string assumed = assumption_of(run); !assumed.empty()) remarks.insert(remarks.begin(), std::move(assumed));
  if (std::string idle = idle_sentence(run); !idle.empty()) remarks.push_back(std::move(idle));
  return remarks;
}

std::string caveat_lines(const AnalysedRun& run, const TextStyle& style) {
  std::string text;
  for (const std::string& remark : caveats_of(run)) text += wrap("note: " + printable(remark), style.width, 6);
  return text;
}

}  // namespace weir
