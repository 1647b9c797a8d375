#include "manage/policy.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file_text.h"
#include "manage/diagnosis/wait_unit.h"
#include "network/short_names.h"
#include "scenario/parse.h"
#include "scenario/quantity.h"

namespace weir::manage {

namespace {

const std::vector<ParamSpec> kSweep{
    {"period", ParamType::time, "10s", "between two sweeps during an event; thresholds are per such period", 1e-6, 1e6},
    {"calm_period", ParamType::time, "30s", "between two sweeps while nothing is congested", 1e-6, 1e6},
    {"answer_timeout", ParamType::time, "2s", "a sweep is judged at the latest so long after the last answer", 1e-9,
     1e6},
    {"watch_every", ParamType::integer, "1",
     "one sweep in this many reads all ports; the others read only ports that were congested before", 1, 1e6},
};
const std::vector<ParamSpec> kThresholds{
    {"wait", ParamType::fraction, "5%", "T_W: share of the time, or ticks of PortXmitWait per period", 0, 1e18},
    {"congestion", ParamType::fraction, "95%", "T_C: share of the time, or ticks of PortXmitTimeCong per period", 0,
     1e18},
    {"data", ParamType::fraction, "10%",
     "T_D: a victim whose throughput falls by more than this is dropped: share of what the link carries, or words of "
     "PortXmitData per period", 0,
     1e18},
    {"wait_bytes", ParamType::integer, "0",
     "a tick of PortXmitWait is the time of this many bytes on the link; 0: 128 on fabrics that weir serves, else 8", 0,
     65536},
    {"congestion_tick", ParamType::time, "128ns", "a tick of PortXmitTimeCong", 1e-9, 1},
    {"low_limit", ParamType::integer, "12", "T_I: sweeps for which a Marking_Rate may stay low", 1, 1e9},
};
const std::vector<ParamSpec> kActions{
    {"low_rate", ParamType::integer, "0", "the low Marking_Rate, while a port has victims", 0, 65535},
    {"cc_key", ParamType::text, "0x0", "CC_Key of the subnet, in hexadecimal"},
};
const std::vector<ParamSpec> kBounds{
    {"ports", ParamType::texts, "[\"*\"]", "ports that may be changed, as NAME:PORT; * stands for any text"},
    {"most_low", ParamType::integer, "8", "ports whose Marking_Rate may be low at the same time", 0, 1e6},
    {"most_actions", ParamType::integer, "120", "settings that may be made within the time `within`", 0, 1e9},
    {"within", ParamType::time, "60min", "see most_actions", 1e-6, 1e7},
    {"lowest_rate", ParamType::integer, "0", "no Marking_Rate below this", 0, 65535},
    {"most_missing", ParamType::fraction, "0.1", "share of missing answers of a sweep above which everything is undone",
     0, 1},
    {"stand_aside", ParamType::time, "10min", "nothing is set for so long after somebody else has changed settings",
     1e-6, 1e7},
};

}  // namespace

const Vocabulary& policy_vocabulary() {
  static constexpr std::string_view kScenario =
      "this is a scenario, not a policy; `weir run` takes it, and docs/live.md describes policies";
  static constexpr OtherWord kWords[] = {
      {"topology", kScenario}, {"traffic", kScenario}, {"link", kScenario}, {"scheme", kScenario}, {"run", kScenario},
  };
  static const Vocabulary all{{
      {.name = "", .summary = "", .other_words = kWords},
      {.name = "sweeps", .summary = "how often counters are read", .common = kSweep},
      {.name = "thresholds", .summary = "what counts as congestion", .common = kThresholds},
      {.name = "actions", .summary = "what is set", .common = kActions},
      {.name = "bounds", .summary = "what is never exceeded", .common = kBounds},
  }};
  return all;
}

Policy read_policy_text(const std::string& text, const std::string& file) {
  const Scenario s = parse_scenario_text(text, file, policy_vocabulary());
  Policy p;
  const Section &sweep = s.section("sweeps"), &limit = s.section("thresholds"), &act = s.section("actions"),
                &bound = s.section("bounds");
  DcmsSettings& c = p.controller;
  c.calm_period = sweep.time_longer_than("answer_timeout", "calm_period");
  c.period = sweep.time_longer_than("answer_timeout", "period");
  c.answer_timeout = sweep.time("answer_timeout");
  c.watch_every = static_cast<std::uint32_t>(sweep.integer("watch_every"));
  c.wait_threshold = p.wait = limit.number("wait");
  c.congestion_threshold = p.congestion = limit.number("congestion");
  c.data_threshold = p.data = limit.number("data");
  p.wait_bytes = static_cast<std::uint32_t>(limit.integer("wait_bytes"));
  p.congestion_tick = limit.time("congestion_tick");
  c.low_limit = static_cast<std::uint32_t>(limit.integer("low_limit"));
  c.marking_low = static_cast<std::uint32_t>(act.integer("low_rate"));
  c.marking_default = kKeepsOriginal;
  const std::string& key = act.text("cc_key");
  char* end = nullptr;
  p.cc_key = std::strtoull(key.c_str(), &end, 16);
  if (key.empty() || *end != 0) act.refuse("cc_key", "`" + key + "` is no hexadecimal number, as in 0x1f");
  p.bounds.ports = bound.at("ports").texts;
  p.bounds.most_low = static_cast<std::uint32_t>(bound.integer("most_low"));
  p.bounds.most_actions = static_cast<std::uint32_t>(bound.integer("most_actions"));
  p.bounds.within = bound.time("within");
  p.bounds.lowest_rate = static_cast<std::uint32_t>(bound.integer("lowest_rate"));
  p.bounds.most_missing = bound.number("most_missing");
  p.bounds.stand_aside = bound.time("stand_aside");
  if (c.marking_low < p.bounds.lowest_rate)
    act.refuse("low_rate", fmt::format("{} is below bounds.lowest_rate, {}: no action could ever be taken",
                                       c.marking_low, p.bounds.lowest_rate));
  return p;
}

Policy read_policy(const std::string& path) { return read_policy_text(read_text_file(path), path); }

DcmsSettings controller_for(const Policy& policy, const Topology& topology, std::optional<std::uint32_t> wait_bytes) {
  DcmsSettings settings = policy.controller;
  const double period = settings.period.seconds();
  const double unit = policy.wait_bytes > 0 ? policy.wait_bytes : wait_bytes.value_or(kUsualWaitBytes);
  const auto limit = [](double given, double whole) { return given <= 1 ? given * whole : given; };
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const bool has_link = topology.to({p}).valid();
    const double bytes = has_link ? static_cast<double>(topology.link({p}).rate.bits_per_second) / 8 * period : 0;
    settings.of_ports.push_back({limit(policy.wait, bytes / unit),
                                 limit(policy.congestion, period / policy.congestion_tick.seconds()),
                                 limit(policy.data, bytes / 4)});
  }
  return settings;
}

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t from = star; from <= name.size(); ++from)
    if (matches(rest, name.substr(from))) return true;
  return false;
}

Bounds in_full_names(Bounds bounds, const Topology& topology, const std::function<void(const std::string&)>& say) {
  const ShortNames names(topology);
  std::vector<std::string> full;
  for (const std::string& pattern : bounds.ports) {
    std::vector<std::string> by_short_name;
    bool is_full = false;
    for (std::uint32_t p = 0; p < topology.ports() && !is_full; ++p) {
      if (topology.is_host(topology.node_of({p})) || !topology.to({p}).valid()) continue;
      is_full = matches(pattern, topology.port_name({p}));
      if (matches(pattern, names.port({p}))) by_short_name.push_back(topology.port_name({p}));
    }
    if (is_full) full.push_back(pattern);
    else full.insert(full.end(), by_short_name.begin(), by_short_name.end());
    if (!is_full && by_short_name.empty())
      say(fmt::format("bounds.ports: \"{}\" matches no switch port of this subnet; they are called NAME:PORT, as in {}",
                      pattern, topology.port_name(topology.port(topology.node(SwitchId{0}), 0))));
  }
  bounds.ports = std::move(full);
  return bounds;
}

std::string Guard::refusal(Time now, const std::string& port, std::uint32_t rate, std::size_t low_now) const {
  const auto& ports = bounds_.ports;
  if (std::none_of(ports.begin(), ports.end(), [&](const std::string& p) { return matches(p, port); }))
    return "bounds.ports does not name it";
  if (rate < bounds_.lowest_rate) return fmt::format("{} is below bounds.lowest_rate", rate);
  if (low_now >= bounds_.most_low) return fmt::format("{} ports are low already (bounds.most_low)", low_now);
  const auto recent = std::count_if(acted_.begin(), acted_.end(), [&](Time t) { return now - t < bounds_.within; });
  if (recent >= bounds_.most_actions) return fmt::format("{} settings within bounds.within already", recent);
  return "";
}

}  // namespace weir::manage
