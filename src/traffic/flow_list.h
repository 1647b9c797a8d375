// Flows given one by one: rows of a CSV file or of the scenario. Anything that cannot be meant is refused with its
// line.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "traffic/hosts.h"
#include "traffic/permutations.h"
#include "traffic/workload.h"

namespace weir {

struct FlowRows {
  struct Row {
    SourcePosition where;
    std::vector<std::string> cells;
  };
  std::vector<std::string> columns;  // any of flow_columns(); src, dst and bytes must be there
  SourcePosition columns_where;
  std::vector<Row> rows;
};

// src, dst: host number or name. bytes: quantity or "endless". start: time. weight: 1e-9 to 1e9. app, phase: whole
// numbers from 0. id: any name. after: the id of another row; without an id column the number of a row, the first being
// 0. class: traffic class. lane: 0 to 7. docs/traces.md says it at length.
std::vector<std::string_view> flow_columns();

FlowRows flow_rows_from_csv(const std::string& file, std::string_view text);

// Columns and empty cells take their value from `defaults`. Application numbers of the table are counted from
// defaults.app; absolute starts from defaults.start. Without a column for bytes, flows are endless. Returns the names
// of the applications where they have names and not numbers; otherwise nothing.
std::vector<std::string> add_flow_rows(Workload& workload, const FlowRows& table, const FlowBasics& defaults,
                                       const HostList& hosts);

inline constexpr std::size_t kMostClasses = 1000;

// The number of a class, which is added if there is none of that name.
class ClassNames {
 public:
  explicit ClassNames(Workload& workload);
  ClassId number(std::string_view name);

 private:
  Workload& workload_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  // looked up only, never walked
};

}  // namespace weir
