#include "schemes/none.h"

#include "packet/packet_engine.h"

namespace weir {

Measurements run_none(const PacketRun& run, const Section&) { return run_packets(run, SchemeHooks{}); }

}  // namespace weir
