// Scenarios that are valid but strange: every section, kind and key of the vocabulary, with values from the ends of
// their ranges. A sound small scenario is changed in some places at random; what weir refuses is taken back line by
// line until the rest is accepted, so that most of what is tried gets behind the parser.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "run/simulate.h"
#include "scenario/spec.h"
#include "source_dir.h"

namespace weir::testing {

class StrangeScenario {
 public:
  explicit StrangeScenario(std::uint64_t number) : random_(number, Purpose::test, 78) { invent(); }

  std::string text() const {
    std::string out;
    for (const Line& line : lines_) out += line.text + "\n";
    return out;
  }
  // Takes back the change that a refusal is about: the one at this line of text(), or those whose keys it names, or
  // any. False if there is none left.
  bool take_back(std::uint32_t line, const std::string& refusal) {
    if (line > 0 && line <= lines_.size() && lines_[line - 1].change) return take_back(lines_[line - 1]);
    std::vector<Line*> named, changes;
    for (Line& candidate : lines_) {
      if (!candidate.change) continue;
      changes.push_back(&candidate);
      if (refusal.find(candidate.text.substr(0, candidate.text.find(' '))) != std::string::npos)
        named.push_back(&candidate);
    }
    const std::vector<Line*>& from = named.empty() ? changes : named;
    return !from.empty() && take_back(*from[below(from.size())]);
  }

 private:
  struct Line {
    std::string text, sound;  // as it stands, and as it would stand without the change
    bool change = false;
  };

  static bool take_back(Line& line) {
    line = {line.sound, "", false};
    return true;
  }
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  bool chance(std::uint64_t one_in) { return below(one_in) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return *(choices.begin() + below(choices.size()));
  }
  void line(const std::string& text) { lines_.push_back({text, "", false}); }
  void sound(const std::string& key, const std::string& value) { line(key + " = " + value); }

  void invent() {
    line(fmt::format("seed = {}", below(1u << 30)));
    section("topology", topology());
    section("link", from_file_ ? Keys{} : Keys{{"rate", rate()}, {"delay", delay()}});
    section("packet", packet());
    max_time_ = max_time();
    const std::uint64_t least = std::max<std::uint64_t>(largest_ + header_, 64);
    section("switch", {{"buffer", fmt::format(R"("{}B")", chance(3) ? least : (1 + below(6)) * least)}});
    section("adapter", {});
    section("routing", routing_.empty() ? Keys{} : Keys{{"kind", routing_}});
    section("scheme", {{"name", quoted(kind_of("scheme"))}});
    for (std::uint64_t i = 1 + below(3); i > 0; --i) section("traffic", traffic());
    section("measure", {});
    section("run", {{"max_time", fmt::format(R"("{}ps")", max_time_)}, {"max_backlog", "100000"}});
    if (!flows_) sound("duration", fmt::format(R"("{}ps")", max_time()));
  }

  using Keys = std::vector<std::pair<std::string, std::string>>;
  static std::string quoted(std::string_view text) { return fmt::format(R"("{}")", text); }

  // The sound keys, some of them changed, and others that the section knows.
  void section(const std::string& name, const Keys& keys) {
    const SectionSpec& spec = *vocabulary().find(name);
    line(spec.repeated ? "[[" + name + "]]" : "[" + name + "]");
    const KindSpec* kind = spec.find_kind(spec.default_kind);
    for (const auto& [key, value] : keys)
      if (key == spec.selector) kind = spec.find_kind(value.substr(1, value.size() - 2));
    std::vector<ParamSpec> params(spec.common.begin(), spec.common.end());
    if (kind != nullptr) params.insert(params.end(), kind->params.begin(), kind->params.end());
    const std::uint64_t rarity = one_of<std::uint64_t>({3, 8, 16, 32});
    for (const auto& [key, value] : keys) {
      const std::string& wanted = key;  // Clang 14 captures no structured bindings
      const auto is_it = [&](const ParamSpec& p) { return p.name == wanted; };
      const auto param = std::find_if(params.begin(), params.end(), is_it);
      const bool change = param != params.end() && name != "topology" && chance(3 * rarity);
      const std::string other = change ? strange(*param) : "";
      if (other.empty()) sound(key, value);
      else lines_.push_back({key + " = " + other, key + " = " + value, true});
    }
    for (const ParamSpec& param : params) {
      const bool given = std::any_of(keys.begin(), keys.end(), [&](const auto& k) { return k.first == param.name; });
      if (given || !chance(rarity)) continue;
      if (const std::string value = strange(param); !value.empty())
        lines_.push_back({std::string(param.name) + " = " + value, "", true});
    }
  }

  std::string_view kind_of(const std::string& name) {
    const auto& kinds = vocabulary().find(name)->kinds;
    return kinds[below(kinds.size())].name;
  }

  // --- sound beginnings ---

  Keys topology() {
    switch (below(8)) {
      case 0: return tree("k-ary-n-tree", 2 + below(3), 1 + below(3));
      case 1: return tree("modified-k-ary-n-tree", 2 + below(2), 2 + below(2));
      case 2: return tree("umin", 2 + below(3), 1 + below(3));
      case 3: return tree("bmin", 2 + below(2), 1 + below(3));
      case 4: {
        const std::uint64_t left = 1 + below(4), right = 1 + below(4);
        hosts_ = left + right;
        return {{"kind", R"("two-switch")"}, {"left", std::to_string(left)}, {"right", std::to_string(right)},
                {"links", std::to_string(1 + below(3))}};
      }
      case 5:
        hosts_ = 2 + below(9);
        return {{"kind", R"("star")"}, {"hosts", std::to_string(hosts_)}};
      case 6: return graph();
      default:
        hosts_ = 6;
        from_file_ = true;
        fastest_ = 200e9;
        return {{"kind", R"("file")"}, {"path", quoted(source_dir() + "/tests/network/data/small.ibnetdiscover")}};
    }
  }
  Keys tree(const char* kind, std::uint64_t k, std::uint64_t n) {
    hosts_ = 1;
    for (std::uint64_t i = 0; i < n; ++i) hosts_ *= k;
    return {{"kind", quoted(kind)}, {"k", std::to_string(k)}, {"n", std::to_string(n)}};
  }
  // A chain, a ring or a random tree of switches, with hosts anywhere.
  Keys graph() {
    const std::uint64_t switches = 1 + below(6);
    hosts_ = 2 + below(8);
    std::string names, hosts, cables;
    for (std::uint64_t s = 0; s < switches; ++s) {
      names += fmt::format(R"("S{}", )", s);
      if (s > 0) cables += fmt::format(R"(["S{}", "S{}", "{}"], )", s, chance(2) ? s - 1 : below(s), plain_rate());
    }
    if (switches > 2 && chance(2)) cables += fmt::format(R"(["S0", "S{}"], )", switches - 1);
    for (std::uint64_t h = 0; h < hosts_; ++h) {
      hosts += fmt::format(R"("H{}", )", h);
      cables += fmt::format(R"(["H{}", "S{}"], )", h, below(switches));
    }
    routing_ = chance(3) ? "" : R"("up-down")";
    return {{"kind", R"("graph")"},
            {"hosts", "[" + hosts + "]"},
            {"switches", "[" + names + "]"},
            {"links", "[" + cables + "]"}};
  }

  std::string plain_rate() {
    bits_per_second_ = one_of<double>({1e5, 1e6, 1e8, 7.77e9, 8e9, 10e9, 10e9, 10e9, 400e9, 1e12});
    fastest_ = std::max(fastest_, bits_per_second_);
    return fmt::format("{:.0f}bps", bits_per_second_);
  }
  std::string rate() { return quoted(plain_rate()); }
  std::string delay() {
    return quoted(fmt::format("{}ps", one_of<std::uint64_t>({0, 1, 999, 1000, 15'000, 1'000'000, 3'990'000'000})));
  }
  Keys packet() {
    static constexpr std::uint64_t kSizes[] = {1, 2, 7, 64, 300, 1000, 1500, 2048, 4096, 64'000};
    smallest_ = largest_ = kSizes[below(std::size(kSizes))];
    std::string sizes = fmt::format("{}, ", largest_);
    for (std::uint64_t i = below(3); i > 0; --i) {
      const std::uint64_t size = kSizes[below(std::size(kSizes))];
      largest_ = std::max(largest_, size);
      smallest_ = std::min(smallest_, size);
      sizes += fmt::format("{}, ", size);
    }
    header_ = one_of<std::uint64_t>({0, 0, 1, 22, 1000});
    return {{"payload", "[" + sizes + "]"}, {"header", fmt::format(R"("{}B")", header_)}};
  }

  Keys traffic() {
    const std::string pattern(kind_of("traffic"));
    Keys keys{{"pattern", quoted(pattern)}};
    const std::string target = std::to_string(below(hosts_)), bytes = fmt::format(R"("{}B")", amount());
    if (pattern == "uniform") keys.emplace_back("load", load());
    if (pattern == "hotspot") keys.insert(keys.end(), {{"target", target}, {"load", load()}});
    if (pattern == "burst")
      keys.insert(keys.end(), {{"target", target}, {"packets", std::to_string(1 + below(50))}, {"spread", R"("1us")"}});
    if (pattern == "permutation" || pattern == "shift" || pattern == "random" || pattern == "all-to-all")
      keys.emplace_back("bytes", bytes);
    if (pattern == "collective") keys.emplace_back("bytes", bytes);
    if (pattern == "training") keys.insert(keys.end(), {{"data", "2"}, {"gradient_bytes", bytes}});
    if (pattern == "incast") keys.insert(keys.end(), {{"target", target}, {"bytes", bytes}});
    if (pattern == "flow-arrivals")
      keys.insert(keys.end(), {{"sizes", R"("fbhadoop")"}, {"load", load()}, {"flows", std::to_string(1 + below(50))}});
    if (pattern == "incast-arrivals")
      keys.insert(keys.end(), {{"senders", std::to_string(1 + below(hosts_ - 1))},
                               {"bytes", bytes},
                               {"load", load()},
                               {"events", std::to_string(1 + below(5))}});
    if (pattern == "phases") keys.insert(keys.end(), {{"phases", std::to_string(1 + below(4))}, {"bytes", bytes}});
    if (pattern == "flows") keys.emplace_back("list", flow_rows());
    if (pattern == "trace") keys.emplace_back("file", quoted(source_dir() + "/tests/app/strange_trace.csv"));
    flows_ |= pattern != "uniform" && pattern != "hotspot" && pattern != "burst";
    return keys;
  }
  std::uint64_t amount() {
    return one_of<std::uint64_t>({1, 7, 1000, largest_, 10 * largest_, 3 * largest_ + 1, 1'000'000'000'000'000});
  }
  std::string load() { return one_of<const char*>({"1e-9", "0.001", "0.3", "0.9", "1", "1.5", "1000"}); }
  std::string flow_rows() {
    std::string rows;
    for (std::uint64_t i = 1 + below(5); i > 0; --i) {
      const std::uint64_t from = below(hosts_), to = (from + 1 + below(hosts_ - 1)) % hosts_;
      rows += fmt::format(R"([{}, {}, "{}B", "{}ps", {}], )", from, to, amount(), below(3) * 1000,
                          one_of<const char*>({"1", "1e-9", "1e9", "3"}));
    }
    return "[" + rows + "]";
  }
  // As long as some hundred of the smallest packets take, or a round trip: enough to meet one another, soon over.
  std::uint64_t max_time() {
    const double packet_ps = 8e12 * static_cast<double>(smallest_ + header_) / fastest_;
    const double ps = std::max(1000.0, packet_ps * static_cast<double>(1 + below(chance(4) ? 2000 : 200)));
    return static_cast<std::uint64_t>(std::min(ps, 1e15));
  }

  // --- strange values ---

  // Sizes that only cost memory have a limit here; what is too large is refused elsewhere.
  static bool costs_memory(std::string_view key) {
    for (const std::string_view name : {"queues", "max_flows", "min_flows", "count", "phases", "repeat", "ranks",
                                        "frames", "max_bins", "fan_in", "cct_size", "flows", "events", "senders"})
      if (key == name) return true;
    return false;
  }

  std::string strange(const ParamSpec& param) {
    if (param.name == "max_time") return "";  // it bounds the work
    const auto within = [&](double value) {
      return std::clamp(value, std::max(param.min, -1e18),
                        std::min(param.max, costs_memory(param.name) ? 500.0 : 1e18));
    };
    const double extreme = one_of<double>({0, 1, 2, 3, 7, 8, 15, 16, 63, 64, 100, 1000, 65535, 1e6, 1e9, 1e12, 1e15,
                                           param.min, param.min + 1, param.max, param.max - 1});
    switch (param.type) {
      case ParamType::integer: return fmt::format("{:.0f}", std::floor(within(extreme)));
      case ParamType::number:
      case ParamType::fraction:
        return fmt::format(
            "{}", within(chance(2) ? one_of<double>({0, 1e-12, 1e-6, 0.01, 0.5, 0.99, 0.999999, 1}) : extreme));
      case ParamType::time: {  // what is done again and again is done a million times at most
        const double seconds = within(extreme * one_of<double>({1e-12, 1e-9, 1e-6, 1}));
        const double ps = std::min(1e18, seconds * 1e12);
        return fmt::format(R"("{:.0f}ps")", ps == 0 ? 0 : std::max(ps, static_cast<double>(max_time_) / 1e6));
      }
      case ParamType::bytes:
        return fmt::format(R"("{:.0f}B")",
                           within(chance(3) ? static_cast<double>(largest_ + header_) * extreme : extreme));
      case ParamType::rate: return fmt::format(R"("{:.0f}bps")", within(extreme * one_of<double>({1, 1e6, 1e9})));
      case ParamType::choice: return quoted(param.choices[below(param.choices.size())]);
      case ParamType::flag: return chance(2) ? "true" : "false";
      case ParamType::text: return text_for(param.name);
      case ParamType::host: return host();
      case ParamType::hosts: return chance(4) ? R"("H*")" : list([&] { return host(); });
      case ParamType::integers: return list([&] { return std::to_string(below(hosts_)); });
      case ParamType::numbers: return list([&] { return fmt::format("{}", within(extreme)); });
      case ParamType::bytes_list:
        return list([&] { return std::to_string(one_of<std::uint64_t>({1, 2, 9, 64, 1000, largest_})); });
      case ParamType::texts: return param.name == "watch" ? R"(["H0"])" : "";
      case ParamType::file:
      case ParamType::rows: return "";
    }
    return "";
  }
  std::string text_for(std::string_view key) {
    if (key == "class") return one_of<const char*>({R"("a")", R"("b")", R"("=x <b>")"});
    if (key == "name") return fmt::format(R"("n{}")", names_++);
    if (key == "except") return R"("n0")";
    if (key == "root") return R"("S0")";
    return "";
  }
  std::string host() {
    const std::uint64_t number = below(hosts_);
    return chance(2) ? std::to_string(number) : fmt::format(R"("H{}")", number);
  }
  template <class Draw>
  std::string list(Draw draw) {
    std::string items;
    for (std::uint64_t i = 1 + below(4); i > 0; --i) items += draw() + ", ";
    return "[" + items + "]";
  }

  RandomStream random_;
  std::vector<Line> lines_;
  std::string routing_;
  std::uint64_t hosts_ = 1, largest_ = 1, smallest_ = 1, header_ = 0, names_ = 0, max_time_ = 0;
  double bits_per_second_ = 0, fastest_ = 1;
  bool flows_ = false, from_file_ = false;
};

}  // namespace weir::testing
