// GOAL schedules as text and in their binary form, and the reader of the latter. All numbers of the binary form are
// little-endian: u64 4223; then, with places counted from byte 8: u32 ranks, u8 processors, u8 adapters, for every rank
// u64 begin and end of its part. A part: u32 operations, u32 roots, the roots, the operations of 39 bytes each, and the
// list of operations that wait for others.
#include <fmt/format.h>

#include "base/error.h"
#include "traffic/formats/goal_schedule.h"
#include "traffic/formats/trace_formats.h"

namespace weir {

namespace {

constexpr std::uint64_t kMagic = 4223;
constexpr std::size_t kOrigin = 8, kOperation = 39;

template <class T>
void put(std::string& bytes, T value) {
  for (std::size_t i = 0; i < sizeof value; ++i)
    bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * i & 0xff);
}

// Operations that wait for each operation.
std::vector<std::vector<std::uint32_t>> dependents(const std::vector<GoalOperation>& rank, bool on_start) {
  std::vector<std::vector<std::uint32_t>> lists(rank.size());
  for (std::uint32_t i = 0; i < rank.size(); ++i)
    for (const std::uint32_t before : on_start ? rank[i].requires_start : rank[i].requires_end)
      lists[before].push_back(i);
  return lists;
}

std::string binary_part(const std::vector<GoalOperation>& rank) {
  const auto after_end = dependents(rank, false), after_start = dependents(rank, true);
  std::vector<std::uint32_t> roots, edges;
  std::string operations;
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    const GoalOperation& o = rank[i];
    const std::size_t waits = o.requires_end.size() + o.requires_start.size();
    if (waits == 0) roots.push_back(i);
    put(operations, static_cast<std::uint32_t>(waits));
    put(operations, static_cast<std::uint8_t>(o.type));
    put(operations, o.peer);
    put(operations, o.size);
    put(operations, o.tag);
    put(operations, std::uint16_t{0});  // processor and adapter
    for (const auto* list : {&after_end[i], &after_start[i]}) {
      put(operations, static_cast<std::uint32_t>(list->size()));
      put(operations, static_cast<std::uint32_t>(edges.size()));
      edges.insert(edges.end(), list->begin(), list->end());
    }
  }
  std::string part;
  put(part, static_cast<std::uint32_t>(rank.size()));
  put(part, static_cast<std::uint32_t>(roots.size()));
  for (const std::uint32_t root : roots) put(part, root);
  part += operations;
  for (const std::uint32_t edge : edges) put(part, edge);
  return part;
}

// Turns the binary form into text, remembering where each line comes from.
class BinaryReader {
 public:
  BinaryReader(const std::string& file, std::string_view bytes) : file_(file), bytes_(bytes) {}

  Trace read(Time unit) {
    at_ = kOrigin;
    const auto ranks = get<std::uint32_t>();
    get<std::uint16_t>();
    if (ranks == 0 || ranks > kMostRanks)
      refuse(kOrigin, fmt::format("{} ranks; there must be 1 to {}", ranks, kMostRanks));
    line(kOrigin, fmt::format("num_ranks {}", ranks));
    for (std::uint32_t r = 0; r < ranks; ++r) {
      at_ = kOrigin + 6 + std::size_t{r} * 16;
      const std::size_t place = at_;
      const auto begin = get<std::uint64_t>(), end = get<std::uint64_t>();
      if (begin > end || end > bytes_.size() - kOrigin)
        refuse(place, fmt::format("rank {} lies outside of the file", r));
      line(place, fmt::format("rank {} {{", r));
      read_part(kOrigin + begin, kOrigin + end);
      line(place, "}");
    }
    try {
      return parse_goal(file_, text_, unit,
                        [this](std::uint32_t line) { return fmt::format("byte {}", places_[line - 1]); });
    } catch (const InputError& e) {
      const std::uint32_t at = e.where().line;
      if (at == 0 || at > places_.size()) throw;
      refuse(places_[at - 1], std::string(e.what()).substr(e.where().text().size()));
    }
  }

 private:
  [[noreturn]] void refuse(std::size_t byte, const std::string& what) const {
    throw InputError(SourcePosition{file_, 0, 0}, fmt::format("byte {}: {}", byte, what));
  }
  template <class T>
  T get() {
    if (at_ > bytes_.size() || bytes_.size() - at_ < sizeof(T)) refuse(at_, "the file ends here, too early");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
      value |= std::uint64_t{static_cast<std::uint8_t>(bytes_[at_ + i])} << 8 * i;
    at_ += sizeof(T);
    return static_cast<T>(value);
  }
  void line(std::size_t place, const std::string& words) {
    text_ += words + "\n";
    places_.push_back(place);
  }

  void read_part(std::size_t begin, std::size_t end) {
    at_ = begin;
    const auto count = get<std::uint32_t>(), roots = get<std::uint32_t>();
    const std::size_t first = at_ + std::size_t{roots} * 4, edges = first + std::size_t{count} * kOperation;
    if (edges > end)
      refuse(begin, fmt::format("{} operations and {} roots do not fit into {} bytes", count, roots, end - begin));
    for (std::uint32_t i = 0; i < count; ++i) read_operation(i, first + i * kOperation);
    for (std::uint32_t i = 0; i < count; ++i) read_dependents(i, count, first + i * kOperation + 23, edges, end);
  }
  void read_operation(std::uint32_t i, std::size_t place) {
    at_ = place + 4;
    const auto type = get<std::uint8_t>();
    const auto peer = get<std::uint32_t>();
    const auto size = get<std::uint64_t>();
    const auto tag = get<std::uint32_t>();
    if (type == 1)
      line(place, fmt::format("l{}: send {}b to {} tag {}", i, size, peer, tag));
    else if (type == 2)
      line(place, fmt::format("l{}: recv {}b from {} tag {}", i, size, peer, tag));
    else if (type == 3)
      line(place, fmt::format("l{}: calc {}", i, size));
    else
      refuse(place + 4, fmt::format("an operation is 1 (send), 2 (receive) or 3 (calculate), not {}", type));
  }
  void read_dependents(std::uint32_t i, std::uint32_t count, std::size_t place, std::size_t edges, std::size_t end) {
    for (const char* word : {"requires", "irequires"}) {
      at_ = place;
      const auto number = get<std::uint32_t>(), first = get<std::uint32_t>();
      const std::size_t list = edges + std::size_t{first} * 4;
      if (list + std::size_t{number} * 4 > end)
        refuse(place, fmt::format("operation {} has dependents outside of its rank", i));
      for (std::uint32_t k = 0; k < number; ++k) {
        at_ = list + std::size_t{k} * 4;
        const auto later = get<std::uint32_t>();
        if (later >= count) refuse(list + std::size_t{k} * 4, fmt::format("there is no operation {}", later));
        line(place, fmt::format("l{} {} l{}", later, word, i));
        if (text_.size() > kMostText) refuse(place, "more dependencies than such a file can hold");
      }
      place += 8;
    }
  }

  static constexpr std::size_t kMostText = std::size_t{1} << 32;
  std::string file_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::string text_;
  std::vector<std::size_t> places_;  // by line
};

}  // namespace

std::string write_goal(const Trace& trace) {
  std::string text = fmt::format("num_ranks {}\n", trace.ranks);
  const GoalSchedule schedule = goal_schedule(trace);
  for (std::size_t r = 0; r < schedule.size(); ++r) {
    text += fmt::format("rank {} {{\n", r);
    for (std::size_t i = 0; i < schedule[r].size(); ++i) {
      const GoalOperation& o = schedule[r][i];
      if (o.type == GoalOperation::Type::calculate)
        text += fmt::format("l{}: calc {}\n", i, o.size);
      else
        text += fmt::format("l{}: {} {}b {} {} tag {}\n", i, o.type == GoalOperation::Type::send ? "send" : "recv",
                            o.size, o.type == GoalOperation::Type::send ? "to" : "from", o.peer, o.tag);
    }
    for (std::size_t i = 0; i < schedule[r].size(); ++i) {
      for (const std::uint32_t before : schedule[r][i].requires_end)
        text += fmt::format("l{} requires l{}\n", i, before);
      for (const std::uint32_t before : schedule[r][i].requires_start)
        text += fmt::format("l{} irequires l{}\n", i, before);
    }
    text += "}\n";
  }
  return text;
}

std::string write_goal_binary(const Trace& trace) {
  const GoalSchedule schedule = goal_schedule(trace);
  std::string bytes, parts;
  put(bytes, kMagic);
  put(bytes, static_cast<std::uint32_t>(schedule.size()));
  put(bytes, std::uint8_t{1});
  put(bytes, std::uint8_t{1});
  const std::uint64_t first = 6 + 16 * schedule.size();
  for (const auto& rank : schedule) {
    put(bytes, first + parts.size());
    parts += binary_part(rank);
    put(bytes, first + parts.size());
  }
  return bytes + parts;
}

bool is_goal_binary(std::string_view bytes) {
  if (bytes.size() < kOrigin + 6) return false;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{static_cast<std::uint8_t>(bytes[i])} << 8 * i;
  return value == kMagic;
}

Trace parse_goal_binary(const std::string& file, std::string_view bytes, Time unit) {
  if (!is_goal_binary(bytes))
    throw InputError(SourcePosition{file, 0, 0},
                     "byte 0: a binary GOAL schedule begins with the number 4223 in 8 bytes");
  return BinaryReader(file, bytes).read(unit);
}

}  // namespace weir
