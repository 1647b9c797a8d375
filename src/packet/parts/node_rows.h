// What the parts of one process have measured at their nodes, on its way to another: only rows that hold something.
#pragma once
#include "base/bytes.h"
#include "measure/measurements.h"

namespace weir {

void pack_rows(BytesOut& out, const Measurements& all);
// Into room that has rows of the same nodes; no two processes have measured the same.
void add_rows(BytesIn& in, Measurements& all);

}  // namespace weir
