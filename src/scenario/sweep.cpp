// Turns the [sweep] table into axes of literals; a sweep that cannot run is refused before anything runs.
#include "scenario/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "scenario/overlay.h"
#include "scenario/quantity.h"
#include "scenario/sections.h"
#include "scenario/suggest.h"
#include "scenario/sweep_range.h"

namespace weir {
namespace {

constexpr std::string_view kZip = "zip";
constexpr std::string_view kRepetitions = "repetitions";

class SweepReader {
 public:
  SweepReader(const TomlNode& document, const Vocabulary& vocabulary)
      : document_(document), vocabulary_(vocabulary), top_(top_section(vocabulary)) {}

  std::vector<SweepAxis> read(const TomlNode& sweep, std::uint64_t seed) {
    if (!sweep.is_table()) throw InputError(sweep.where, "`sweep` is a section: write [sweep] and its keys below");
    for (const TomlNode& item : sweep.items) {
      if (item.key != kZip && item.key != kRepetitions) add(item.key, item);
    }
    if (const TomlNode* zip = sweep.find(kZip)) zip_all(*zip);
    refuse_equal_points();
    if (const TomlNode* repetitions = sweep.find(kRepetitions)) add_repetitions(*repetitions, seed);
    return std::move(axes_);
  }

 private:
  // Without quotes a dotted key is a table within a table; it means the same.
  void add(const std::string& key, const TomlNode& node) {
    if (node.is_table() && !is_range(node) && !node.items.empty()) {
      for (const TomlNode& item : node.items) add(key + "." + item.key, item);
      return;
    }
    const Target target = resolve(document_, vocabulary_, key, node.where);
    if (target.section == nullptr && top_.find_param(nullptr, key) == nullptr) refuse_unknown(key, node.where);
    if (std::find(targets_.begin(), targets_.end(), target) != targets_.end()) {
      throw InputError(node.where, fmt::format("`{}` is swept twice", key));
    }
    targets_.push_back(target);
    SweepAxis axis{key, {key}, {}, node.where};
    for (std::string& point : points(key, node, target)) axis.points.push_back({std::move(point)});
    axes_.push_back(std::move(axis));
  }

  [[noreturn]] void refuse_unknown(std::string_view key, const SourcePosition& where) {
    std::vector<std::string_view> names{kZip, kRepetitions};
    for (const ParamSpec& param : top_.common) names.push_back(param.name);
    throw InputError(where,
                     fmt::format("unknown key `{}` in [sweep]{}", key,
                                 suggestion(key, names, "its keys are dotted names such as \"link.rate\", and")));
  }

  std::vector<std::string> points(const std::string& key, const TomlNode& node, const Target& target) {
    std::vector<std::string> points;
    const ParamSpec* param = param_at(document_, top_, target);
    if (is_range(node)) {
      if (param == nullptr) throw InputError(node.where, fmt::format("`{}` is not a key that can take a range", key));
      points = range_points(node, *param);
    } else if (node.is_list() && !node.items.empty()) {
      for (const TomlNode& item : node.items) points.push_back(literal_of(item, param));
    } else {
      throw InputError(node.where, fmt::format("the sweep of `{}` needs a list such as [1, 2] or a range such as "
                                               "{{ from = 1, to = 8, step = 1 }}",
                                               key));
    }
    if (points.size() > kMaxSweepPoints) {
      throw InputError(node.where, fmt::format("the sweep of `{}` has more than {} points", key, kMaxSweepPoints));
    }
    return points;
  }

  // As a range would have it: "10%" and 0.1 are one point, with one name.
  static std::string literal_of(const TomlNode& item, const ParamSpec* param) {
    if (param != nullptr && param->type == ParamType::fraction && item.is_text()) {
      try {
        return number_to_text(parse_fraction(item.text));
      } catch (const InputError&) {  // refused where the value is read, with all that it could be
      }
    }
    return to_toml(item);
  }

  // Of keys that are zipped, all together: one of them may well keep its value.
  void refuse_equal_points() const {
    for (const SweepAxis& axis : axes_) {
      std::set<std::vector<std::string>> seen;
      for (const std::vector<std::string>& point : axis.points)
        if (!seen.insert(point).second)
          throw InputError(axis.where, fmt::format("the sweep of `{}` has the point {} twice", axis.key,
                                                   fmt::join(point, ", ")));
    }
  }

  // Groups of keys that advance together; in a table each group has a name.
  void zip_all(const TomlNode& zip) {
    const auto is_key_list = [](const TomlNode& group) {
      return group.is_list() && group.items.size() >= 2 &&
             std::all_of(group.items.begin(), group.items.end(), [](const TomlNode& key) { return key.is_text(); });
    };
    if (!(zip.is_list() || zip.is_table()) || !std::all_of(zip.items.begin(), zip.items.end(), is_key_list)) {
      throw InputError(zip.where,
                       "`zip` needs lists of keys that advance together, as in [[\"link.rate\", \"link.delay\"]]");
    }
    for (const TomlNode& group : zip.items) zip_group(group, zip.is_table() ? group.key : "");
  }

  void zip_group(const TomlNode& group, const std::string& name) {
    SweepAxis& first = axis_of(group.items.front());
    std::vector<std::string> joined_away;
    for (std::size_t i = 1; i < group.items.size(); ++i) {
      const SweepAxis& other = axis_of(group.items[i]);
      if (&other == &first) throw InputError(group.where, fmt::format("`{}` is zipped with itself", other.key));
      if (other.points.size() != first.points.size()) {
        throw InputError(group.where, fmt::format("`{}` has {} points and `{}` has {}; keys in one list of "
                                                  "`zip` need the same number of points",
                                                  first.key, first.points.size(), other.key, other.points.size()));
      }
      joined_away.push_back(other.key);
    }
    for (const std::string& key : joined_away) {
      const SweepAxis& other =
          *std::find_if(axes_.begin(), axes_.end(), [&](const SweepAxis& a) { return a.key == key; });
      if (std::find(first.keys.begin(), first.keys.end(), key) != first.keys.end()) {
        throw InputError(group.where, fmt::format("`{}` is zipped twice", key));
      }
      first.keys.push_back(key);
      for (std::size_t p = 0; p < first.points.size(); ++p) first.points[p].push_back(other.points[p].front());
    }
    first.key = name.empty() ? fmt::format("{}", fmt::join(first.keys, " + ")) : name;
    std::erase_if(axes_, [&](const SweepAxis& axis) {
      return std::find(joined_away.begin(), joined_away.end(), axis.key) != joined_away.end();
    });
  }

  SweepAxis& axis_of(const TomlNode& key) {
    for (SweepAxis& axis : axes_) {
      if (axis.key == key.text) return axis;
      if (std::find(axis.keys.begin(), axis.keys.end(), key.text) != axis.keys.end()) {
        throw InputError(key.where, fmt::format("`{}` is zipped twice", key.text));
      }
    }
    throw InputError(key.where, fmt::format("`zip` names `{}`, which is not swept", key.text));
  }

  void add_repetitions(const TomlNode& node, std::uint64_t seed) {
    const Target target{nullptr, 0, "seed"};
    if (std::find(targets_.begin(), targets_.end(), target) != targets_.end()) {
      throw InputError(node.where, "`repetitions` cannot go with a sweep of `seed`");
    }
    const auto limit = static_cast<std::int64_t>(kMaxSweepPoints);
    if (node.type != TomlNode::Type::integer || node.integer < 1 || node.integer > limit) {
      throw InputError(node.where, fmt::format("`repetitions` needs an integer from 1 to {}", limit));
    }
    if (seed > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max() - limit)) {
      throw InputError(node.where, "`repetitions` counts up from `seed`, which is too large for that");
    }
    SweepAxis axis{"seed", {"seed"}, {}, node.where};
    for (std::int64_t i = 0; i < node.integer; ++i)
      axis.points.push_back({std::to_string(seed + static_cast<std::uint64_t>(i))});
    axes_.push_back(std::move(axis));
  }

  const TomlNode& document_;
  const Vocabulary& vocabulary_;
  const SectionSpec top_;
  std::vector<Target> targets_;
  std::vector<SweepAxis> axes_;
};

}  // namespace

std::vector<SweepAxis> read_sweep(const TomlNode& document, std::uint64_t seed, const Vocabulary& vocabulary) {
  const TomlNode* sweep = document.find(kSweep);
  return sweep == nullptr ? std::vector<SweepAxis>{} : SweepReader(document, vocabulary).read(*sweep, seed);
}

}  // namespace weir
