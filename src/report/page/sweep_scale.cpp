#include "report/page/sweep_scale.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "scenario/quantity.h"
#include "scenario/toml/toml_tree.h"

namespace weir {
namespace {

using Reader = double (*)(const Node&);

double plain_number(const Node& node) {
  if (node.type == Node::Type::integer) return static_cast<double>(node.integer);
  if (node.type == Node::Type::number) return node.number;
  return parse_fraction(node.text);
}

// A bare 0 may stand among times, and a bare integer among bytes.
std::string written(const Node& node) {
  return node.type == Node::Type::integer ? std::to_string(node.integer) : node.text;
}
double seconds(const Node& node) { return static_cast<double>(parse_time(written(node)).ps) / 1e12; }
double bits_per_second(const Node& node) { return static_cast<double>(parse_rate(written(node)).bits_per_second); }
double bytes(const Node& node) { return static_cast<double>(parse_bytes(written(node))); }

constexpr std::pair<const char*, Reader> kReaders[] = {
    {"number", plain_number}, {"time", seconds}, {"rate", bits_per_second}, {"bytes", bytes}};

// All values read in one way; nothing if one of them cannot be, or if two are the same number.
std::optional<std::vector<double>> read_all(const std::vector<Node>& values, Reader read) {
  std::vector<double> numbers;
  for (const Node& node : values) {
    const Node& value = node.is_list() && node.items.size() == 1 ? node.items.front() : node;  // payload = ["1kB"]
    const bool scalar = value.is_text() || value.type == Node::Type::integer || value.type == Node::Type::number;
    if (!scalar) return {};
    try {
      numbers.push_back(read(value));
    } catch (const InputError&) {
      return {};
    }
    if (!std::isfinite(numbers.back())) return {};
  }
  const std::set<double> different(numbers.begin(), numbers.end());
  if (different.size() != numbers.size()) return {};
  return numbers;
}

}  // namespace

SweepScale scale_of(const SweepAxis& axis) {
  SweepScale scale;
  scale.labels.resize(axis.points.size());
  for (std::size_t k = 0; k < axis.keys.size(); ++k) {
    std::vector<Node> values;
    for (std::size_t p = 0; p < axis.points.size(); ++p) {
      values.push_back(read_literal(axis.points[p][k], axis.where));
      scale.labels[p] += (k == 0 ? "" : ", ") + (values.back().is_text() ? values.back().text : axis.points[p][k]);
    }
    for (const auto& [kind, read] : kReaders) {
      if (!scale.numbers.empty()) break;
      if (auto numbers = read_all(values, read)) {
        scale.kind = kind;
        scale.numbers = std::move(*numbers);
      }
    }
  }
  return scale;
}

}  // namespace weir
