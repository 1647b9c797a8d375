#include "schemes/registry.h"

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
     "no congestion management: only the link-level flow control that keeps the fabric lossless",
     {},
     "[scheme]\nname = \"none\"",
     run_none},
    {"window", "static window: at most so many packets of a flow (or pair of hosts) unacknowledged", kWindowParams,
     "[scheme]\nname = \"window\"\npackets = 2", run_window},
    {"mvcm", "marking and validation: marked at inputs, validated at outputs; dynamic window, then waiting slots",
     kMvcmParams, "[scheme]\nname = \"mvcm\"", run_mvcm},
    {"iocm", "marking at inputs and outputs independently; dynamic window, then waiting slots", kMvcmParams,
     "[scheme]\nname = \"iocm\"", run_iocm},
    {"renato", "outputs that a full input waits for mark; window of one packet and injection rate control",
     kRenatoParams, "[scheme]\nname = \"renato\"\ndelay = \"fimd\"", run_renato},
    {"pfister", "full outputs mark; a table of waiting slots without limit, no window", kPfisterParams,
     "[scheme]\nname = \"pfister\"", run_pfister},
    {"marking", "any detection with any correction and recovery; mvcm, iocm, renato and pfister are presets of it",
     kMarkingParams, "[scheme]\nname = \"marking\"\ndetection = \"opm\"\nwindow = \"static\"\ndelay = \"none\"",
     run_marking},
    {"qcn",
     "quantized congestion notification 2.2: switches sample and notify sources, which limit the rate of that flow",
     kQcnParams, "[scheme]\nname = \"qcn\"\nqeq = \"33000B\"", run_qcn, true},
    {"ecm", "Ethernet congestion management (formerly BCN): positive and negative feedback with tags", kEcmParams,
     "[scheme]\nname = \"ecm\"\ngi = 2", run_ecm, true},
    {"cca", "InfiniBand congestion control: switches mark (FECN), destinations answer (BECN), sources wait by a table",
     kCcaParams, "[scheme]\nname = \"cca\"\nmarking_rate = 0\nccti_timer = 75", run_cca},
    {"saa", "explicit rates, simple allocation: a flow gets its weight over the load of its most loaded link",
     kExplicitParams, "[scheme]\nname = \"saa\"", run_saa},
    {"saa-m", "explicit rates: at least those of saa, and what is left over is claimed greedily", kExplicitParams,
     "[scheme]\nname = \"saa-m\"", run_saa_m},
    {"ffa", "explicit rates, fair to flows: weighted max-min fair", kExplicitParams, "[scheme]\nname = \"ffa\"",
     run_ffa},
    {"afa", "explicit rates, fair to applications: the flows of each share one normalised rate", kAfaParams,
     "[scheme]\nname = \"afa\"", run_afa},
    {"dcms", "InfiniBand congestion control whose marking rates a manager outside the fabric lowers for victims' sake",
     kDcmsParams, "[scheme]\nname = \"dcms\"\nmarking_rate = 128", run_dcms, false, advise_dcms},
};

}  // namespace

std::span<const SchemeInfo> schemes() { return kSchemes; }

const SchemeInfo& scheme_named(std::string_view name) {
  for (const SchemeInfo& info : kSchemes)
    if (info.name == name) return info;
  fail(__FILE__, __LINE__, "a scheme that is not registered");
}

std::vector<KindSpec> scheme_kinds() {
  std::vector<KindSpec> kinds;
  for (const SchemeInfo& info : kSchemes) kinds.push_back({info.name, info.summary, info.params, info.example});
  return kinds;
}

}  // namespace weir
