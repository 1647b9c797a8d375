// Cores that several runs share: one for each run while there are as many runs as cores, and more when few are left. A
// run keeps what it was given until it ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <mutex>

namespace weir {

class CoreShare {
 public:
  explicit CoreShare(unsigned cores) : free_(static_cast<int>(cores)) {}

  // What a run has while it lasts.
  class Taken {
   public:
    Taken(CoreShare& from, unsigned cores) : from_(from), cores_(cores) {}
    Taken(const Taken&) = delete;
    Taken& operator=(const Taken&) = delete;
    ~Taken() { from_.give_back(cores_); }
    unsigned cores() const { return cores_; }

   private:
    CoreShare& from_;
    unsigned cores_;
  };
  // For a run that begins while `waiting` others have not begun.
  Taken take(std::size_t waiting) {
    const std::lock_guard lock(mutex_);
    const int share = std::max(1, free_ / static_cast<int>(std::min<std::size_t>(waiting + 1, kMany)));
    free_ -= share;
    return Taken(*this, static_cast<unsigned>(share));
  }

 private:
  static constexpr std::size_t kMany = 1'000'000;
  void give_back(unsigned cores) {
    const std::lock_guard lock(mutex_);
    free_ += static_cast<int>(cores);
  }

  std::mutex mutex_;
  int free_;  // below 0 where more runs go on than there are cores
};

}  // namespace weir
