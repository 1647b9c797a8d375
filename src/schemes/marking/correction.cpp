#include "schemes/marking/correction.h"

#include <cmath>

namespace weir::marking {

Action Correction::lengthen(InjectionState& s) const {
  const double before = s.delay;
  const double longest = 1 / c_.least_rate - 1;
  switch (c_.delay) {
    case DelayKind::none: return Action::nothing;
    case DelayKind::slots: {
      const double most = c_.limit == 0 ? kLongest : std::pow(c_.factor, c_.limit - 1);
      s.delay = s.delay == 0 ? 1 : std::min(s.delay * c_.factor, most);
      break;
    }
    case DelayKind::table: s.delay += 1; break;
    case DelayKind::aimd:
    case DelayKind::fimd: s.delay = std::min((1 + s.delay) * c_.rate_factor - 1, longest); break;
    case DelayKind::lipd: s.delay = std::min(s.delay + 1, longest); break;
  }
  return s.delay > before ? Action::longer_delay : Action::nothing;
}

// One clean acknowledgement. Rate control rises at a pace that does not depend on the rate itself: within the time of
// one packet at the least rate, in which a flow gets rate / least rate acknowledgements, aimd gains (m - 1) least
// rates, fimd a factor m, and lipd one packet time of delay.
Action Correction::recover(InjectionState& s) const {
  if (s.delay == 0) {
    if (c_.window != WindowKind::dynamic || s.window >= c_.largest_window) return Action::nothing;
    ++s.window;
    return Action::larger_window;
  }
  const double rate = 1 / (1 + s.delay);
  const double share = c_.least_rate / rate;
  const auto delay_at = [](double r) { return r >= 1 ? 0.0 : 1 / r - 1; };
  switch (c_.delay) {
    case DelayKind::none: break;
    case DelayKind::slots: s.delay = 0; break;
    case DelayKind::table: s.delay -= 1; break;
    case DelayKind::aimd: s.delay = delay_at(rate + (c_.rate_factor - 1) * c_.least_rate * share); break;
    case DelayKind::fimd: s.delay = delay_at(rate * std::pow(c_.rate_factor, share)); break;
    case DelayKind::lipd: s.delay = std::max(0.0, s.delay - share); break;
  }
  return Action::shorter_delay;
}

}  // namespace weir::marking
