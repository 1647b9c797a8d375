// See alone.h. A link has a start for each packet; the packet behind starts when the one before has left and its own
// head (or tail) is there. Cutting through from a slow link to a faster one waits until the tail can follow.
#include "measure/flows/alone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/latest.h"

namespace weir {

namespace {

// One packet on its way: when it starts onto the link at hand, and how long it takes on it.
struct Hop {
  std::int64_t start = 0, length = 0;
};

// When it can start onto the next link, where it takes `length`.
std::int64_t ready(const Hop& last, Time delay, const AloneModel& model, std::int64_t length) {
  const std::int64_t here = last.start + delay.ps + model.inside.ps;
  return here + (model.store_and_forward ? last.length : std::max<std::int64_t>(0, last.length - length));
}

}  // namespace

// As the fluid engine counts it.
Time AloneTimes::fluid(FlowId flow, HostId source, HostId destination, Bytes bytes) {
  const double efficiency = static_cast<double>(model_.payload) / static_cast<double>(model_.payload + model_.header);
  double rate = std::numeric_limits<double>::infinity();
  ways_.each_link(flow, source, destination, [&](PortId port) {
    rate = std::min(rate, topology_.link(port).rate.bytes_per_second() * efficiency);
    return true;
  });
  return whole_ps(std::ceil(std::max(0.0, static_cast<double>(bytes) / rate * 1e12 - 1e-3)));
}

Time AloneTimes::of(FlowId flow, HostId source, HostId destination, Bytes bytes) {
  if (source == destination || bytes <= 0) return {};
  if (model_.fluid) return fluid(flow, source, destination, bytes);
  const std::int64_t full = (bytes - 1) / model_.payload;  // packets before the last
  const Bytes last_size = bytes - full * model_.payload + model_.header, full_size = model_.payload + model_.header;
  Hop first, last;  // of the full packets the first one; and the last packet of all
  Time delay;       // of the link before
  std::int64_t pace = 0;  // of the full packets on the link at hand
  bool is_host = true, countable = true;
  ways_.each_link(flow, source, destination, [&](PortId port) {
    const LinkProperties& link = topology_.link(port);
    const std::int64_t full_length = link.rate.time_for(full_size).ps, last_length = link.rate.time_for(last_size).ps;
    first = {is_host ? 0 : ready(first, delay, model_, full_length), full_length};
    last = {is_host ? 0 : ready(last, delay, model_, last_length), last_length};
    pace = std::max(pace, full_length);
    countable = static_cast<double>(full) * static_cast<double>(pace) < static_cast<double>(kLatest.ps) / 4;
    if (full > 0 && countable) last.start = std::max(last.start, first.start + (full - 1) * pace + full_length);
    is_host = false;
    delay = link.delay;
    return countable;
  });
  return countable ? Time{last.start + delay.ps + last.length} : kNever;
}

}  // namespace weir
