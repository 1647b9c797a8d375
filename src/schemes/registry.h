// The one list of congestion management schemes. A scheme is a file that ends with its record, and its line in
// registry.cpp.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "packet/run_input.h"
#include "scenario/scenario.h"

namespace weir {

// What it takes to have a scheme.
enum class SchemeTag : std::uint8_t {
  hardware,  // in products that can be bought
  standard,  // in a published standard
  for_infiniband, for_ethernet,  // either, but only for links of that kind, and the fabric has others
  research,  // in papers only
  ideal,     // for comparison only: it knows what no real device can know
};
std::string_view name_of(SchemeTag tag);
std::string_view meaning_of(SchemeTag tag);  // in a few words

// Whose switches and adapters have it, if anybody's.
enum class MadeFor : std::uint8_t { any_fabric, infiniband, ethernet };

// How somebody who operates a fabric gets a scheme to work there.
struct SchemeUse {
  std::string_view where = {};    // it is set, where it can be bought: "opensm enables it"
  bool by_configuration = true;   // of the fabric or its adapters; otherwise software must do it
  std::span<const std::string_view> keys = {};  // to try first where its defaults do not help
  std::string_view tool = {};     // that finds values for them
};

// A scheme as a scenario sets it up: ready to run, any number of times.
struct ConfiguredScheme {
  std::function<Measurements(const RunInput&)> run;
  std::string warning = {};  // what a user should know before the run
  CalculatedValues calculated = {};  // of keys that the scenario leaves open
};

struct SchemeInfo {
  std::string_view name;
  SchemeTag tag;
  std::string_view summary;
  std::span<const ParamSpec> params;
  std::string_view example;
  // From [scheme], for this network, traffic and configuration; every error of the section shows here. Runs nothing.
  ConfiguredScheme (*configure)(const Section& scheme, const RunInput& run);
  // The same for a run without packets; null: it works on packets only.
  ConfiguredScheme (*configure_fluid)(const Section& scheme, const RunInput& run) = nullptr;
  bool notifies = false;  // its switches send notifications, which adaptive routing can read
  std::span<const KeyCondition> conditions = {};  // see KindSpec
  MadeFor made_for = MadeFor::any_fabric;
  SchemeUse use = {};
};

std::span<const SchemeInfo> schemes();
const SchemeInfo& scheme_named(std::string_view name);  // the vocabulary has checked the name
std::vector<KindSpec> scheme_kinds();
// What people call a scheme, and is none, or has another name here.
std::span<const OtherWord> other_words_for_schemes();
// As the scenario sets it up: explicit rates by a protocol are research, by calculation an ideal; no scheme is nearer
// to a product than the routing beside it; and what is made for links with credits (InfiniBand) or for those with
// PAUSE (Ethernet) cannot be bought for the others.
SchemeTag tag_of(const Scenario& scenario);

}  // namespace weir
