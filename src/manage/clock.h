// The manager's clock: the wall's, or that of a simulated fabric in lockstep, which moves when the manager asks it to.
#pragma once
#include <memory>
#include <string>

#include "base/units.h"
#include "live/control_line.h"

namespace weir::manage {

class ManagerClock {
 public:
  virtual ~ManagerClock() = default;
  virtual Time now() = 0;
  // Returns at that time, or earlier if the manager is to look around (a signal has come).
  virtual void sleep_until(Time time) = 0;
  virtual std::int64_t wall_seconds() = 0;      // since 1970: it goes on while no manager runs
  virtual bool ended() const { return false; }  // time goes on no further
};

class LockstepClock final : public ManagerClock {
 public:
  explicit LockstepClock(const std::string& socket) : line_(socket) { now_ = parse(line_.ask("now")); }
  Time now() override { return now_; }
  void sleep_until(Time time) override {
    if (time <= now_) return;
    now_ = parse(line_.ask("until " + std::to_string(time.ps) + "ps"));
    ended_ = now_ < time;
  }
  std::int64_t wall_seconds() override { return now_.ps / 1'000'000'000'000; }  // of the fabric: it has no other
  bool ended() const override { return ended_; }

 private:
  static Time parse(const std::string& answer) { return {std::strtoll(answer.c_str() + 3, nullptr, 10)}; }
  live::ControlClient line_;
  Time now_;
  bool ended_ = false;
};

}  // namespace weir::manage
