// What a scenario chooses by name and the engine has one of: a flow control, a routing choice, a switch organisation.
// Each is a component in a file of its own, which ends with its record: name, help, keys, the function that reads them
// and finds every error, and properties that others ask for instead of its name. A list for each of the three has one
// line for each component; what comes first there is the default.
#pragma once
#include <algorithm>
#include <any>
#include <span>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/units.h"
#include "network/topology.h"
#include "scenario/scenario.h"
#include "traffic/workload.h"

namespace weir {

struct SwitchConfig;

// The largest packets that this traffic can make: sources may have sizes of their own.
struct LargestPackets {
  Bytes payload = 0, packet = 0, ack = 0;
  Bytes any() const { return std::max(packet, ack); }
};

struct ComponentRequest {
  const Section& section;  // that chooses the component, with its keys
  const Topology& topology;
  const Workload& workload;
  LargestPackets largest;
};

struct ComponentSpec {
  std::string_view name;
  std::string_view help = {};              // in a few words; empty where the name says it
  std::span<const ParamSpec> params = {};  // its own keys, which have an effect with no other
  // Gives the values that it is made from, from its keys. May set and refuse what all have in common, too.
  std::any (*read)(const ComponentRequest& request, SwitchConfig& switches) = nullptr;
};

template <class Kind>
const Kind& component_named(std::string_view name) {
  for (const Kind* kind : Kind::all())
    if (kind->spec.name == name) return *kind;
  fail(__FILE__, __LINE__, "a component that is in no list");
}

// A component as a scenario has chosen it.
template <class Kind>
class Chosen {
 public:
  Chosen() : Chosen(*Kind::all().front()) {}
  explicit Chosen(const Kind& kind, std::any values = {}) : kind_(&kind), values_(std::move(values)) {}

  const Kind* operator->() const { return kind_; }
  const Kind& operator*() const { return *kind_; }
  // What its function `read` has given.
  template <class Values> const Values& values() const { return std::any_cast<const Values&>(values_); }

 private:
  const Kind* kind_;
  std::any values_;
};

template <class Kind>
const Kind& chosen_component(const Section& section, std::string_view key) {
  return component_named<Kind>(section.text(key));
}
template <class Kind>
Chosen<Kind> read_component(const Kind& kind, const ComponentRequest& request, SwitchConfig& switches) {
  return Chosen<Kind>(kind, kind.spec.read == nullptr ? std::any() : kind.spec.read(request, switches));
}

}  // namespace weir
