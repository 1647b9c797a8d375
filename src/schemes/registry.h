// The one list of congestion management schemes. A scheme is a family's file and a line in registry.cpp.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "packet/packet_run.h"
#include "scenario/scenario.h"

namespace weir {

// What it takes to have a scheme.
enum class SchemeTag : std::uint8_t {
  hardware,  // in products that can be bought
  standard,  // in a published standard
  research,  // in papers only
  ideal,     // a yardstick: it knows what no device can know
};
std::string_view name_of(SchemeTag tag);
std::string_view meaning_of(SchemeTag tag);  // in a few words

struct SchemeInfo {
  std::string_view name;
  SchemeTag tag;
  std::string_view summary;
  std::span<const ParamSpec> params;
  std::string_view example;
  Measurements (*run)(const PacketRun&, const Section& scheme);
  bool notifies = false;  // its switches send notifications, which adaptive routing can read
  // What a user should know before the run: a warning, or nothing.
  std::string (*advice)(const PacketConfig&, const Workload&, const Section& scheme) = nullptr;
};

std::span<const SchemeInfo> schemes();
const SchemeInfo& scheme_named(std::string_view name);  // the vocabulary has checked the name
std::vector<KindSpec> scheme_kinds();
// As the scenario sets it up: explicit rates by a protocol are research, by calculation an ideal; and no scheme is
// nearer to a product than the routing beside it.
SchemeTag tag_of(const Scenario& scenario);

}  // namespace weir
