// The processes that execute one run together, on one machine or on many, each of them some parts of the fabric. What
// they tell each other goes through here: behind it is MPI (app/mpi_ranks.h), or, in tests, the memory of one process.
// Of the threads of a process, one alone calls these.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace weir {

// It has said what was wrong.
class AnotherRankFailed : public InputError {
 public:
  AnotherRankFailed() : InputError("another rank of this run has failed") {}
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual std::uint32_t rank() const = 0;
  virtual std::uint32_t count() const = 0;
  // A rank that is waited for longer counts as lost, which is an error.
  virtual void wait_at_most(double /*seconds*/) {}

  // Sends to[i] to the rank neighbours[i], and receives from[i] from it; it does the same. Waits for nobody else.
  virtual void exchange(const std::vector<std::uint32_t>& neighbours, const std::vector<std::string>& to,
                        std::vector<std::string>& from) = 0;
  // Waits for all ranks: each value becomes the largest one, or the sum, of all of theirs.
  virtual void combine(std::span<std::int64_t> largest, std::span<std::int64_t> sums) = 0;
  // Waits for all ranks: what each of them has said, by rank.
  virtual std::vector<std::string> share(const std::string& said) = 0;
  // Rank 0 is given what all have said, by rank; the others nothing.
  virtual std::vector<std::string> gather(const std::string& said) = 0;
};

}  // namespace weir
