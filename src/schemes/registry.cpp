#include "schemes/registry.h"

#include <algorithm>

#include "schemes/ecm.h"
#include "schemes/explicit.h"
#include "schemes/infiniband.h"
#include "schemes/infiniband_dcms.h"
#include "schemes/marking.h"
#include "schemes/none.h"
#include "schemes/qcn.h"
#include "schemes/window.h"

namespace weir {
namespace {

const SchemeInfo kSchemes[] = {
    {"none",
     SchemeTag::hardware,
     "no congestion management: only the link-level flow control that keeps the fabric lossless",
     {},
     "[scheme]\nname = \"none\"",
     run_none},
    {"window", SchemeTag::hardware,
     "static window: at most so many packets of a flow (or pair of hosts) unacknowledged", kWindowParams,
     "[scheme]\nname = \"window\"\npackets = 2", run_window},
    {"mvcm", SchemeTag::research,
     "marking and validation: marked at inputs, validated at outputs; dynamic window, then waiting slots", kMvcmParams,
     "[scheme]\nname = \"mvcm\"", run_mvcm},
    {"iocm", SchemeTag::research, "marking at inputs and outputs independently; dynamic window, then waiting slots",
     kMvcmParams, "[scheme]\nname = \"iocm\"", run_iocm},
    {"renato", SchemeTag::research,
     "outputs that a full input waits for mark; window of one packet and injection rate control", kRenatoParams,
     "[scheme]\nname = \"renato\"\ndelay = \"fimd\"", run_renato},
    {"pfister", SchemeTag::research, "full outputs mark; a table of waiting slots without limit, no window",
     kPfisterParams, "[scheme]\nname = \"pfister\"", run_pfister},
    {"marking", SchemeTag::research,
     "any detection with any correction and recovery; mvcm, iocm, renato and pfister are presets of it", kMarkingParams,
     "[scheme]\nname = \"marking\"\ndetection = \"opm\"\nwindow = \"static\"\ndelay = \"none\"", run_marking},
    {"qcn", SchemeTag::standard,
     "quantized congestion notification 2.2: switches sample and notify sources, which limit the rate of that flow",
     kQcnParams, "[scheme]\nname = \"qcn\"\nqeq = \"33000B\"", run_qcn, true},
    {"ecm", SchemeTag::research,
     "Ethernet congestion management (formerly BCN): positive and negative feedback with tags", kEcmParams,
     "[scheme]\nname = \"ecm\"\ngi = 2", run_ecm, true},
    {"cca", SchemeTag::hardware,
     "InfiniBand congestion control: switches mark (FECN), destinations answer (BECN), sources wait by a table",
     kCcaParams, "[scheme]\nname = \"cca\"\nmarking_rate = 0\nccti_timer = 75", run_cca},
    {"saa", SchemeTag::ideal,
     "explicit rates, simple allocation: a flow gets its weight over the load of its most loaded link", kExplicitParams,
     "[scheme]\nname = \"saa\"", run_saa},
    {"saa-m", SchemeTag::ideal, "explicit rates: at least those of saa, and what is left over is claimed greedily",
     kExplicitParams, "[scheme]\nname = \"saa-m\"", run_saa_m},
    {"ffa", SchemeTag::ideal, "explicit rates, fair to flows: weighted max-min fair", kExplicitParams,
     "[scheme]\nname = \"ffa\"", run_ffa},
    {"afa", SchemeTag::ideal, "explicit rates, fair to applications: the flows of each share one normalised rate",
     kAfaParams, "[scheme]\nname = \"afa\"", run_afa},
    {"dcms", SchemeTag::research,
     "InfiniBand congestion control whose marking rates a manager outside the fabric lowers for victims' sake",
     kDcmsParams, "[scheme]\nname = \"dcms\"\nmarking_rate = 128", run_dcms, false, advise_dcms},
};

}  // namespace

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

std::span<const SchemeInfo> schemes() { return kSchemes; }

const SchemeInfo& scheme_named(std::string_view name) {
  for (const SchemeInfo& info : kSchemes)
    if (info.name == name) return info;
  fail(__FILE__, __LINE__, "a scheme that is not registered");
}

std::vector<KindSpec> scheme_kinds() {
  std::vector<KindSpec> kinds;
  for (const SchemeInfo& info : kSchemes)
    kinds.push_back({info.name, info.summary, info.params, info.example, name_of(info.tag)});
  return kinds;
}

}  // namespace weir
