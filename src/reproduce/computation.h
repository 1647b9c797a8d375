// Figures that no scenario gives: computations of their own. Each fills a table, which the entry's questions read like
// those of a run; what the paper says about its numbers stands in the entry's file.
#pragma once
#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/paper.h"
#include "reproduce/work.h"
#include "scenario/toml/table_reader.h"

namespace weir {

struct RowTable {
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

// The parameters of a [[compute]] step: numbers or lists of them, each for every depth or one for each; and the second
// reading, where the step is done in it.
class Parameters {
 public:
  Parameters(const TomlNode& with, Depth depth, const Reading* second = nullptr)
      : reader_(with, "`with`"), depth_(depth), second_(second) {}

  std::uint32_t number(std::string_view key);
  std::vector<std::uint32_t> numbers(std::string_view key);
  bool flag(std::string_view key) { return reader_.flag(key); }
  std::string text(std::string_view key);
  std::vector<std::string> texts(std::string_view key);
  std::vector<Override> settings(std::string_view key);  // and those of the second reading
  bool in_second() const { return asked_ = true, second_ != nullptr; }
  bool reads(std::string_view choice, std::string_view as) const;  // true in a second reading that says so
  bool asked_for_reading() const { return asked_; }  // if not, the step is the same in both readings
  const std::vector<TomlNode>& tables(std::string_view key);
  void finish() const { reader_.finish(); }

 private:
  const TomlNode& get(std::string_view key) { return in_depth(reader_.need(key), depth_); }

  TableReader reader_;
  Depth depth_;
  const Reading* second_;
  mutable std::atomic<bool> asked_ = false;
};

struct Computation {
  std::string_view name;
  RowTable (*run)(const Work& work, Parameters& with);
};
const Computation* find_computation(std::string_view name);

}  // namespace weir
