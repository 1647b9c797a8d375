// The running state of one source: when the next packet comes, where it goes, how big it is. It draws from four streams
// of its own (start, arrival, destination, size), so that changing one property of the traffic, or adding sources,
// leaves all other draws as they were: runs that are compared with each other see the same packets.
#pragma once
#include <cstdint>
#include <limits>

#include "base/random.h"
#include "traffic/workload.h"

namespace weir {

class SourceState {
 public:
  SourceState() = default;
  SourceState(std::uint64_t seed, std::uint64_t stream);  // of Source::stream()

  struct Draw {
    HostId destination;
    Bytes payload;
  };
  // Time of the first packet when the source's group is switched on at `on` = the trigger (or 0) + activity.start. The
  // source's own share of activity.spread is added here.
  Time first(const Source& source, const SourceGroup& group, Time on);
  // Time of the packet after the one at `now`; kNever when the budget is used up or the activity ends. Call it once per
  // packet, with the time that first() or next() gave. Of the source it reads only what slots need.
  Time next(const Source& source, const SourceGroup& group, Time now);
  // Destination and size of the packet at hand, of a source at host `self`.
  Draw draw(HostId self, const SourceGroup& group, std::size_t hosts);
  std::uint64_t left() const { return left_; }  // of the budget, the packet at hand included

 private:
  Time after(Time now, double gap_ps);
  Time slots_after(const Source& source, Time now, std::uint64_t at_least);

  RandomStream start_, arrival_, destination_, size_;
  double fraction_ps_ = 0;  // carries what rounding to picoseconds cut off, so that the mean rate is exact
  double mean_gap_ps_ = 0;
  std::uint64_t left_ = std::numeric_limits<std::uint64_t>::max();
  Time stop_ = kNever;  // activity.stop as an absolute time
};

}  // namespace weir
