// What a switch organisation registers: common.h says what it is. A new one is a file that ends with its record, and
// its line in organisations.cpp.
#pragma once
#include "packet/config/component.h"

namespace weir {

struct Measurements;
struct RunInput;
class SchemeHooks;
struct SchemeTraits;

using RunWithSwitches = Measurements(const RunInput& run, SchemeHooks& scheme, const SchemeTraits& traits);

struct OrganisationKind {
  ComponentSpec spec;
  RunWithSwitches* run;   // the engine with these switches
  bool crossbar = false;  // packets leave their input by crossing to a buffer of their output

  static std::span<const OrganisationKind* const> all();
};

}  // namespace weir
