// See json.h. Lists come from the same tables as the CSV files and the database; what is added here is the nesting.
#include "store/json.h"

#include <fmt/format.h>

#include "store/cell_json.h"
#include "store/csv.h"
#include "store/tables.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 4;  // docs/results.md says what has changed since which

Json list_of(std::string_view table_name, const AnalysedRun& run) {
  const ResultTable& table = result_table(table_name);
  Json list = Json::array();
  table.rows(run, [&](const Row& row) { list.push_back(to_object(table.columns, row)); });
  return list;
}

// The first `kIdentity` columns of `runs` say which run it is; the rest are its totals.
constexpr std::size_t kIdentity = 12;

void add_identity_and_totals(Json& document, const AnalysedRun& run) {
  const ResultTable& table = runs_table();
  table.rows(run, [&](const Row& row) {
    for (std::size_t i = 0; i < kIdentity; ++i) document[std::string(table.columns[i].name)] = to_json(row[i]);
    document["totals"] = to_object(table.columns, row, kIdentity);
  });
}

Json parameters(const AnalysedRun& run) {
  Json object = Json::object();
  for (const auto& [key, value] : run.record.parameters) object[key] = to_json(literal_cell(value));
  return object;
}

Json event(const AnalysedRun& run) {
  const auto& event = run.digest.event;
  if (!event) return nullptr;
  Json classes = Json::array();
  for (const ClassId c : event->causes) classes.push_back(run.m().classes[c.index].name);
  return {{"from_s", to_json(seconds_cell(event->span.from))},
          {"to_s", to_json(seconds_cell(event->span.to))},
          {"classes", classes}};
}

Json classes(const AnalysedRun& run) {
  const ResultTable& table = result_table("classes");
  Json result = Json::object();
  table.rows(run, [&](const Row& row) { result[std::get<std::string>(row[0])] = to_object(table.columns, row, 1); });
  for (auto& [name, object] : result.items()) {
    object["marks_by_bits"] = Json::object();
    object["histogram"] = {{"generation", Json::array()}, {"injection", Json::array()}};
  }
  result_table("marks").rows(run, [&](const Row& row) {
    result[std::get<std::string>(row[0])]["marks_by_bits"][csv_field(row[1])] = to_json(row[2]);
  });
  result_table("histograms").rows(run, [&](const Row& row) {
    Json& bins = result[std::get<std::string>(row[0])]["histogram"][std::get<std::string>(row[1])];
    bins.push_back({to_json(row[3]), to_json(row[4]), to_json(row[5])});
  });
  return result;
}

Json apps(const AnalysedRun& run) {
  Json list = list_of("apps", run);
  for (std::size_t a = 0; a < list.size(); ++a) {
    Json phases = Json::array();
    for (const auto& end : run.digest.apps[a].phases) phases.push_back(to_json(end ? seconds_cell(*end) : Cell{}));
    list[a]["phase_ends_s"] = phases;
  }
  return list;
}

Json congestion(const AnalysedRun& run) {
  Json roots = list_of("congestion_roots", run);
  Json unexplained = Json::array();
  for (Json& root : roots) root["victims"] = Json::array();
  const ResultTable& table = result_table("congestion_victims");
  table.rows(run, [&](const Row& row) {
    const auto rank = static_cast<std::size_t>(std::get<std::int64_t>(row[0]));
    (rank == 0 ? unexplained : roots[rank - 1]["victims"]).push_back(to_object(table.columns, row, 1));
  });
  Json victim_flows = Json::array();
  for (std::size_t f = 0; f < run.digest.flow_roles.size(); ++f)
    if (run.digest.flow_roles[f] == FlowRole::victim) victim_flows.push_back(f);
  return {{"roots", roots},
          {"unexplained", unexplained},
          {"victim_flows", victim_flows},
          {"coarse", run.digest.congestion.coarse}};
}

// Column by column: a series is read as a whole, and this is a fifth of the size.
Json series(const AnalysedRun& run) {
  Json result = Json::object();
  const ResultTable& table = result_table("class_series");
  for (const ClassResult& c : run.m().classes)
    for (std::size_t i = 2; i < table.columns.size(); ++i)
      result[c.name][std::string(table.columns[i].name)] = Json::array();
  table.rows(run, [&](const Row& row) {
    Json& of_class = result[std::get<std::string>(row[0])];
    for (std::size_t i = 2; i < row.size(); ++i)
      of_class[std::string(table.columns[i].name)].push_back(to_json(row[i]));
  });
  return result;
}

// Watched ports and the resequencing buffer, column by column too; nothing where nobody watches.
Json watched(const AnalysedRun& run) {
  Json ports = Json::object();
  const ResultTable& table = result_table("port_series");
  table.rows(run, [&](const Row& row) {
    Json& of_port = ports[std::get<std::string>(row[0])];
    for (std::size_t i = 2; i < row.size(); ++i)
      of_port[std::string(table.columns[i].name)].push_back(to_json(row[i]));
  });
  if (ports.empty()) return nullptr;
  return {{"bin_s", to_json(seconds_cell(run.m().watch_bin))},
          {"ports", ports},
          {"resequencing_mean_packets", run.m().resequencing_series}};
}

Json numbers(const AnalysedRun& run) {
  Json result = Json::object();
  for (const auto& [name, value] : run.m().scheme_numbers) {
    Json entry = to_json(cell(value));
    if (!result.contains(name)) {
      result[name] = std::move(entry);
      continue;
    }
    if (!result[name].is_array()) result[name] = Json::array({result[name]});  // a list where a name occurs again
    result[name].push_back(std::move(entry));
  }
  return result;
}

std::string compact(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

// An object with a line per key, where lists of objects get a line per entry. Written piece by piece: the lists of a
// large fabric are never held as a whole.
class LineWriter {
 public:
  explicit LineWriter(const TextSink& out) : out_(out) { out_("{"); }
  void close() { out_("\n}"); }

  void add(const std::string& key, const Json& value) {
    begin(key);
    if (!value.is_array() || value.empty() || !value[0].is_object()) return out_(compact(value));
    for (const Json& entry : value) add_entry(entry);
    end_list();
  }
  void add_table(const std::string& key, std::string_view table_name, const AnalysedRun& run) {
    const ResultTable& table = result_table(table_name);
    begin(key);
    table.rows(run, [&](const Row& row) { add_entry(to_object(table.columns, row)); });
    end_list();
  }

 private:
  void begin(const std::string& key) {
    out_(separator_ + compact(key) + ": ");
    separator_ = ",\n";
    between_ = "[\n  ";
  }
  void add_entry(const Json& entry) {
    out_(between_ + compact(entry));
    between_ = ",\n  ";
  }
  void end_list() { out_(between_.front() == '[' ? "[]" : "]"); }

  const TextSink& out_;
  std::string separator_ = "\n", between_;
};

void write_run(const AnalysedRun& run, const TextSink& out) {
  LineWriter lines(out);
  Json head = Json::object();
  head["format"] = kFormat;
  add_identity_and_totals(head, run);
  for (const auto& [key, value] : head.items()) lines.add(key, value);
  lines.add("parameters", parameters(run));
  lines.add("event", event(run));
  lines.add("classes", classes(run));
  lines.add("congestion", congestion(run));
  lines.add("apps", apps(run));
  lines.add("slowdown", list_of("slowdown", run));
  lines.add("collectives", list_of("collectives", run));
  lines.add_table("flows", "flows", run);
  lines.add_table("ports", "ports", run);
  lines.add("pauses", list_of("pauses", run));
  lines.add_table("hosts", "hosts", run);
  lines.add("series", series(run));
  lines.add("watched", watched(run));
  lines.add("numbers", numbers(run));
  lines.close();
}

}  // namespace

void write_json(const std::vector<AnalysedRun>& runs, const TextSink& out) {
  if (runs.size() == 1) {
    write_run(runs.front(), out);
    return out("\n");
  }
  out(fmt::format("{{\n\"format\": {},\n\"runs\": [", kFormat));
  const char* separator = "\n";
  for (const AnalysedRun& run : runs) {
    out(separator);
    write_run(run, out);
    separator = ",\n";
  }
  out("]\n}\n");
}

std::string json_document(const std::vector<AnalysedRun>& runs) {
  std::string text;
  write_json(runs, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string json_document(const RunRecord& record) { return json_document(std::vector{analyse(record)}); }

std::string json_timing(const std::vector<AnalysedRun>& runs) {
  Json list = Json::array();
  for (const AnalysedRun& run : runs) {
    const EngineTotals& t = run.m().totals;
    const bool timed = t.cpu_seconds > 0;
    list.push_back({{"run_id", run.run_id},
                    {"label", run.record.label},
                    {"cpu_s", to_json(timed ? cell(t.cpu_seconds) : Cell{})},
                    {"hops_per_cpu_s", to_json(timed ? cell(static_cast<double>(t.hops) / t.cpu_seconds) : Cell{})},
                    {"events", t.events},
                    {"peak_packets_alive", t.peak_packets_alive},
                    {"threads", t.threads},
                    {"state_bytes", t.state_bytes}});
    if (t.ranks > 1) list.back()["ranks"] = t.ranks;
    if (!t.one_rank.empty()) list.back()["one_rank_because"] = t.one_rank;
    if (!t.threads_because.empty()) list.back()["threads_because"] = t.threads_because;
    if (!t.one_thread.empty()) list.back()["one_thread_because"] = t.one_thread;
  }
  std::string text;
  const TextSink out = [&](std::string_view piece) { text += piece; };
  LineWriter lines(out);
  lines.add("runs", list);
  lines.close();
  return text + "\n";
}

}  // namespace weir
