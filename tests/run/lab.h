// Scenarios as text, run to the end: what the tests of this layer share.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "network/routings/routings.h"
#include "packet/config/config.h"
#include "run/simulate.h"
#include "scale.h"
#include "scenario/parse.h"
#include "schemes/registry.h"

namespace weir::testing {

inline Scenario scenario_of(const std::string& text) { return parse_scenario_text(text, "test", vocabulary()); }
inline Outcome run_text(const std::string& text) { return simulate(scenario_of(text)); }

// The sentence with which a scenario is refused before it runs, or by its run at the latest; empty if it is not.
inline std::string refusal_in(auto&& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}
inline std::string refusal(const std::string& text) {
  return refusal_in([&] { set_up(scenario_of(text)); });
}
inline std::string refusal_of_run(const std::string& text) {
  return refusal_in([&] { run_text(text); });
}

// A star of 8 Gb/s (1 byte per ns), no delays, packets of 1000 B, so that a packet takes one microsecond.
struct Star {
  int hosts = 4;
  std::string switches;  // further lines of [switch]
  std::string adapter;   // lines of [adapter]
  std::string packet;    // further lines of [packet]
  std::string link = "delay = \"0ns\"\n";
  std::string scheme = "name = \"none\"\n";
  std::string run = "until = \"flows\"\n";
  std::string payload = "[1000]";
  std::string traffic;  // complete [[traffic]] entries

  std::string text() const {
    return fmt::format(
        "[topology]\nkind = \"star\"\nhosts = {}\n[link]\nrate = \"8Gbps\"\n{}[packet]\npayload = {}\n{}"
        "[switch]\nroute_delay = \"0ns\"\nswitch_delay = \"0ns\"\n{}[adapter]\n{}[scheme]\n{}[run]\n{}{}",
        hosts, link, payload, packet, switches, adapter, scheme, run, traffic);
  }
};

// One [[traffic]] entry with these flows: rows of source, destination, bytes, start.
inline std::string flows(const std::string& rows, const std::string& more = "") {
  return fmt::format("[[traffic]]\npattern = \"flows\"\n{}list = [{}]\n", more, rows);
}

inline std::int64_t completion(const Outcome& outcome, std::size_t flow) {
  return outcome.measurements.flows.at(flow).completion.ps;
}

// What a scheme reports under this name; -1 if nothing.
inline double number_of(const Outcome& outcome, std::string_view name) {
  return outcome.measurements.scheme_number(name).value_or(-1);
}

inline constexpr std::int64_t kNs = 1000, kUs = 1'000'000;

}  // namespace weir::testing
