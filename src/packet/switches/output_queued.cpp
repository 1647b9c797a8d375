// Queues at the outputs: to the engine they are virtual output queues, and differ in how memory is accounted, which the
// flow control does.
#include "packet/config/config.h"
#include "packet/engine_kinds.h"

namespace weir {
namespace {

std::any check_arbitration(const ComponentRequest& request, SwitchConfig& c) {
  if (c.arbitration != Arbitration::fcfs)
    request.section.refuse("arbitration", "an output-queued switch serves first come, first served: use \"fcfs\"");
  return {};
}

}  // namespace

extern const OrganisationKind output_queued_organisation{
    .spec = {.name = "output-queued",
             .help = "packets queue at their output, memory is counted per input so that PAUSE can stop one input",
             .read = check_arbitration},
    .run = run_voq};

}  // namespace weir
