#include "schemes/registry.h"

#include <algorithm>

#include "packet/hosts/connections.h"
#include "schemes/packet_scheme.h"

namespace weir {

// In the order of the reference: one line each. A record stands at the end of its own file.
#define WEIR_SCHEMES(KIND) \
  KIND(none_scheme)      \
  KIND(window_scheme)    \
  KIND(mvcm_scheme)      \
  KIND(iocm_scheme)      \
  KIND(renato_scheme)    \
  KIND(pfister_scheme)   \
  KIND(marking_scheme)   \
  KIND(qcn_scheme)       \
  KIND(ecm_scheme)       \
  KIND(cca_scheme)       \
  KIND(saa_scheme)       \
  KIND(saa_m_scheme)     \
  KIND(ffa_scheme)       \
  KIND(afa_scheme)       \
  KIND(dcms_scheme)

#define WEIR_SCHEME_RECORD(scheme) extern const SchemeInfo scheme;
#define WEIR_SCHEME_COPY(scheme) scheme,
WEIR_SCHEMES(WEIR_SCHEME_RECORD)

std::span<const SchemeInfo> schemes() {
  static const SchemeInfo all[] = {WEIR_SCHEMES(WEIR_SCHEME_COPY)};
  return all;
}

std::string_view name_of(SchemeTag tag) {
  switch (tag) {
    case SchemeTag::hardware: return "hardware";
    case SchemeTag::standard: return "standard";
    case SchemeTag::research: return "research";
    case SchemeTag::ideal: return "ideal";
  }
  return "";
}

std::string_view meaning_of(SchemeTag tag) {
  switch (tag) {
    case SchemeTag::hardware: return "in products that can be bought";
    case SchemeTag::standard: return "in a published standard; ask the vendor";
    case SchemeTag::research: return "in papers only";
    case SchemeTag::ideal: return "a yardstick: it knows what no device can know";
  }
  return "";
}

SchemeTag tag_of(const Scenario& scenario) {
  const Section& scheme = scenario.section("scheme");
  const SchemeTag tag = scheme_named(scheme.kind).tag;
  const bool protocol = scheme.knows("method") && scheme.text("method") == "distributed";
  if (tag == SchemeTag::ideal && protocol) return SchemeTag::research;
  const std::string& choice = scenario.section("routing").text("choice");
  const bool research = choice == "flow-setup" || choice == "snooping";
  return research ? std::max(tag, SchemeTag::research) : tag;
}

const SchemeInfo& scheme_named(std::string_view name) {
  for (const SchemeInfo& info : schemes())
    if (info.name == name) return info;
  fail(__FILE__, __LINE__, "a scheme that is not registered");
}

void check_pairs(const PacketRun& run) {
  std::size_t lanes = 0;
  for (const Source& source : run.workload.sources)
    lanes = std::max<std::size_t>(lanes, run.workload.groups[source.group].lane + 1u);
  const std::size_t hosts = run.topology.hosts(), pairs = lanes * hosts * hosts;
  if (pairs > kMaxPairs)
    throw InputError("this scheme keeps state for every pair of hosts; " + std::to_string(hosts) + " hosts make " +
                     std::to_string(pairs) + " pairs, at most " + std::to_string(kMaxPairs) + " are possible");
}

std::vector<KindSpec> scheme_kinds() {
  std::vector<KindSpec> kinds;
  for (const SchemeInfo& info : schemes())
    kinds.push_back({info.name, info.summary, info.params, info.example, name_of(info.tag), info.conditions});
  return kinds;
}

}  // namespace weir
