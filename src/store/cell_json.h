// Cells and rows of the result tables as JSON.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "store/tables.h"

namespace weir {

inline nlohmann::ordered_json to_json(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return nullptr;
        else
          return value;
      },
      cell);
}

inline nlohmann::ordered_json to_object(const std::vector<TableColumn>& columns, const Row& row,
                                        std::size_t first = 0) {
  auto object = nlohmann::ordered_json::object();
  for (std::size_t i = first; i < row.size(); ++i) object[std::string(columns[i].name)] = to_json(row[i]);
  return object;
}

}  // namespace weir
