#include "manage/diagnosis/wait_unit.h"

#include <algorithm>
#include <cmath>

#include "measure/congestion.h"

namespace weir::manage {

namespace {

constexpr double kLeastGap = 0.05;      // of the time in which a port did not send: less says little
constexpr double kLargestTick = 256;
constexpr double kSameUnit = 0.02;      // units differ by less if they are the same
constexpr double kOtherRate = 0.1;      // rates differ by more if they are different
constexpr std::size_t kFewestPorts = 3;

struct Candidate {
  double unit;  // with which the port would never idle
  double load;
};

double nearest_power(double unit) { return std::exp2(std::round(std::log2(unit))); }
bool is_near(double a, double b) { return std::abs(a - b) <= kSameUnit * b; }

}  // namespace

std::optional<WaitUnit> derived_wait_unit(const Topology& topology, const std::vector<PortGrowth>& growths) {
  std::vector<Candidate> all;
  bool is_any_full = false;
  for (const PortGrowth& growth : growths) {
    if (!growth.wait || !growth.data || growth.seconds <= 0) continue;
    const double bytes = static_cast<double>(topology.link(growth.port).rate.bits_per_second) / 8 * growth.seconds;
    const double load = static_cast<double>(*growth.data) * 4 / bytes;
    is_any_full = is_any_full || load >= kRootLoad;
    if (*growth.wait > 0 && load <= 1 - kLeastGap)
      all.push_back({(1 - load) * bytes / static_cast<double>(*growth.wait), load});
  }
  if (!is_any_full || all.size() < kFewestPorts) return std::nullopt;
  std::sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) { return a.unit < b.unit; });
  const double least = all.front().unit;
  const auto end = std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return !is_near(c.unit, least); });
  const auto ports = static_cast<std::size_t>(end - all.begin());
  if (ports < kFewestPorts || least < 1 || least > kLargestTick * (1 + kSameUnit)) return std::nullopt;
  const double unit = all[ports / 2].unit;
  const auto [slow, fast] = std::minmax_element(all.begin(), end, [](auto& a, auto& b) { return a.load < b.load; });
  const bool is_power = is_near(unit, nearest_power(unit));
  if (!is_power && fast->load - slow->load < kOtherRate) return std::nullopt;
  return WaitUnit{static_cast<std::uint32_t>(std::lround(is_power ? nearest_power(unit) : unit)),
                  WaitUnit::From::derived, ports};
}

}  // namespace weir::manage
