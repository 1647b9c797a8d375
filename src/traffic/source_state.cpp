#include "traffic/source_state.h"

#include <cmath>

#include "base/check.h"

namespace weir {

namespace {

// The number of trials up to and including the first success. One logarithm instead of a draw per empty slot.
std::uint64_t geometric(RandomStream& random, double probability) {
  if (probability >= 1) return 1;
  const double failures = std::floor(random.exponential() / -std::log1p(-probability));
  constexpr double kMany = 9e18;
  return failures < kMany ? 1 + static_cast<std::uint64_t>(failures) : static_cast<std::uint64_t>(kMany);
}

}  // namespace

SourceState::SourceState(std::uint64_t seed, std::uint64_t stream)
    : start_(seed, Purpose::start, stream),
      arrival_(seed, Purpose::arrival, stream),
      destination_(seed, Purpose::destination, stream),
      size_(seed, Purpose::size, stream) {}

// now + gap, whole picoseconds; the rest is kept for the next gap.
Time SourceState::after(Time now, double gap_ps) {
  const double exact = fraction_ps_ + gap_ps;
  if (!(exact < static_cast<double>(stop_.ps - now.ps))) return kNever;
  const auto whole = static_cast<std::int64_t>(exact);
  fraction_ps_ = exact - static_cast<double>(whole);
  return {now.ps + whole};
}

// The next slot with a packet that is at least `at_least` slots after `now`.
Time SourceState::slots_after(const Source& source, Time now, std::uint64_t at_least) {
  const std::uint64_t slots = geometric(arrival_, source.slot_probability) - 1 + at_least;
  const auto left = static_cast<unsigned __int128>(stop_.ps - now.ps);
  const unsigned __int128 gap = static_cast<unsigned __int128>(slots) * static_cast<std::uint64_t>(source.slot.ps);
  return gap < left ? Time{now.ps + static_cast<std::int64_t>(gap)} : kNever;
}

Time SourceState::first(const Source& source, const SourceGroup& group, Time on) {
  const Activity& activity = group.activity;
  const Time origin = on - activity.start;
  stop_ = activity.stop.ps > kNever.ps - origin.ps ? kNever : origin + activity.stop;
  left_ = source.packets;
  if (source.packets == 0 || !(source.packets_per_second > 0)) return kNever;
  mean_gap_ps_ = 1e12 / source.packets_per_second;
  if (activity.spread.ps > 0)
    on.ps += static_cast<std::int64_t>(start_.below(static_cast<std::uint64_t>(activity.spread.ps)));
  if (on >= stop_) return kNever;
  switch (group.arrivals) {
    case Arrivals::constant:
      return after(on, group.aligned ? 0 : start_.unit() * mean_gap_ps_);
    case Arrivals::poisson:
      return after(on, arrival_.exponential() * mean_gap_ps_);
    case Arrivals::bernoulli:
      return slots_after(source, on, 0);
  }
  return kNever;
}

Time SourceState::next(const Source& source, const SourceGroup& group, Time now) {
  if (--left_ == 0 || now >= stop_) return kNever;
  switch (group.arrivals) {
    case Arrivals::constant:
      return after(now, mean_gap_ps_);
    case Arrivals::poisson:
      return after(now, arrival_.exponential() * mean_gap_ps_);
    case Arrivals::bernoulli:
      return slots_after(source, now, 1);
  }
  return kNever;
}

namespace {

HostId uniform_destination(RandomStream& random, const SourceGroup& group, HostId self, std::size_t hosts) {
  if (group.targets.empty()) {
    if (group.include_self) return {static_cast<std::uint32_t>(random.below(hosts))};
    const auto other = static_cast<std::uint32_t>(random.below(hosts - 1));
    return {other < self.index ? other : other + 1};
  }
  // Ends because whoever builds the group makes sure that every source has a target other than itself.
  for (;;) {
    const HostId drawn = group.targets[random.below(group.targets.size())];
    if (group.include_self || drawn != self) return drawn;
  }
}

Bytes draw_size(RandomStream& random, const std::vector<SizeShare>& sizes) {
  if (sizes.size() == 1) return sizes.front().payload;
  double left = random.unit();
  for (const SizeShare& size : sizes) {
    left -= size.share;
    if (left < 0) return size.payload;
  }
  return sizes.back().payload;  // the shares sum to 1 but for rounding
}

}  // namespace

SourceState::Draw SourceState::draw(HostId self, const SourceGroup& group, std::size_t hosts) {
  WEIR_CHECK(!group.sizes.empty());
  const Bytes payload = draw_size(size_, group.sizes);
  switch (group.rule) {
    case DestinationRule::uniform:
      return {uniform_destination(destination_, group, self, hosts), payload};
    case DestinationRule::fixed:
      return {group.targets.front(), payload};
    case DestinationRule::table:
      return {group.targets[self.index], payload};
  }
  return {};
}

}  // namespace weir
