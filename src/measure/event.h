// What a disturbance does to a class. Many runs follow one pattern: calm traffic, then a pulse (a hot spot, an
// incast), then calm again. The questions are always how high the latency of the others rose, how far their
// throughput fell, and when it was over.
#pragma once
#include <optional>
#include <vector>

#include "measure/congestion.h"
#include "measure/measurements.h"

namespace weir {

// The disturbance: from the first packet of the classes that start late (two bins or more after the first traffic) to
// the last one delivered. Where nothing starts late there is no event: the time before the first root is then no calm,
// but the start of the same traffic.
struct Event {
  Span span;
  std::vector<ClassId> causes;  // the late classes
};
std::optional<Event> find_event(const Measurements& m);

struct Impact {
  double latency_before_ps = 0;  // mean of the packets delivered before the event, after warm-up where that leaves any
  double latency_peak_ps = 0;    // highest bin from the event's start on
  Time peak_at;
  double throughput_before = 0;          // bit/s
  std::optional<double> throughput_low;  // bit/s, lowest complete bin during the event
  // From the event's start to the end of the last bin in trouble: its latency is above the limit (twice the latency
  // before, or the highest bin before if that is more), or it delivers less than there is to deliver (throughput.h).
  // 0 = there was none; nothing = there still was when the run ended.
  std::optional<Time> recovery;
  std::optional<Time> latency_recovery;  // the same of its latency alone
  // Not shown to come from the disturbance: the latency rose before, and at that pace it would reach half of the peak
  // at its time; or the peak is of packets that were all generated after the event.
  bool rises_by_itself = false;

  double rise() const { return latency_before_ps > 0 ? latency_peak_ps / latency_before_ps : 0; }
  std::optional<double> dip() const {  // lowest bin relative to before: 1 = none, 0 = stood still
    if (!throughput_low || throughput_before <= 0) return {};
    return *throughput_low / throughput_before;
  }
};
// Nothing for a class that received no packet before the event or none after it began.
std::optional<Impact> impact_of(const Measurements& m, ClassId traffic_class, const Event& event);

// Classes that are the disturbance rather than its victims: those that cause the event, otherwise those that send
// nearly all of their bytes (90 %) to one host while another class does not. All false where nothing tells them
// apart.
std::vector<bool> aggressors(const Measurements& m, const std::optional<Event>& event);

}  // namespace weir
