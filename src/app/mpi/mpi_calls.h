// MPI's calls with errors that are thrown.
#pragma once
#include <fmt/format.h>
#include <mpi.h>

#include <cstddef>
#include <string>

#include "base/error.h"

namespace weir {

// A rank cannot be reached, or is silent for too long: no rank can go on, or end as MPI likes it.
class RankLost : public InputError {
 public:
  using InputError::InputError;
};

inline constexpr std::size_t kPiece = std::size_t{1} << 30;  // of a long message: MPI counts in int

inline void check(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  MPI_Error_string(code, text, &size);
  throw RankLost(fmt::format("MPI cannot {}: {}", doing, std::string(text, static_cast<std::size_t>(size))));
}

}  // namespace weir
