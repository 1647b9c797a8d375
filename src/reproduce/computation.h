// Figures that no scenario gives: computations of their own. Each fills a table, which the entry's questions read like
// those of a run; what the paper says about its numbers stands in the entry's file.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "scenario/toml/table_reader.h"
#include "reproduce/work.h"

namespace weir {

struct RowTable {
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

// The parameters of a [[compute]] step: numbers or lists of them, each for every depth or one for each.
class Parameters {
 public:
  Parameters(const Node& with, Depth depth) : reader_(with, "`with`"), depth_(depth) {}

  std::uint32_t number(std::string_view key);
  std::vector<std::uint32_t> numbers(std::string_view key);
  bool flag(std::string_view key) { return reader_.flag(key); }
  std::string text(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  std::vector<Override> settings(std::string_view key);
  const std::vector<Node>& tables(std::string_view key);
  void finish() const { reader_.finish(); }

 private:
  const Node& get(std::string_view key) { return in_depth(reader_.need(key), depth_); }

  TableReader reader_;
  Depth depth_;
};

struct Computation {
  std::string_view name;
  RowTable (*run)(const Work& work, Parameters& with);
};
const Computation* find_computation(std::string_view name);

}  // namespace weir
