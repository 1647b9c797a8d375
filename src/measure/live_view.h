// Looking at a run while it goes on. The engine asks at each sample of the fabric whether anybody wants to see the
// state; only then are the measurements so far copied and handed over. What is seen has no effect on the run.
#pragma once
#include <functional>

#include "measure/measurements.h"

namespace weir {

struct LiveView {
  std::function<bool()> wanted;                // cheap: it is asked often
  std::function<void(Measurements)> publish;  // as if the run had ended now
};

}  // namespace weir
