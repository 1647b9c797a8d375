// Memory of this machine: how much there is, and what is said when it has run out.
#pragma once
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace weir {

inline constexpr const char* kOutOfMemory =
    "memory has run out. A smaller fabric needs less, and so do fewer flows, fewer runs at a time (--threads) and less "
    "that is kept: measure.frames, measure.max_bins, run.max_backlog";

// What an error says, in words also where the library has none.
inline std::string error_text(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kOutOfMemory;
  if (dynamic_cast<const std::length_error*>(&error) != nullptr) return kOutOfMemory;
  return error.what();
}

}  // namespace weir
