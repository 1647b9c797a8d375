// Fat-tree files of htsim (.topo): nodes, tiers and pod size, then speed, radix, latency and bundle of every tier. They
// describe leaf-spine and three-tier Clos fabrics.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include "base/file_text.h"
#include "network/topologies/clos_plan.h"
#include "network/topologies/topologies.h"
#include "network/topologies/topology_files.h"
#include "network/topologies/topology_kind.h"

namespace weir {

namespace {

struct Tier {
  std::map<std::string, double, std::less<>> values;
  std::uint32_t line = 0;
};

class HtsimReader {
 public:
  HtsimReader(const std::string& file, std::string_view text) : file_(file) {
    for (std::uint32_t line = 1; !text.empty(); ++line) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      read_line(text.substr(0, end), line);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  HtsimFabric build() const {
    const std::uint32_t nodes = whole(top_, "Nodes"), tiers = whole(top_, "Tiers");
    if (tiers != 2 && tiers != 3) refuse(top_.line, fmt::format("Tiers: must be 2 or 3, not {}", tiers));
    for (std::uint32_t t = 0; t < tiers; ++t)
      if (!tiers_.contains(t)) refuse(top_.line, fmt::format("there is no \"Tier {}\"", t));
    const std::uint32_t pod = top_.values.contains("Podsize") ? whole(top_, "Podsize") : nodes;
    const std::uint32_t at_leaf = whole(tier(0), "Radix_Down");
    const std::uint32_t in_pod = tiers == 2 ? nodes : pod;
    HtsimFabric fabric;
    fabric.shape.down = {at_leaf, quotient("Podsize", in_pod, at_leaf)};
    if (tiers == 3) fabric.shape.down.push_back(quotient("Nodes", nodes, pod));
    for (std::uint32_t t = 0; t + 1 < tiers; ++t) {
      const std::uint32_t bundle = tier(t + 1).values.contains("Bundle") ? whole(tier(t + 1), "Bundle") : 1;
      fabric.shape.bundle.push_back(bundle);
      fabric.shape.up.push_back(quotient("Radix_Up", whole(tier(t), "Radix_Up"), bundle));
      const std::uint32_t below = whole(tier(t + 1), "Radix_Down");
      const std::uint64_t needed = std::uint64_t{fabric.shape.down[t + 1]} * bundle;
      if (below != needed)
        refuse(tier(t + 1).line,
               fmt::format("Radix_Down of tier {} is {}, but {} switches below it with {} cables each "
                           "take {} ports",
                           t + 1, below, fabric.shape.down[t + 1], bundle, needed));
    }
    for (std::uint32_t t = 0; t < tiers; ++t) {
      fabric.cables.push_back(cable(tier(t)));
      const auto latency = tier(t).values.find("Switch_Latency_ns");
      if (latency != tier(t).values.end())
        fabric.switch_latency_ns = std::max(fabric.switch_latency_ns, latency->second);
    }
    return fabric;
  }

 private:
  [[noreturn]] void refuse(std::uint32_t line, const std::string& what) const {
    throw InputError(SourcePosition{file_, line, 0}, what);
  }
  const Tier& tier(std::uint32_t t) const { return tiers_.at(t); }

  void read_line(std::string_view text, std::uint32_t line) {
    text = text.substr(0, std::min(text.find('#'), text.size()));
    const std::size_t from = text.find_first_not_of(" \t\r");
    if (from == text.npos) return;
    const std::size_t end = std::min(text.find_first_of(" \t\r", from), text.size());
    const std::string_view key = text.substr(from, end - from);
    const std::size_t second = text.find_first_not_of(" \t\r", end);
    double value = 0;
    const char* stop = text.data() + text.size();
    const auto [last, error] = second == text.npos ? std::from_chars_result{stop, std::errc::invalid_argument}
                                                   : std::from_chars(text.data() + second, stop, value);
    const bool rest = std::string_view(last, static_cast<std::size_t>(stop - last)).find_first_not_of(" \t\r") !=
                      std::string_view::npos;
    if (error != std::errc() || rest || !(value >= 0 && value <= 1e9))
      refuse(line, fmt::format("{}: must be followed by a number", key));
    if (key == "Tier") {
      current_ = &tiers_[static_cast<std::uint32_t>(value)];
      if (current_->line != 0) refuse(line, fmt::format("tier {} is described twice", value));
      current_->line = line;
      return;
    }
    if (current_->line == 0) current_->line = line;
    if (!current_->values.emplace(key, value).second) refuse(line, fmt::format("{} is given twice", key));
  }

  std::uint32_t whole(const Tier& t, std::string_view key) const {
    const auto found = t.values.find(key);
    if (found == t.values.end()) refuse(t.line, fmt::format("{} is missing", key));
    if (found->second < 1 || found->second > 65'536 * 64.0 || found->second != std::floor(found->second))
      refuse(t.line, fmt::format("{}: must be a whole number above 0", key));
    return static_cast<std::uint32_t>(found->second);
  }
  std::uint32_t quotient(std::string_view what, std::uint32_t all, std::uint32_t part) const {
    if (all % part != 0) refuse(top_.line, fmt::format("{}: {} is no multiple of {}", what, all, part));
    return all / part;
  }
  LinkProperties cable(const Tier& t) const {
    const auto number = [&](std::string_view key) {
      const auto found = t.values.find(key);
      if (found == t.values.end()) refuse(t.line, fmt::format("{} is missing", key));
      return found->second;
    };
    const double rate = number("Downlink_speed_Gbps") * 1e9, delay = number("Downlink_Latency_ns") * 1e3;
    if (rate < 1 || rate > 1e15) refuse(t.line, "Downlink_speed_Gbps: must be above 0, and 1,000,000 at most");
    return {Rate{std::llround(rate)}, Time{std::llround(delay)}, 0};
  }

  std::string file_;
  Tier top_;
  std::map<std::uint32_t, Tier> tiers_;
  Tier* current_ = &top_;
};

Topology configure_htsim(const TopologyRequest& r) {
  for (const std::string_view key : {"rate", "delay", "host_rate", "host_delay"})
    if (r.link.given(key))
      r.link.refuse(key, fmt::format("`{}` has no effect here: the fabric file gives it for every tier", key));
  const std::string& path = r.section.text("path");
  const HtsimFabric fabric = parse_htsim_fabric(path, read_text_file(path));
  if (fabric.switch_latency_ns > 0 && r.warnings != nullptr)
    r.warnings->push_back(fmt::format("{}: switches take {} ns there; weir takes [switch] route_delay and switch_delay",
                                      path, fabric.switch_latency_ns));
  return clos(fabric.shape, fabric.cables[0], {fabric.cables.begin() + 1, fabric.cables.end()});
}

// Whole units and what is left behind the point, exactly.
std::string thousandths(std::int64_t value, int digits) {
  std::string text = fmt::format("{:0{}}", value, digits + 1);
  text.insert(text.size() - static_cast<std::size_t>(digits), ".");
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

ClosShape clos_shape(const Topology& t) {
  const auto refuse = [](const char* what) {
    throw InputError(fmt::format("htsim's file has leaf-spine and three-tier fabrics only, and {}", what));
  };
  if (t.has_lost_cables()) refuse("this one has lost cables");
  ClosShape shape;
  if (t.shape() == Shape::clos) {
    shape = ClosPlan(t).shape();
    if (shape.rails > 1) refuse("this one is rail-optimised");
  } else if (t.shape() == Shape::tree && t.horizontal_width() == 0) {
    shape.down.assign(t.stages(), t.arity());
    shape.up.assign(t.stages() - 1, t.arity());
    shape.bundle.assign(t.stages() - 1, 1);
  } else {
    refuse("this one has another structure");
  }
  if (shape.down.size() < 2 || shape.down.size() > 3)
    refuse(fmt::format("this one has {} levels", shape.down.size()).c_str());
  return shape;
}

// To the hosts, and up from each level.
std::vector<LinkProperties> cables_by_level(const Topology& t) {
  std::vector<std::optional<LinkProperties>> found;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    if (!t.to({p}).valid()) continue;
    const auto below = static_cast<std::size_t>(std::min(t.level(t.node_of({p})), t.level(t.node_of(t.to({p})))) + 1);
    if (found.size() <= below) found.resize(below + 1);
    const LinkProperties& link = t.link({p});
    if (!found[below]) found[below] = link;
    if (found[below]->rate != link.rate || found[below]->delay != link.delay)
      throw InputError(fmt::format("htsim's file has one rate and delay for all cables of a level, and {} differs",
                                   t.port_name({p})));
  }
  std::vector<LinkProperties> cables;
  for (const auto& link : found) cables.push_back(link.value());
  return cables;
}

constexpr ParamSpec kHtsimParams[] = {
    ParamSpec{"path", ParamType::file, kRequired, "fat-tree file of htsim (.topo)"}.with_example("fat-tree.topo")};

}  // namespace

HtsimFabric parse_htsim_fabric(const std::string& file, std::string_view text) {
  return HtsimReader(file, text).build();
}

std::string write_htsim_fabric(const Topology& t) {
  const ClosShape shape = clos_shape(t);
  std::vector<LinkProperties> cables = cables_by_level(t);
  const auto tiers = static_cast<std::uint32_t>(shape.down.size());
  const std::uint32_t pod = shape.down[0] * shape.down[1];  // of two tiers: all
  std::string text = fmt::format("# written by weir\nNodes {}\nTiers {}\nPodsize {}\n", t.hosts(), tiers, pod);
  for (std::uint32_t l = 0; l < tiers; ++l) {
    const std::uint32_t bundle = l == 0 ? 1 : shape.bundle[l - 1];
    text += fmt::format("\nTier {}\nDownlink_speed_Gbps {}\nRadix_Down {}\nDownlink_Latency_ns {}\n", l,
                        thousandths(cables[l].rate.bits_per_second, 9), shape.down[l] * bundle,
                        thousandths(cables[l].delay.ps, 3));
    if (l > 0) text += fmt::format("Bundle {}\n", bundle);
    if (l + 1 == tiers) break;
    const std::uint32_t up = shape.up[l] * shape.bundle[l];
    text += fmt::format("Radix_Up {}\n", up);
    const auto rate = [&](std::uint32_t ports, std::uint32_t level) {
      return static_cast<double>(ports) * static_cast<double>(cables[level].rate.bits_per_second);
    };
    const double ratio = rate(shape.down[l] * bundle, l) / rate(up, l + 1);
    if (ratio > 1) text += fmt::format("Oversubscribed {}\n", ratio);
  }
  return text;
}

extern const TopologyKind htsim_topology{{"htsim", "a leaf-spine or three-tier fabric from a fat-tree file of htsim",
                                          kHtsimParams, "[topology]\nkind = \"htsim\"\npath = \"leaf-spine.topo\"\n"},
                                         configure_htsim};

}  // namespace weir
