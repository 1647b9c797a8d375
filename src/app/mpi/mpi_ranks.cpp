#include "app/mpi/mpi_ranks.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/mpi/mpi_calls.h"
#include "app/runner.h"

namespace weir {
namespace {

enum Tag { kMail = 1, kResult };

int as_int(std::size_t size) {
  if (size > kPiece) throw RankLost("what a rank has to say about a window is larger than a GiB");
  return static_cast<int>(size);
}

// MPI's own waiting burns a core, which another rank or program may need: looks for a while, then lets others go
// first, then sleeps.
class Patience {
 public:
  explicit Patience(double seconds) : seconds_(seconds) {}

  // False once it is over.
  bool lasts() {
    ++looks_;
    if (looks_ < kLooks) return true;
    if (looks_ < kYields) {
      sched_yield();
      return true;
    }
    if (since_ == 0) since_ = wall_seconds();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    return wall_seconds() - since_ < seconds_;
  }

 private:
  static constexpr int kLooks = 500, kYields = 1000;
  double seconds_;
  double since_ = 0;
  int looks_ = 0;
};

}  // namespace

MpiRanks::MpiRanks() {
  check(MPI_Comm_dup(MPI_COMM_WORLD, &all_), "begin");
  check(MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN), "begin");
  int rank = 0, count = 1;
  check(MPI_Comm_rank(all_, &rank), "tell the rank");
  check(MPI_Comm_size(all_, &count), "count the ranks");
  rank_ = static_cast<std::uint32_t>(rank);
  count_ = static_cast<std::uint32_t>(count);
}

void MpiRanks::exchange(const std::vector<std::uint32_t>& neighbours, const std::vector<std::string>& to,
                        std::vector<std::string>& from) {
  requests_.assign(neighbours.size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < neighbours.size(); ++i)
    check(MPI_Isend(to[i].data(), as_int(to[i].size()), MPI_BYTE, static_cast<int>(neighbours[i]), kMail, all_,
                    &requests_[i]), "send mail");
  heard_.assign(neighbours.size(), false);
  Patience patience(lost_after_);
  for (std::size_t missing = neighbours.size(); missing > 0;) {
    const std::size_t before = missing;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (heard_[i]) continue;
      int came = 0, size = 0;
      MPI_Message message;
      MPI_Status status;
      check(MPI_Improbe(static_cast<int>(neighbours[i]), kMail, all_, &came, &message, &status), "look for mail");
      if (came == 0) continue;
      check(MPI_Get_count(&status, MPI_BYTE, &size), "measure mail");
      from[i].resize(static_cast<std::size_t>(size));
      requests_.emplace_back();
      check(MPI_Imrecv(from[i].data(), size, MPI_BYTE, &message, &requests_.back()), "receive mail");
      heard_[i] = true;
      --missing;
    }
    if (missing < before) patience = Patience(lost_after_);
    if (missing == 0 || patience.lasts()) continue;
    const auto silent = static_cast<std::size_t>(std::find(heard_.begin(), heard_.end(), false) - heard_.begin());
    throw RankLost(fmt::format("rank {} has been silent for {:.0f} s; the run is given up, and nothing is written",
                               neighbours[silent], lost_after_));
  }
  wait_for(requests_, "exchange mail");
}

void MpiRanks::wait_for(std::vector<MPI_Request>& requests, const char* doing) {
  Patience patience(lost_after_);
  for (int done = 0;;) {
    check(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), doing);
    if (done != 0) return;
    if (!patience.lasts())
      throw RankLost(fmt::format("some rank has been silent for {:.0f} s; the run is given up, and nothing is written",
                                 lost_after_));
  }
}

void MpiRanks::combine(std::span<std::int64_t> largest, std::span<std::int64_t> sums) {
  requests_.clear();
  const auto begin = [&](std::span<std::int64_t> values, MPI_Op operation) {
    if (values.empty()) return;
    requests_.emplace_back();
    check(MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, operation, all_,
                         &requests_.back()), "combine states");
  };
  begin(largest, MPI_MAX);
  begin(sums, MPI_SUM);
  wait_for(requests_, "combine states");
}

std::vector<std::string> MpiRanks::share(const std::string& said) {
  int size = as_int(said.size());
  std::vector<int> sizes(count_), begins(count_);
  requests_.assign(1, MPI_REQUEST_NULL);
  check(MPI_Iallgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, all_, &requests_.back()), "share sizes");
  wait_for(requests_, "share sizes");
  std::size_t total = 0;
  for (std::uint32_t rank = 0; rank < count_; ++rank) {
    begins[rank] = as_int(total);
    total += static_cast<std::size_t>(sizes[rank]);
  }
  std::vector<std::string> all(count_);
  if (as_int(total) == 0) return all;
  std::string together(total, '\0');
  requests_.assign(1, MPI_REQUEST_NULL);
  check(MPI_Iallgatherv(said.data(), size, MPI_BYTE, together.data(), sizes.data(), begins.data(), MPI_BYTE, all_,
                        &requests_.back()), "share words");
  wait_for(requests_, "share words");
  for (std::uint32_t rank = 0; rank < count_; ++rank)
    all[rank] = together.substr(static_cast<std::size_t>(begins[rank]), static_cast<std::size_t>(sizes[rank]));
  return all;
}

std::vector<std::string> MpiRanks::gather(const std::string& said) {
  if (rank_ != 0) {
    send(said, 0);
    return {};
  }
  std::vector<std::string> all{said};
  for (std::uint32_t rank = 1; rank < count_; ++rank) all.push_back(receive(static_cast<int>(rank)));
  return all;
}

// The size, then the bytes in pieces.
void MpiRanks::send(const std::string& bytes, int to) {
  const std::uint64_t size = bytes.size();
  requests_.assign(1, MPI_REQUEST_NULL);
  check(MPI_Isend(&size, sizeof size, MPI_BYTE, to, kResult, all_, &requests_.back()), "send a size");
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    requests_.emplace_back();
    check(MPI_Isend(bytes.data() + at, static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_BYTE, to, kResult,
                    all_, &requests_.back()), "send a result");
  }
  wait_for(requests_, "send a result");
}

std::string MpiRanks::receive(int from) {
  std::uint64_t size = 0;
  requests_.assign(1, MPI_REQUEST_NULL);
  check(MPI_Irecv(&size, sizeof size, MPI_BYTE, from, kResult, all_, &requests_.back()), "receive a size");
  wait_for(requests_, "receive a size");
  std::string bytes(size, '\0');
  requests_.clear();
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    requests_.emplace_back();
    check(MPI_Irecv(bytes.data() + at, static_cast<int>(std::min(kPiece, bytes.size() - at)), MPI_BYTE, from, kResult,
                    all_, &requests_.back()), "receive a result");
  }
  wait_for(requests_, "receive a result");
  return bytes;
}

}  // namespace weir
