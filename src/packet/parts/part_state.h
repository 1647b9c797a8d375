// What parts tell each other between windows.
#pragma once
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "base/units.h"
#include "packet/parts/ranks.h"
#include "traffic/flow_progress.h"

namespace weir {

// After a window.
struct alignas(64) PartState {
  std::int64_t next = 0;           // nothing happens before, here or by what was sent from here
  std::int64_t tick = kNever.ps;   // when the next tick is due, if there was one in this window
  bool busy_at_tick = false;       // at that one, something was going on
  std::uint64_t most_backlog = 0;  // packets that waited at its hosts, at most
  std::int64_t earliest_end = 0;   // some flow to one of its hosts cannot be complete before
  std::uint64_t completed = 0;     // flows, at its hosts
  std::uint64_t received = 0;      // data packets
  std::int64_t class_sources = 0;  // of the class that ends the run: sources that go on,
  std::int64_t class_flows = 0;    //   flows that are not complete,
  std::int64_t class_under_way = 0;  // and packets made here, less those received here
  bool failed = false;
};

// The same for all parts. They tick at the same moments, and no longer when nothing goes on in any of them.
struct RunState {
  RunState() = default;
  explicit RunState(const std::vector<PartState>& parts) {
    for (const PartState& part : parts) {
      next = std::min(next, part.next);
      tick = std::min(tick, part.tick);
      busy_at_tick |= part.busy_at_tick;
      most_backlog += part.most_backlog;
      earliest_end = std::max(earliest_end, part.earliest_end);
      completed += part.completed;
      received += part.received;
      class_sources += part.class_sources;
      class_flows += part.class_flows;
      class_under_way += part.class_under_way;
      failed |= part.failed;
    }
  }
  void combine(Ranks& ranks) {
    std::int64_t largest[] = {-next, -tick, busy_at_tick ? 1 : 0, earliest_end, failed ? 1 : 0};
    std::int64_t sums[] = {static_cast<std::int64_t>(most_backlog), static_cast<std::int64_t>(completed),
                           static_cast<std::int64_t>(received), class_sources, class_flows, class_under_way};
    ranks.combine(largest, sums);
    next = -largest[0];
    tick = -largest[1];
    busy_at_tick = largest[2] != 0;
    earliest_end = largest[3];
    failed = largest[4] != 0;
    most_backlog = static_cast<std::uint64_t>(sums[0]);
    completed = static_cast<std::uint64_t>(sums[1]);
    received = static_cast<std::uint64_t>(sums[2]);
    class_sources = sums[3];
    class_flows = sums[4];
    class_under_way = sums[5];
  }

  std::int64_t next = kNever.ps, tick = kNever.ps;
  bool busy_at_tick = false;
  std::uint64_t most_backlog = 0;
  std::int64_t earliest_end = 0;
  std::uint64_t completed = 0, received = 0;
  std::int64_t class_sources = 0, class_flows = 0, class_under_way = 0;
  bool failed = false;
};

// What will happen within the next window at the hosts of a part. All of it is on the wire to them already, since the
// window is not longer than a packet is there: so what depends on it can be done in all parts before the window begins.
struct Forecast {
  std::vector<FlowProgress::Start> completed;  // flows, and when
  std::vector<std::int64_t> arrivals;          // of data packets, where traffic waits for a number of them
  std::int64_t class_flows = 0;                // of the class that ends the run: flows that will be complete,
  std::int64_t class_packets = 0;              //   packets that will be received,
  std::int64_t class_last = 0;                 //   and when the last of them will

  void each_field(auto&& visit) {
    visit(completed);
    visit(arrivals);
    visit(class_flows);
    visit(class_packets);
    visit(class_last);
  }
  void add(const Forecast& other) {
    completed.insert(completed.end(), other.completed.begin(), other.completed.end());
    arrivals.insert(arrivals.end(), other.arrivals.begin(), other.arrivals.end());
    class_flows += other.class_flows;
    class_packets += other.class_packets;
    class_last = std::max(class_last, other.class_last);
  }
  std::int64_t last_completion() const {
    std::int64_t last = 0;
    for (const FlowProgress::Start& c : completed) last = std::max(last, c.at.ps);
    return last;
  }
  // In the order of time; what lies after `end` does not happen.
  void put_in_order(std::int64_t end) {
    std::erase_if(completed, [&](const FlowProgress::Start& c) { return c.at.ps > end; });
    std::erase_if(arrivals, [&](std::int64_t at) { return at > end; });
    std::sort(completed.begin(), completed.end(), [](const FlowProgress::Start& a, const FlowProgress::Start& b) {
      return std::tie(a.at, a.flow) < std::tie(b.at, b.flow);
    });
    std::sort(arrivals.begin(), arrivals.end());
  }
};

}  // namespace weir
