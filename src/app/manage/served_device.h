// Is the device of this machine a fabric that weir serves?
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "app/sim_tools.h"
#include "base/error.h"
#include "live/machine.h"
#include "manage/clock.h"

namespace weir {

// Tools of a served fabric run with weir's own library (app/sim_tools.h).
inline bool is_device_served() {
  const char* preloaded = std::getenv("LD_PRELOAD");
  return preloaded != nullptr && std::strstr(preloaded, "libweir-umad") != nullptr;
}

// The unit of PortXmitWait, where it is known.
inline std::optional<std::uint32_t> wait_bytes_of_device() {
  return is_device_served() ? std::optional(live::kWaitTickBytes) : std::nullopt;
}

// Its counters grow in simulated time, which may be slower than the wall's, or stand. Nothing where it does not answer.
inline std::optional<Time> simulated_time_of_device() {
  if (!is_device_served()) return std::nullopt;
  try {
    return manage::LockstepClock(SimTool::usual_socket(false)).now();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace weir
