// The one parallel loop of the tree. Reproductions, comparisons and sweeps all share out their work with it; what they
// compute must not depend on the number of threads, and neither does the error that they report.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace weir {

// Cores that this process may use, at least 1.
inline unsigned hardware_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls work(0) ... work(count - 1), `threads` at a time (0: on all cores), in the order of the numbers as threads
// become free. After an error nothing new is begun. The error with the lowest number is thrown on: all lower numbers
// were begun before it, so it is the same one with any number of threads.
inline void parallel_for(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::mutex mutex;
  std::exception_ptr error;
  std::size_t error_at = std::numeric_limits<std::size_t>::max();
  const auto worker = [&] {
    while (!stopped) {
      const std::size_t i = next++;
      if (i >= count) return;
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < error_at) {
          error_at = i;
          error = std::current_exception();
        }
        stopped = true;
      }
    }
  };
  {
    const std::size_t wanted = threads == 0 ? hardware_threads() : threads;
    std::vector<std::jthread> pool;
    for (std::size_t t = 1; t < std::min(wanted, count); ++t) pool.emplace_back(worker);
    worker();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace weir
