// A sum of times in picoseconds. It is exact, so that it does not depend on the order of its parts (doubles do, above
// 2^53), and becomes a double only when it is read.
#pragma once
#include <cstdint>

namespace weir {

class TimeSum {
 public:
  TimeSum() = default;
  TimeSum(double ps) : ps_(static_cast<unsigned __int128>(ps)) {}
  TimeSum& operator+=(std::uint64_t ps) {
    ps_ += ps;
    return *this;
  }
  TimeSum& operator+=(const TimeSum& other) {
    ps_ += other.ps_;
    return *this;
  }
  TimeSum& operator*=(double factor) { return *this = static_cast<double>(*this) * factor; }
  operator double() const { return static_cast<double>(ps_); }

 private:
  unsigned __int128 ps_ = 0;
};

}  // namespace weir
