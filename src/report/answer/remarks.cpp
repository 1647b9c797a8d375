#include "report/answer/remarks.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.h"
#include "report/terminal/text.h"
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
  if (flows == 0) return "its sources made no packet before the run ended at " + end;
  if (started > 0) return "its flows have started, but their hosts sent no packet before the run ended at " + end;
  return fmt::format("{} started before the run ended at {}",
                     flows == 1 ? "its flow had not" : fmt::format("none of its {} flows had", flows), end);
}

std::string remark_of(const Measurements& m, std::uint32_t number) {
  const ClassResult& c = m.classes[number];
  if (sent_nothing(c)) return fmt::format("class {} sent nothing: {}", c.name, why_nothing(m, number));
  if (c.received == 0 && c.received_bytes == 0)
    return fmt::format("nothing of class {} arrived before the run ended at {}", c.name, format_time(m.end));
  if (arrived_early(c))
    return fmt::format("nothing of class {} arrived after the warm-up of {}", c.name, format_time(m.warmup));
  return "";
}

std::vector<std::string> remarks_on_classes(const PreparedRun& run) {
  const Measurements& m = run.m();
  const bool some_early = std::any_of(m.classes.begin(), m.classes.end(), arrived_early);
  const bool some_in_time = std::any_of(m.classes.begin(), m.classes.end(),
                                        [](const ClassResult& c) { return c.received > 0 && !arrived_early(c); });
  if (some_early && !some_in_time)
    return {fmt::format("nothing arrived after the warm-up of {}, so no latency is known: the run ended at {}",
                        format_time(m.warmup), format_time(m.end))};
  std::vector<std::string> remarks;
  for (std::uint32_t c = 0; c < m.classes.size(); ++c)
    if (std::string remark = remark_of(m, c); !remark.empty()) remarks.push_back(std::move(remark));
  if (remarks.size() > kMostRemarks) {
    const std::string rest = fmt::format("and {} more classes of which nothing came", remarks.size() - kMostRemarks);
    remarks.resize(kMostRemarks);
    remarks.push_back(rest);
  }
  const std::size_t ports = connected_ports(run).size();
  if (ports > run.max_rows)
    remarks.push_back(fmt::format("the tables hold {} of {} ports, those that waited longest or carried the most; "
                                  "measure.max_rows says how many",
                                  run.max_rows, ports));
  return remarks;
}

}  // namespace

bool sent_nothing(const ClassResult& c) {
  return c.generated == 0 && c.refused == 0 && c.injected == 0 && c.received == 0 && c.received_bytes == 0;
}

std::string idle_sentence(const PreparedRun& run) {
  const RunRecord& record = run.record;
  if (run.m().scheme_idle.empty()) return "";
  std::string name = record.scheme.empty() ? "the scheme" : record.scheme;
  if (!record.label.empty() && record.label != record.scheme) name = fmt::format("{} ({})", record.label, name);
  return name + " never acted: " + run.m().scheme_idle;
}

std::vector<std::string> remarks_of(const PreparedRun& run) {
  std::vector<std::string> remarks = remarks_on_classes(run);
  if (std::string idle = idle_sentence(run); !idle.empty()) remarks.push_back(std::move(idle));
  return remarks;
}

std::string remark_lines(const PreparedRun& run, const TextStyle& style) {
  std::string text;
  for (const std::string& remark : remarks_of(run)) text += wrap("note: " + printable(remark), style.width, 6);
  return text;
}

}  // namespace weir
