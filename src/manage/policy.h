// What a site lets the manager do, and how it decides: a TOML file with a few sections, every mistake in it reported
// with its line.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "control/dcms.h"
#include "scenario/spec.h"

namespace weir::manage {

// No action outside of these, whatever the counters say.
struct Bounds {
  std::vector<std::string> ports{"*"};   // names of ports that may be changed; * stands for any text
  std::uint32_t most_low = 8;            // ports whose Marking_Rate may be low at the same time
  std::uint32_t most_actions = 120;      // settings within `within`
  Time within{3'600'000'000'000'000};
  std::uint32_t lowest_rate = 0;         // no Marking_Rate below this
  double most_missing = 0.1;             // share of answers that may be missing before everything is undone
  Time stand_aside{600'000'000'000'000};  // nothing is set for so long after somebody else has changed settings
};

// The rate that stands for "as it was before the manager came"; no device can have it.
inline constexpr std::uint32_t kKeepsOriginal = 0x10000;

struct Policy {
  DcmsSettings controller;  // but for thresholds that are shares: see controller_for()
  // Each up to 1: a share, of the time or of what the link carries, which every port has of its own link. Above: ticks
  // or words per period, for all ports.
  double wait = 0, congestion = 0, data = 0;
  std::uint32_t wait_bytes = 0;  // unit of PortXmitWait: time of so many bytes on the link; 0: not given
  Time congestion_tick;          // unit of PortXmitTimeCong
  Bounds bounds;
  std::uint64_t cc_key = 0;
};

const Vocabulary& policy_vocabulary();
Policy read_policy_text(const std::string& text, const std::string& file);
Policy read_policy(const std::string& path);

// With the thresholds of every port. `wait_bytes` is the unit of PortXmitWait where it is known and the policy does not
// give it.
DcmsSettings controller_for(const Policy& policy, const Topology& topology,
                            std::optional<std::uint32_t> wait_bytes = {});

// `*` stands for any text, everything else for itself.
bool matches(std::string_view pattern, std::string_view name);

// Patterns that match no port by its full name may match ports by the shorter one that weir shows (ShortNames): these
// stand there by their full names then. Those that match none at all are told to `say`.
Bounds in_full_names(Bounds bounds, const Topology& topology, const std::function<void(const std::string&)>& say);

// Keeps the bounds: asked before every setting, told about those that were made.
class Guard {
 public:
  explicit Guard(Bounds bounds) : bounds_(std::move(bounds)) {}
  // Empty: it may be lowered to this rate; otherwise why not.
  std::string refusal(Time now, const std::string& port, std::uint32_t rate, std::size_t low_now) const;
  void acted(Time now) { acted_.push_back(now); }

 private:
  Bounds bounds_;
  std::vector<Time> acted_;
};

}  // namespace weir::manage
