// The one list of congestion management schemes. A scheme is a family's file and a line in registry.cpp.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "packet/engine.h"
#include "scenario/scenario.h"

namespace weir {

struct SchemeInfo {
  std::string_view name;
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

}  // namespace weir
