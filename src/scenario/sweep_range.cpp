// Points of ranges in exact arithmetic: 128-bit integers in the base unit, or in the finest decimal that was written.
#include "scenario/sweep_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scenario/quantity.h"
#include "scenario/suggest.h"
#include "scenario/values.h"

namespace weir {
namespace {

using Wide = __int128;

constexpr std::array<std::string_view, 5> kRangeKeys{"from", "to", "step", "points", "scale"};

class Range {
 public:
  Range(const TomlNode& table, const ParamSpec& param) : table_(table), param_(param) {
    for (const TomlNode& item : table.items) {
      if (std::find(kRangeKeys.begin(), kRangeKeys.end(), item.key) == kRangeKeys.end()) {
        throw InputError(item.where, fmt::format("unknown key `{}` in a range{}", item.key,
                                                 suggestion(item.key, kRangeKeys, "its keys are")));
      }
    }
    if (param.type != ParamType::integer && !is_real() && !is_physical()) {
      refuse(fmt::format("a range cannot be made of a {}; give a list of values", type_name(param.type)));
    }
    if ((table.find("step") == nullptr) == (table.find("points") == nullptr))
      refuse("a range needs either `step` or `points`");
    if (table.find("scale") != nullptr && table.find("points") == nullptr)
      refuse("`scale` goes with `points`, not with `step`");
  }

  std::vector<std::string> points() {
    read_limits();
    return table_.find("step") != nullptr ? stepped() : spaced();
  }

 private:
  bool is_real() const { return param_.type == ParamType::number || param_.type == ParamType::fraction; }
  bool is_physical() const {
    return param_.type == ParamType::time || param_.type == ParamType::bytes || param_.type == ParamType::rate;
  }

  // Limits are in units of 10^exponent_: 0 for whole quantities, the finest decimal that was written for numbers.
  void read_limits() {
    std::vector<Decimal> decimals;
    for (const std::string_view key : {"from", "to", "step"}) {
      if (const TomlNode* node = table_.find(key))
        decimals.push_back(read(key, *node));
      else if (key != "step")
        refuse(fmt::format("a range needs `{}`", key));
    }
    for (const Decimal& decimal : decimals) exponent_ = std::min(exponent_, decimal.exponent);
    std::vector<Wide> scaled;
    for (const Decimal& decimal : decimals) scaled.push_back(aligned(decimal));
    from_ = scaled[0];
    to_ = scaled[1];
    step_ = scaled.size() > 2 ? scaled[2] : 0;
  }

  Decimal read(std::string_view key, const TomlNode& node) const {
    ParamSpec unlimited = param_;
    unlimited.name = key;
    unlimited.min = std::numeric_limits<double>::lowest();  // a step may be negative
    unlimited.max = std::numeric_limits<double>::infinity();
    if (is_physical() || is_real()) unlimited.fallback = kRequired;
    const Value value = read_value(unlimited, node, "");
    if (!is_real()) return {value.integer, 0};
    try {
      return node.is_text() ? parse_decimal(node.text) : parse_decimal(number_to_text(value.number));
    } catch (const InputError& error) {
      throw InputError(node.where, fmt::format("`{}`: {}", key, error.what()));
    }
  }

  Wide aligned(const Decimal& decimal) const {
    Wide value = decimal.digits;
    for (int e = decimal.exponent; e > exponent_ && value != 0; --e) {
      value *= 10;
      if (value > kWidest || value < -kWidest) refuse("the limits of the range have too many digits");
    }
    return value;
  }

  std::vector<std::string> stepped() const {
    if (step_ == 0) refuse("`step` must not be 0");
    const Wide distance = to_ - from_;
    if (distance != 0 && (distance < 0) != (step_ < 0)) refuse("`step` leads away from `to`");
    const Wide steps = distance / step_;
    if (steps >= static_cast<Wide>(kMaxSweepPoints))
      refuse(fmt::format("the range has more than {} points", kMaxSweepPoints));
    std::vector<std::string> points;
    for (Wide i = 0; i <= steps; ++i) points.push_back(literal(from_ + i * step_));
    return points;
  }

  std::vector<std::string> spaced() const {
    const TomlNode& node = *table_.find("points");
    if (node.type != TomlNode::Type::integer || node.integer < 2 ||
        node.integer > static_cast<std::int64_t>(kMaxSweepPoints)) {
      throw InputError(node.where, fmt::format("`points` needs an integer from 2 to {}", kMaxSweepPoints));
    }
    const bool logarithmic = is_logarithmic();
    if (logarithmic && (from_ <= 0 || to_ <= 0)) refuse("a logarithmic range needs `from` and `to` above 0");
    std::vector<std::string> points;
    const std::int64_t last = node.integer - 1;
    points.push_back(literal(from_));
    for (std::int64_t i = 1; i < last; ++i) points.push_back(logarithmic ? log_point(i, last) : linear_point(i, last));
    points.push_back(literal(to_));
    return points;
  }

  bool is_logarithmic() const {
    const TomlNode* scale = table_.find("scale");
    if (scale == nullptr || (scale->is_text() && scale->text == "linear")) return false;
    if (scale->is_text() && scale->text == "log") return true;
    throw InputError(scale->where, "`scale` is \"linear\" or \"log\"");
  }

  // Whole quantities to the nearest unit; numbers to 12 digits.
  std::string linear_point(std::int64_t i, std::int64_t last) const {
    if (is_real())
      return fmt::format("{:.12g}",
                         real(from_) + (real(to_) - real(from_)) * static_cast<double>(i) / static_cast<double>(last));
    const Wide twice = 2 * (to_ - from_) * i + last;
    const Wide floor = twice / (2 * last) - (twice % (2 * last) < 0 ? 1 : 0);
    return literal(from_ + floor);
  }

  // Six digits: enough to plot, and the same on machines whose logarithms differ in the last bit.
  std::string log_point(std::int64_t i, std::int64_t last) const {
    const double part = static_cast<double>(i) / static_cast<double>(last);
    const std::string digits = fmt::format("{:.6g}", real(from_) * std::pow(real(to_) / real(from_), part));
    if (is_real()) return digits;
    return literal(static_cast<Wide>(std::round(parse_fraction(digits))));
  }

  double real(Wide value) const {
    return is_real() ? parse_fraction(to_text(decimal(value))) : static_cast<double>(value);
  }

  Decimal decimal(Wide value) const {
    int exponent = exponent_;
    for (; value != 0 && value % 10 == 0; value /= 10) ++exponent;
    if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min()) {
      refuse("the range has too many digits");
    }
    return {static_cast<std::int64_t>(value), exponent};
  }

  std::string literal(Wide value) const {
    if (is_real()) return to_text(decimal(value));
    Value whole;
    whole.type = param_.type;
    whole.integer = static_cast<std::int64_t>(value);
    return canonical_literal(whole);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(table_.where, fmt::format("sweep of `{}`: {}", table_.key, what));
  }

  static constexpr Wide kWidest = static_cast<Wide>(1) << 100;
  const TomlNode& table_;
  const ParamSpec& param_;
  int exponent_ = 0;
  Wide from_ = 0, to_ = 0, step_ = 0;
};

}  // namespace

bool is_range(const TomlNode& table) {
  return table.is_table() && std::any_of(table.items.begin(), table.items.end(), [](const TomlNode& item) {
           const bool scalar = !item.is_table() && !item.is_list();
           return scalar && std::find(kRangeKeys.begin(), kRangeKeys.end(), item.key) != kRangeKeys.end();
         });
}

std::vector<std::string> range_points(const TomlNode& table, const ParamSpec& param) {
  return Range(table, param).points();
}

}  // namespace weir
