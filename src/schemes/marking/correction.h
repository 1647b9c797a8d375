// Correcting congestion at the sources: what the marks on an acknowledgement do to the injection of its flow. Two
// means, alone or one after the other: a window on unacknowledged packets, and a delay between packets. Pure functions
// of a flow's state, so that every rule can be tested by itself.
//   window   none; static; dynamic: minus one per marked acknowledgement down to 1, plus one per clean one
//   delay    none; slots: 0, 1, k, k^2, ... waiting slots, at most n times longer; table: one slot more per mark,
//   without limit;
//            aimd, fimd, lipd: injection rate control, in packet times
// A delay is lengthened only when the window cannot shrink any more, and only by the severe marks; the window does not
// grow before the delay is gone.
#pragma once
#include <algorithm>
#include <cstdint>

#include "base/units.h"
#include "schemes/marking/detection.h"

namespace weir::marking {

enum class WindowKind { none, fixed, dynamic };
enum class DelayKind { none, slots, table, aimd, fimd, lipd };
enum class Recovery { progressive, immediate };
enum class WaitFrom { injection, acknowledgement };
enum class EmptyQueue { nothing_waits, nothing_outstanding };
enum class WindowPer { pair, source };  // whose packets a window counts and a delay holds back

struct CorrectionConfig {
  WindowKind window = WindowKind::dynamic;
  std::uint32_t largest_window = 2;
  WindowPer per = WindowPer::pair;
  DelayKind delay = DelayKind::slots;
  Recovery recovery = Recovery::immediate;
  WaitFrom wait_from = WaitFrom::injection;
  EmptyQueue empty_queue = EmptyQueue::nothing_waits;
  Time slot;                    // slots and table
  std::uint32_t factor = 4;     // slots: k
  std::uint32_t limit = 5;      // slots: at most so many increases; 0 = no limit
  double rate_factor = 2;       // aimd, fimd: m
  double least_rate = 1.0 / 256;  // aimd, fimd, lipd: share of the link rate

  bool in_packet_times() const {
    return delay == DelayKind::aimd || delay == DelayKind::fimd || delay == DelayKind::lipd;
  }
};

inline constexpr std::uint32_t kUnlimitedWindow = 0xffffffffu;

// Injection of one flow.
struct InjectionState {
  std::uint32_t outstanding = 0;
  std::uint32_t window = kUnlimitedWindow;
  double delay = 0;             // slots, or packet times
  std::int64_t base = 0;        // ps: from when the delay counts
  std::int64_t packet_time = 0; // ps: of the packet injected last
};

enum class Action { nothing, smaller_window, longer_delay, shorter_delay, larger_window };

class Correction {
 public:
  explicit Correction(const CorrectionConfig& config) : c_(config) {}

  const CorrectionConfig& config() const { return c_; }
  std::uint32_t initial_window() const { return c_.window == WindowKind::none ? kUnlimitedWindow : c_.largest_window; }
  void reset(InjectionState& s) const {
    s.window = initial_window();
    s.delay = 0;
  }
  InjectionState initial() const {
    InjectionState s;
    reset(s);
    return s;
  }
  bool is_initial(const InjectionState& s) const { return s.window == initial_window() && s.delay == 0; }
  // A packet of this flow is generated into a queue that holds none: is there anything to reset?
  bool recovers_at_once(const InjectionState& s) const {
    return c_.recovery == Recovery::immediate && !is_initial(s) &&
           (c_.empty_queue == EmptyQueue::nothing_waits || s.outstanding == 0);
  }

  void injected(InjectionState& s, std::int64_t now, std::int64_t packet_time) const {
    ++s.outstanding;
    s.base = now + packet_time;
    s.packet_time = packet_time;
  }
  Action acknowledged(InjectionState& s, Severity severity, std::int64_t now) const {
    --s.outstanding;
    if (severity == Severity::none) return recover(s);
    if (c_.window == WindowKind::dynamic && s.window > 1) {
      --s.window;
      return Action::smaller_window;
    }
    if (severity != Severity::aggressive || c_.delay == DelayKind::none) return Action::nothing;
    if (c_.wait_from == WaitFrom::acknowledgement) s.base = std::max(s.base, now);
    return lengthen(s);
  }

  // When the flow may inject its next packet: a time that may have passed, kNever until an acknowledgement comes.
  Time may_inject(const InjectionState& s) const {
    if (s.outstanding >= s.window) return kNever;
    if (s.delay == 0) return {};
    const double wait = s.delay * static_cast<double>(c_.in_packet_times() ? s.packet_time : c_.slot.ps);
    return {s.base + static_cast<std::int64_t>(std::min(wait, kLongest))};
  }

 private:
  static constexpr double kLongest = 1e18;  // ps; eleven days

  Action recover(InjectionState& s) const;
  Action lengthen(InjectionState& s) const;

  CorrectionConfig c_;
};

}  // namespace weir::marking
