#include "schemes/registry.h"

#include <algorithm>

#include "base/check.h"

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
  KIND(dcqcn_scheme)     \
  KIND(hpcc_scheme)      \
  KIND(timely_scheme)    \
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
  const bool protocol = scheme.knows("method") && scheme.chooses("method", "distributed");
  if (tag == SchemeTag::ideal && protocol) return SchemeTag::research;
  const Section& routing = scenario.section("routing");
  const bool research = routing.chooses("choice", "flow-setup") || routing.chooses("choice", "snooping");
  return research ? std::max(tag, SchemeTag::research) : tag;
}

const SchemeInfo& scheme_named(std::string_view name) {
  for (const SchemeInfo& info : schemes())
    if (info.name == name) return info;
  fail(__FILE__, __LINE__, "a scheme that is not registered");
}

std::span<const OtherWord> other_words_for_schemes() {
  static constexpr std::string_view kFlowControl =
      "it keeps links lossless and is no scheme; choose it with flow_control in [switch] (credits, pause or pfc), "
      "beside any scheme";
  static constexpr std::string_view kEcn =
      "marking by ECN is a part of the scheme `dcqcn`, with the keys kmin, kmax and pmax";
  static constexpr OtherWord kWords[] = {
      {"pfc", kFlowControl},
      {"pause", kFlowControl},
      {"credits", kFlowControl},
      {"ecn", kEcn},
      {"red", kEcn},
      {"wred", kEcn},
      {"cnp", kEcn},
      {"roce", "that is a transport; its usual congestion control is the scheme `dcqcn`"},
      {"rocev2", "that is a transport; its usual congestion control is the scheme `dcqcn`"},
      {"bcn", "it was renamed; the scheme is `ecm`"},
  };
  return kWords;
}

std::vector<KindSpec> scheme_kinds() {
  std::vector<KindSpec> kinds;
  for (const SchemeInfo& info : schemes())
    kinds.push_back({info.name, info.summary, info.params, info.example, name_of(info.tag), info.conditions});
  return kinds;
}

}  // namespace weir
