// The parallel loop: everything is done once, and the error that comes out does not depend on the threads.
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <stdexcept>
#include <string>

namespace weir {
namespace {

TEST(Parallel, EveryNumberOnce) {
  for (const unsigned threads : {0u, 1u, 2u, 7u}) {
    std::vector<std::atomic<int>> done(100);
    parallel_for(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) EXPECT_EQ(times, 1);
  }
  parallel_for(0, 3, [](std::size_t) { FAIL(); });
}

TEST(Parallel, AsManyThreadsAsAsked) {
  std::mutex mutex;
  std::condition_variable everybody;
  int present = 0;
  // Ends only if three calls are under way at once.
  parallel_for(3, 3, [&](std::size_t) {
    std::unique_lock lock(mutex);
    if (++present == 3) everybody.notify_all();
    everybody.wait(lock, [&] { return present == 3; });
  });
  EXPECT_EQ(present, 3);
}

TEST(Parallel, TheErrorWithTheLowestNumberIsThrownAndNothingNewIsBegun) {
  for (const unsigned threads : {1u, 2u, 5u}) {
    std::atomic<int> begun{0};
    std::string said;
    try {
      parallel_for(1000, threads, [&](std::size_t i) {
        ++begun;
        if (i == 20 || i == 21 || i == 22) throw std::runtime_error("at " + std::to_string(i));
      });
    } catch (const std::runtime_error& e) {
      said = e.what();
    }
    EXPECT_EQ(said, "at 20");
    if (threads == 1) {
      EXPECT_EQ(begun, 21);
    }
  }
}

}  // namespace
}  // namespace weir
