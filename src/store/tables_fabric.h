// The parts of the result tables that have a file of their own; only tables.cpp needs them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/tables.h"

namespace weir {

inline constexpr auto kInt = CellType::integer;
inline constexpr auto kReal = CellType::real;
inline constexpr auto kText = CellType::text;

// The `most` of so many that come first by `before`, a total order; in the order of their numbers.
template <class Before>
std::vector<std::uint32_t> first_of(std::vector<std::uint32_t> numbers, std::size_t most, Before before) {
  if (numbers.size() <= most) return numbers;
  std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(most), numbers.end(), before);
  numbers.resize(most);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<TableColumn> port_columns();
void port_rows(const AnalysedRun& run, const RowSink& sink);
std::vector<TableColumn> pause_columns();
void pause_rows(const AnalysedRun& run, const RowSink& sink);
std::vector<TableColumn> root_columns();
void root_rows(const AnalysedRun& run, const RowSink& sink);
std::vector<TableColumn> victim_columns();
void victim_rows(const AnalysedRun& run, const RowSink& sink);
ResultTable collective_table();
std::vector<TableColumn> watch_columns();
void watch_rows(const AnalysedRun& run, const RowSink& sink);
std::vector<TableColumn> resequencing_columns();
void resequencing_rows(const AnalysedRun& run, const RowSink& sink);

}  // namespace weir
