// The table of collective operations.
#include "store/tables_fabric.h"

namespace weir {

namespace {

Cell seconds_of(const std::optional<Time>& time) { return time ? Cell{time->seconds()} : Cell{}; }

void collective_rows(const AnalysedRun& run, const RowSink& sink) {
  std::int64_t number = 0;
  for (const CollectiveResult& c : run.m().collectives) {
    const bool done = c.completion.has_value();
    sink({Cell{number++}, Cell{std::int64_t{c.app.index}}, Cell{c.operation}, Cell{std::int64_t{c.group}},
          Cell{std::int64_t{c.repetition}}, Cell{std::int64_t{c.ranks}}, Cell{static_cast<std::int64_t>(c.bytes)},
          seconds_of(c.start), seconds_of(c.completion), done ? Cell{(*c.completion - *c.start).seconds()} : Cell{},
          done ? Cell{c.algorithm_bps} : Cell{}, done ? Cell{c.bus_bps} : Cell{},
          done ? Cell{run.topology().name(run.topology().node(c.slowest))} : Cell{}, seconds_of(c.first_done)});
  }
}

}  // namespace

ResultTable collective_table() {
  return {"collectives",
          "collectives.csv",
          {{"number", kInt, true},
           {"app", kInt},
           {"operation", kText},
           {"group_number", kInt},
           {"repetition", kInt},
           {"ranks", kInt},
           {"bytes", kInt},
           {"start_s", kReal},
           {"completion_s", kReal},
           {"duration_s", kReal},
           {"algorithm_bps", kReal},
           {"bus_bps", kReal},
           {"slowest", kText},
           {"first_done_s", kReal}},
          collective_rows};
}

}  // namespace weir
