// All threads wait for each other. The last to come goes on at once; the others look for a while and then sleep, since
// other programs may need the cores.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>

namespace weir {

class Barrier {
 public:
  explicit Barrier(std::uint32_t threads) : threads_(threads) {}

  void wait() {
    const std::uint32_t round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    // Where looking did not help the last time, cores are short: who looks keeps the others from arriving.
    const int looks = looks_.load(std::memory_order_relaxed);
    for (int i = 0; i < looks; ++i) {
      if (round_.load(std::memory_order_acquire) != round) {
        looks_.store(kMostLooks, std::memory_order_relaxed);
        return;
      }
      pause();
    }
    looks_.store(std::max(looks / 2, kLeastLooks), std::memory_order_relaxed);
    while (round_.load(std::memory_order_acquire) == round) round_.wait(round, std::memory_order_acquire);
  }

 private:
  static constexpr int kMostLooks = 2000, kLeastLooks = 8;  // the former take some ten microseconds

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  const std::uint32_t threads_;
  alignas(64) std::atomic<std::uint32_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<int> looks_{kMostLooks};
};

}  // namespace weir
