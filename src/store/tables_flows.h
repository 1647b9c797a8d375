// The parts of the result tables that concern flows; only tables.cpp needs them.
#pragma once
#include <optional>
#include <vector>

#include "store/tables.h"

namespace weir {

ResultTable flow_table();
ResultTable app_table();
ResultTable phase_table();
ResultTable slowdown_table();

// Slowdown as columns of runs and classes.
std::vector<TableColumn> with_slowdown(std::vector<TableColumn> columns);
void append_slowdown(Row& row, const std::optional<Slowdown>& slowdown);

}  // namespace weir
