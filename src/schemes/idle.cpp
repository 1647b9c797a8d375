#include "schemes/idle.h"

#include <fmt/format.h>

#include "scenario/quantity.h"

namespace weir::idle {
namespace {

std::string counted(std::uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace

std::string window(std::uint32_t limit, std::uint32_t most_outstanding) {
  if (most_outstanding >= limit) return "no flow wanted more than its window of " + counted(limit, "packet");
  return fmt::format("no flow had more than {} unacknowledged, its window is {}", counted(most_outstanding, "packet"),
                     limit);
}

std::string notification(const Sampled& s) {
  const std::string set_point = "Qeq is " + bytes_to_text(s.equilibrium);
  if (s.capacity > 0 && s.capacity <= s.equilibrium)
    return fmt::format("the queue holds at most {}, {}", bytes_to_text(s.capacity), set_point);
  if (s.longest <= s.equilibrium)
    return fmt::format("the longest queue had {}, {}", bytes_to_text(s.longest), set_point);
  if (s.notifications > 0)
    return counted(s.notifications, "notification") + " had not reached a source when the run ended";
  return fmt::format("the longest queue had {}, {}, but no sample (one in {}) asked for a lower rate",
                     bytes_to_text(s.longest), set_point, bytes_to_text(s.interval));
}

std::string marking(const marking::DetectionConfig& d, std::uint64_t marks) {
  using marking::Detection;
  if (d.kind == Detection::none) return "nothing marks, and no flow wanted more than its window";
  if (marks > 0) return counted(marks, "packet") + " got a mark, but no sender had to wait for that";
  const std::string input = d.input_full ? "no input buffer was full"
                                         : fmt::format("no input buffer was filled above {:g} %",
                                                       100 * d.input_threshold);
  const std::string output = fmt::format("no output above {:g} %", 100 * d.output_threshold);
  switch (d.kind) {
    case Detection::opm: return fmt::format("no output was filled above {:g} %", 100 * d.output_threshold);
    case Detection::iopm: return input + " and " + output;
    default: return input;
  }
}

std::string ecn(const EcnCounts& c) {
  const std::string lengths = fmt::format("the queue nearest to kmin had {}, kmin there is {}",
                                          bytes_to_text(c.longest), bytes_to_text(c.kmin));
  if (c.cnps > 0) return counted(c.cnps, "CNP") + " came for flows that had sent everything";
  if (c.marks > 0)
    return counted(c.marks, "packet") + " got a mark, but no CNP had reached a sender when the run ended";
  return c.longest <= c.kmin ? lengths : lengths + ", but no packet was marked";
}

std::string hpcc(std::uint64_t echoed, double eta) {
  if (echoed < 2) return counted(echoed, "acknowledgement") + " came back; a rate takes two of one flow";
  return fmt::format("no link of any flow had {:g} % of its bandwidth-delay product in flight", 100 * eta);
}

std::string timely(std::uint64_t measured, Time longest, Time t_low) {
  if (measured == 0) return "no round trip was measured";
  const std::string trips =
      fmt::format("the longest round trip took {}, t_low is {}", to_text(longest), to_text(t_low));
  return longest < t_low ? trips : trips + ", but they did not grow";
}

std::string infiniband(const FecnCounts& c) {
  if (c.threshold < 0) return "no port has a threshold";
  if (c.marked > 0)
    return counted(c.marked, "packet") + " got a mark, but no notification had reached a source when the run ended";
  if (c.congested.ps > 0)
    return fmt::format("ports were congested for {}, but only one packet in {} is marked, so none was",
                       to_text(c.congested), c.marking_rate + 1);
  const std::string lengths = fmt::format("the longest queue had {}, the threshold is {}", bytes_to_text(c.longest),
                                          bytes_to_text(c.threshold));
  if (c.longest <= c.threshold) return lengths;
  return lengths + ", but that counts the packet on the wire; never was so much left while the port had credits";
}

std::string manager(const ManagerCounts& c, const std::string& ports) {
  // A sweep compares counters with those of the one before, and what lasts for less than a period may fall between.
  constexpr std::int64_t kFewestPeriods = 5;
  std::string found = "its manager found no victim in " + counted(c.sweeps, "sweep");
  if (c.run < c.period * kFewestPeriods)
    found += fmt::format(": the run takes {}, and it looks every {}; set a shorter scheme.calm_period, or let the run "
                         "last longer",
                         to_text(c.run), to_text(c.period));
  return found + (ports.empty() ? "; the ports kept marking at their initial rate" : "; " + ports);
}

std::string explicit_rates(std::uint64_t flows, std::uint32_t train, Time idle) {
  if (flows > 0) return counted(flows, "flow") + " had no rate when the run ended";
  if (train == 0) return "no flow came under its control";
  return fmt::format("no pair of hosts sent {} packets in a row, none later than {} after the one before", train,
                     to_text(idle));
}

}  // namespace weir::idle
