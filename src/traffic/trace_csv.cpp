// A table of messages as a trace.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "base/csv.h"
#include "base/text_cursor.h"
#include "scenario/quantity.h"
#include "scenario/suggest.h"
#include "traffic/trace.h"

namespace weir {

namespace {

enum Column : std::size_t { time_column, source_column, destination_column, bytes_column, id_column, after_column,
                            delay_column, column_count };
constexpr std::array<std::string_view, column_count> kColumns{"time", "source", "destination", "bytes",
                                                              "id",   "after",  "delay"};

class CsvTraceReader {
 public:
  CsvTraceReader(const std::string& file, std::string_view text, std::uint32_t ranks, Time unit)
      : splitter_(file, text), unit_(unit) {
    trace_.file = file;
    trace_.ranks = ranks;
  }

  Trace read() {
    if (!splitter_.next(record_))
      throw InputError(at(1),
                       "the file is empty; its first line must name the columns, as in "
                       "\"time,source,destination,bytes\"");
    find_columns();
    while (splitter_.next(record_)) read_message();
    if (nodes_.empty()) throw InputError(at(record_.line), "there is no message after the line with the column names");
    for (const Waiting& w : waiting_) resolve(w);
    check_trace(trace_);
    return std::move(trace_);
  }

 private:
  struct Waiting {
    WorkNode node;
    std::string after;
    Time delay;
    std::uint32_t line;
  };

  SourcePosition at(std::uint32_t line) const { return {trace_.file, line, 0}; }
  [[noreturn]] void refuse(Column column, const std::string& what) const {
    throw InputError(at(record_.line), fmt::format("{} {}", kColumns[column], what));
  }

  void find_columns() {
    for (std::size_t i = 0; i < record_.cells.size(); ++i) {
      const std::string& name = record_.cells[i];
      const auto known = std::find(kColumns.begin(), kColumns.end(), name);
      if (known == kColumns.end())
        throw InputError(at(record_.line),
                         fmt::format("unknown column \"{}\"{}", name, suggestion(name, kColumns, "the columns are")));
      auto& place = places_[static_cast<std::size_t>(known - kColumns.begin())];
      if (place) throw InputError(at(record_.line), fmt::format("column \"{}\" appears twice", name));
      place = i;
    }
    for (const Column needed : {source_column, destination_column, bytes_column}) {
      if (!places_[needed])
        throw InputError(at(record_.line), fmt::format("column \"{}\" is missing", kColumns[needed]));
    }
    columns_ = record_.cells.size();
  }

  std::string_view cell(Column column) const {
    const auto& place = places_[column];
    return place && *place < record_.cells.size() ? std::string_view(record_.cells[*place]) : std::string_view();
  }

  std::uint32_t rank(Column column) const {
    const std::string_view text = cell(column);
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size() || number >= trace_.ranks)
      refuse(column, fmt::format("\"{}\" is no rank; there are ranks 0 to {}", text, trace_.ranks - 1));
    return number;
  }

  // A quantity, or a number of units.
  Time time(Column column) const {
    const std::string_view text = cell(column);
    if (text.empty()) return {};
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    Time value;
    if (error == std::errc() && end == text.data() + text.size()) {
      const double ps = number * static_cast<double>(unit_.ps);
      if (!(std::abs(ps) <= kLongestOfTrace)) refuse(column, fmt::format("\"{}\" is too large", text));
      value = {static_cast<std::int64_t>(std::llround(ps))};
    } else {
      try {
        value = parse_time(text);
      } catch (const InputError& e) {
        refuse(column, fmt::format("cannot be read: {}", e.what()));
      }
    }
    if (static_cast<double>(value.ps) > kLongestOfTrace) refuse(column, fmt::format("\"{}\" is too large", text));
    if (value < Time{}) refuse(column, fmt::format("must not be negative, but is \"{}\"", text));
    return value;
  }

  Bytes bytes() const {
    Bytes value = 0;
    try {
      value = parse_bytes(cell(bytes_column));
    } catch (const InputError& e) {
      refuse(bytes_column, fmt::format("cannot be read: {}", e.what()));
    }
    if (value < 0) refuse(bytes_column, "must not be negative");
    return std::max<Bytes>(1, value);
  }

  void read_message() {
    if (record_.cells.size() > columns_)
      throw InputError(at(record_.line),
                       fmt::format("{} cells, but there are only {} columns", record_.cells.size(), columns_));
    const Time start = time(time_column);
    if (start < last_)
      refuse(time_column, fmt::format("runs backwards: \"{}\" comes after {} in line {}", cell(time_column),
                                      to_text(last_), last_line_));
    last_ = start;
    last_line_ = record_.line;
    const std::uint32_t source = rank(source_column), destination = rank(destination_column);
    const bool waits = !cell(after_column).empty();
    if (!waits && !cell(delay_column).empty()) refuse(delay_column, "has no effect without `after`");
    const Time begin = waits ? Time{} : start;
    // What a rank sends to itself does not enter the network.
    const WorkNode node = source == destination ? add_step(begin) : add_message(source, destination, begin);
    nodes_.push_back(node);
    if (waits && start > Time{}) trace_.conditions.push_back({node, add_step(start), {}, false, false});
    if (waits) waiting_.push_back({node, std::string(cell(after_column)), time(delay_column), record_.line});
    if (!places_[id_column]) return;
    const std::string id(cell(id_column));
    if (!id.empty() && !ids_.emplace(id, node).second)
      refuse(id_column, fmt::format("\"{}\" is used before", id));
  }

  WorkNode add_step(Time duration) {
    trace_.steps.push_back({duration, record_.line});
    return {WorkNode::Kind::step, static_cast<std::uint32_t>(trace_.steps.size() - 1)};
  }
  WorkNode add_message(std::uint32_t source, std::uint32_t destination, Time begin) {
    trace_.messages.push_back({source, destination, bytes(), begin, record_.line});
    return {WorkNode::Kind::flow, static_cast<std::uint32_t>(trace_.messages.size() - 1)};
  }

  // By id; without such a column by number of the row, the first being 0.
  void resolve(const Waiting& w) {
    TextCursor words(w.after);
    for (std::string_view word = words.take_word(); !word.empty(); word = words.take_word()) {
      std::optional<WorkNode> before;
      if (places_[id_column]) {
        const auto found = ids_.find(word);
        if (found != ids_.end()) before = found->second;
      } else {
        std::size_t row = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), row);
        if (error == std::errc() && end == word.data() + word.size() && row < nodes_.size()) before = nodes_[row];
      }
      if (!before) throw InputError(at(w.line), fmt::format("after names \"{}\", but there is no such message", word));
      trace_.conditions.push_back({w.node, *before, w.delay, false, sent_by_same_rank(w.node, *before)});
    }
  }

  bool sent_by_same_rank(WorkNode node, WorkNode before) const {
    if (node.kind != WorkNode::Kind::flow || before.kind != WorkNode::Kind::flow) return false;
    return trace_.messages[node.index].source == trace_.messages[before.index].source;
  }

  CsvSplitter splitter_;
  Time unit_;
  CsvRecord record_;
  Trace trace_;
  std::array<std::optional<std::size_t>, column_count> places_;
  std::size_t columns_ = 0;
  Time last_;
  std::uint32_t last_line_ = 0;
  std::vector<WorkNode> nodes_;  // of every row
  std::map<std::string, WorkNode, std::less<>> ids_;
  std::vector<Waiting> waiting_;
};

}  // namespace

Trace parse_trace_csv(const std::string& file, std::string_view text, std::uint32_t ranks, Time unit) {
  return CsvTraceReader(file, text, ranks, unit).read();
}

}  // namespace weir
