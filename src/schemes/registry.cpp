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
    case SchemeTag::hardware: return "available";
    case SchemeTag::standard: return "standard";
    case SchemeTag::for_infiniband: return "for InfiniBand";
    case SchemeTag::for_ethernet: return "for Ethernet";
    case SchemeTag::research: return "research";
    case SchemeTag::ideal: return "ideal";
  }
  return "";
}

std::string_view meaning_of(SchemeTag tag) {
  switch (tag) {
    case SchemeTag::hardware: return "works with products that can be bought";
    case SchemeTag::standard: return "in a published standard; ask the vendor whether it is implemented";
    case SchemeTag::for_infiniband: return "in products or a standard for InfiniBand; this fabric is Ethernet";
    case SchemeTag::for_ethernet: return "in products or a standard for Ethernet; this fabric is InfiniBand";
    case SchemeTag::research: return "in papers only";
    case SchemeTag::ideal: return "for comparison only: it uses knowledge that no real device has";
  }
  return "";
}

SchemeTag tag_of(const Scenario& scenario) {
  const Section& scheme = scenario.section("scheme");
  const SchemeInfo& info = scheme_named(scheme.kind);
  const SchemeTag tag = info.tag;
  const bool protocol = scheme.knows("method") && scheme.chooses("method", "distributed");
  if (tag == SchemeTag::ideal && protocol) return SchemeTag::research;
  const Section& routing = scenario.section("routing");
  const bool credits = chosen_component<FlowControlKind>(scenario.section("switch"), "flow_control").by_credits;
  if (chosen_component<RouteChoiceKind>(routing, "choice").research) return std::max(tag, SchemeTag::research);
  if (credits && info.made_for == MadeFor::ethernet) return std::max(tag, SchemeTag::for_ethernet);
  if (!credits && info.made_for == MadeFor::infiniband) return std::max(tag, SchemeTag::for_infiniband);
  return tag;
}

const SchemeInfo& scheme_named(std::string_view name) {
  for (const SchemeInfo& info : schemes())
    if (info.name == name) return info;
  fail(__FILE__, __LINE__, "a scheme that is not registered");
}

// Keys as adapters and other simulators name them, too.
std::span<const OtherWord> other_words_for_schemes() {
  static constexpr std::string_view kFlowControl =
      "it keeps links lossless and is no scheme; choose it with flow_control in [switch] (credits, pause or pfc), "
      "beside any scheme";
  static constexpr std::string_view kEcn =
      "marking by ECN is a part of the scheme `dcqcn`, with the keys kmin, kmax and pmax";
  static constexpr std::string_view kTransport =
      "that is a transport; its usual congestion control is the scheme `dcqcn`";
  static constexpr std::string_view kDelay = "there is no such scheme; `timely` is also based on delay";
  static constexpr std::string_view kKmin = "did you mean `kmin` of dcqcn? No packet is marked up to this queue";
  static constexpr std::string_view kKmax = "did you mean `kmax` of dcqcn? Every packet is marked above this queue";
  static constexpr std::string_view kPmax =
      "did you mean `pmax` of dcqcn? It is the share that is marked when the queue is at kmax";
  static constexpr std::string_view kReceiver =
      "the notification point (NP) is the receiver; its key in dcqcn is `cnp_interval`";
  static constexpr OtherWord kWords[] = {
      {"pfc", kFlowControl},
      {"pause", kFlowControl},
      {"credits", kFlowControl},
      {"ecn", kEcn}, {"red", kEcn}, {"wred", kEcn}, {"cnp", kEcn},
      {"roce", kTransport},
      {"rocev2", kTransport},
      {"bcn", "it was renamed; the scheme is `ecm`"},
      {"dctcp", "it belongs to TCP; its counterpart for RoCE is the scheme `dcqcn`"},
      {"swift", kDelay},
      {"rttcc", kDelay},
      {"ztr-rttcc", kDelay},
      {"hpcc-pint", "telemetry is given to senders exactly and takes no room on the wire; the scheme is `hpcc`"},
      {"ecn_kmin", kKmin},
      {"ecn_min", kKmin},
      {"red_min", kKmin},
      {"wred_min", kKmin},
      {"ecn_max", kKmax},
      {"red_max", kKmax},
      {"wred_max", kKmax},
      {"ecn_threshold",
       "did you mean `kmin` and `kmax` of dcqcn? No packet is marked up to `kmin`, every packet above `kmax`"},
      {"cnp_dscp", "the lane (priority) of CNPs is cnp_lane of dcqcn"},
      {"cnp_prio", "the lane (priority) of CNPs is cnp_lane of dcqcn"},
      {"initial_alpha_value", "it is no key: alpha starts at 1, the largest value"},
      {"rpg_gd", "it is no key: a sender cuts its rate by alpha / 2"},
      {"rate_to_set_on_first_cnp", "it is no key: the first CNP cuts the rate by alpha / 2, as every other"},
      {"k_min", kKmin},
      {"min_threshold", kKmin},
      {"ecn_kmax", kKmax},
      {"k_max", kKmax},
      {"max_threshold", kKmax},
      {"green_min_threshold", kKmin}, {"yellow_min_threshold", kKmin}, {"red_min_threshold", kKmin},
      {"green_max_threshold", kKmax}, {"yellow_max_threshold", kKmax}, {"red_max_threshold", kKmax},
      {"green_drop_probability", kPmax}, {"yellow_drop_probability", kPmax}, {"red_drop_probability", kPmax},
      {"ecn_pmax", kPmax},
      {"p_max", kPmax},
      {"mark_probability", kPmax},
      {"rpg_time_reset", "did you mean `timer` of dcqcn?"},
      {"rpg_byte_reset", "did you mean `byte_counter` of dcqcn?"},
      {"rpg_threshold", "did you mean `threshold` of dcqcn?"},
      {"rpg_ai_rate", "did you mean `rai` of dcqcn?"},
      {"ai_rate", "did you mean `rai`?"},
      {"rate_ai", "did you mean `rai`?"},
      {"rpg_hai_rate", "did you mean `rhai` of dcqcn?"},
      {"hai_rate", "did you mean `rhai` of dcqcn?"},
      {"rate_hai", "did you mean `rhai` of dcqcn?"},
      {"rpg_min_rate", "did you mean `min_rate` of dcqcn?"},
      {"dce_tcp_g", "did you mean `g` of dcqcn?"},
      {"ewma_gain", "did you mean `g` of dcqcn?"},
      {"dce_tcp_rtt", "did you mean `alpha_interval` of dcqcn?"},
      {"alpha_resume_interval", "did you mean `alpha_interval` of dcqcn?"},
      {"rate_reduce_monitor_period", "did you mean `decrease_interval` of dcqcn?"},
      {"rate_decrease_interval", "did you mean `decrease_interval` of dcqcn?"},
      {"min_time_between_cnps", "did you mean `cnp_interval` of dcqcn?"},
      {"clamp_tgt_rate", "did you mean `clamp_target` of dcqcn?"},
      {"clamp_target_rate", "did you mean `clamp_target` of dcqcn?"},
      {"u_target", "did you mean `eta` of hpcc?"},
      {"mi_thresh", "did you mean `max_stage` of hpcc?"},
      {"np", kReceiver},
      {"rp", "the reaction point (RP) is the sender; its keys in dcqcn are `timer`, `threshold`, `rai` and `rhai`"},
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
