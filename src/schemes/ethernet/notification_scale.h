// What the parameters of QCN and ECM are where a scenario does not give them. Minkenberg et al. 2009 has one set of
// values, for links of 10 Gb/s and 150 kB of buffer per port. Carried over as they are, they do nothing where a queue
// never gets as long as Qeq, and on faster links a source that was slowed down waits for clocks that were made for slow
// ones. The loop stays the same if every quantity keeps its proportion (docs/ethernet.md):
// - lengths of queues to the buffer, but not above the paper's, nor below what arrives during a round trip;
// - bytes between two samples to Qeq, but no more than one sample in a round trip;
// - rates to the rate of a host's link, and times to the time that the bytes between two samples take on it.
#pragma once
#include "packet/run_input.h"

namespace weir {

struct NotificationScale {
  Bytes equilibrium = 33'000;  // Qeq
  Bytes interval = 150'000;    // between samples, and of a cycle of the byte clock
  double rate = 1;             // of the slowest host's link, over the paper's 10 Gb/s
  double time = 1;             // `interval` on that link, over the paper's 120 us
};

NotificationScale notification_scale(const RunInput& run);

}  // namespace weir
