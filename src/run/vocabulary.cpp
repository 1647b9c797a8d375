#include "run/vocabulary.h"

#include "network/network.h"
#include "packet/config/adapter_presets.h"
#include "packet/config/config.h"
#include "packet/config/switch_presets.h"
#include "run/other_words.h"
#include "schemes/registry.h"
#include "traffic/packet_format.h"
#include "traffic/workload.h"

namespace weir {
namespace {

std::vector<ParamSpec> with_engine(std::vector<ParamSpec> params) {
  params.push_back({.name = "engine",
                    .type = ParamType::choice,
                    .fallback = "packet",
                    .help = "packet: simulates every packet; fluid: flows move at the rates of an explicit-rate "
                            "scheme, without packets",
                    .choices = kEngines});
  return params;
}

}  // namespace

const Vocabulary& vocabulary() {
  static const Vocabulary all{{
      {.name = "", .summary = "", .other_words = other_words_of_sections()},
      {.name = "topology", .summary = "the fabric", .selector = "kind", .required = true, .kinds = topology_kinds(),
       .other_words = other_words_of_topologies()},
      {.name = "link", .summary = "rate and delay of links", .common = link_params(),
       .other_words = other_words_of_links()},
      {.name = "failures", .summary = "cables that are missing or slow", .common = failure_params(),
       .other_words = other_words_of_failures()},
      {.name = "packet", .summary = "sizes on the wire", .common = packet_params(),
       .other_words = other_words_of_packets()},
      {.name = "switch", .summary = "how switches are built", .common = switch_params(),
       .other_words = other_words_for_switches(), .complete = complete_from_preset},
      {.name = "adapter", .summary = "how hosts queue and inject", .common = adapter_params(),
       .other_words = other_words_of_adapters(), .complete = complete_from_adapter_preset},
      {.name = "routing", .summary = "how packets are routed", .selector = "kind", .default_kind = "auto",
       .common = route_choice_params(), .kinds = routing_kinds()},
      {.name = "traffic", .summary = "what the hosts send; several entries run side by side", .selector = "pattern",
       .repeated = true, .required = true, .common = traffic_common_params(), .kinds = traffic_kinds(),
       .other_words = other_words_of_traffic()},
      {.name = "scheme", .summary = "congestion management", .selector = "name", .default_kind = "none",
       .kinds = scheme_kinds(), .other_words = other_words_for_schemes()},
      {.name = "measure", .summary = "what is recorded", .common = measure_params()},
      {.name = "run", .summary = "when it ends", .common = with_engine(run_params())},
  }};
  return all;
}

}  // namespace weir
