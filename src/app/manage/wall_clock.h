// The clock of a manager of a real subnet. It begins with the program.
#pragma once
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "app/process.h"
#include "manage/clock.h"

namespace weir {

class WallClock final : public manage::ManagerClock {
 public:
  Time now() override {
    const auto passed = std::chrono::steady_clock::now() - began_;
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count() * 1000};
  }
  std::int64_t wall_seconds() override {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  // Time has room for 106 days; systemd starts the next manager.
  bool ended() const override { return std::chrono::steady_clock::now() - began_ > std::chrono::hours(24 * 90); }
  void sleep_until(Time time) override {
    while (now() < time && interruption() == 0)
      ::usleep(static_cast<useconds_t>(std::clamp<std::int64_t>((time - now()).ps / 1'000'000, 1, 50'000)));
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace weir
