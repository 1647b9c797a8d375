// The fabric's part of the result tables; only tables.cpp needs it.
#pragma once
#include <vector>

#include "store/tables.h"

namespace weir {

inline constexpr auto kInt = CellType::integer;
inline constexpr auto kReal = CellType::real;
inline constexpr auto kText = CellType::text;

std::vector<TableColumn> port_columns();
void port_rows(const PreparedRun& run, const RowSink& sink);
std::vector<TableColumn> root_columns();
void root_rows(const PreparedRun& run, const RowSink& sink);
std::vector<TableColumn> victim_columns();
void victim_rows(const PreparedRun& run, const RowSink& sink);
std::vector<TableColumn> watch_columns();
void watch_rows(const PreparedRun& run, const RowSink& sink);
std::vector<TableColumn> resequencing_columns();
void resequencing_rows(const PreparedRun& run, const RowSink& sink);

}  // namespace weir
