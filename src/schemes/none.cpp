#include "schemes/none.h"

#include "packet/packet_engine.h"

namespace weir {

Measurements run_none(const PacketRun& run, const Section&) { return PacketEngine<SchemeHooks>(run, {}).run(); }

}  // namespace weir
