// The ranks of mpirun that share one run.
#pragma once
#include <mpi.h>

#include "packet/parts/ranks.h"

namespace weir {

class MpiRanks final : public Ranks {
 public:
  MpiRanks();
  ~MpiRanks() override = default;  // MPI_Finalize frees the communicator, if all ranks get there

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t count() const override { return count_; }
  void wait_at_most(double seconds) override { lost_after_ = seconds; }
  void exchange(const std::vector<std::uint32_t>& neighbours, const std::vector<std::string>& to,
                std::vector<std::string>& from) override;
  void combine(std::span<std::int64_t> largest, std::span<std::int64_t> sums) override;
  std::vector<std::string> share(const std::string& said) override;
  std::vector<std::string> gather(const std::string& said) override;

 private:
  void wait_for(std::vector<MPI_Request>& requests, const char* doing);
  void send(const std::string& bytes, int to);
  std::string receive(int from);

  MPI_Comm all_ = MPI_COMM_NULL;
  double lost_after_ = 600;
  std::uint32_t rank_ = 0, count_ = 1;
  std::vector<MPI_Request> requests_;
  std::vector<bool> heard_;  // per neighbour
};

}  // namespace weir
