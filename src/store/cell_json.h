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

using Json = nlohmann::ordered_json;

inline Json to_json(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          return nullptr;
        else
          return value;
      },
      cell);
}

inline Json to_object(const std::vector<TableColumn>& columns, const Row& row, std::size_t first = 0) {
  Json object = Json::object();
  for (std::size_t i = first; i < row.size(); ++i) object[std::string(columns[i].name)] = to_json(row[i]);
  return object;
}

}  // namespace weir
