// The rarer half of the input buffers: set-up, and more leaves to come than a record has places for.
#include "packet/flow_control/input_buffers.h"

#include "base/error.h"

namespace weir {

void InputBuffers::begin(ChannelId channel, std::int64_t delay) {
  constexpr std::int64_t kLong = std::int64_t{1} << 28;
  const auto same = [&](const Delay& d) { return d.known == delay; };
  auto found = std::find_if(delays_.rbegin(), delays_.rend(), same);  // neighbours are alike
  if (found == delays_.rend()) {
    if (delays_.size() > std::numeric_limits<std::uint16_t>::max())
      throw InputError("the links of this fabric have more than 65,536 different delays");
    delays_.push_back({delay, notes_returns_ && delay < kLong ? std::max(delay, keep_) : keep_});
    found = delays_.rbegin();
  }
  InputBuffer& b = buffers_[channel.index];
  b = {};
  b.return_delay = static_cast<std::uint16_t>(delays_.rend() - found - 1);
  std::fill(std::begin(b.places.at), std::end(b.places.at), static_cast<std::uint32_t>(-found->forgotten));
  if (delay >= kLong) b.set(InputBuffer::kLongWay);
}

bool InputBuffers::put(InputBuffer& b, ChannelId channel, std::int64_t when, std::int32_t leaves, std::int32_t returns,
                       std::int64_t now) {
  if (when - b.landed > kLongest) return false;
  const std::int64_t forgotten = now - delay_of(b).forgotten;
  if (const std::size_t place = b.places.free(forgotten); place < kPlaces) {
    keep_peak(b, channel, b.places.offset(place, b.landed));
    take_place(b, place, when, leaves, returns);
    return true;
  }
  if (!b.is(InputBuffer::kMore)) begin_more(b, channel, now);
  auto& more = more_[channel.index].places;
  const std::size_t place = more.free(forgotten);
  if (place == std::size(more.at)) return false;
  keep_peak(b, channel, more.offset(place, b.landed));
  b.returned += more.take(place, when, leaves, returns);
  return true;
}

// From now on the second record counts.
void InputBuffers::begin_more(InputBuffer& b, ChannelId channel, std::int64_t now) {
  MoreLeaves& more = more_[channel.index];
  more = {};
  std::fill(std::begin(more.places.at), std::end(more.places.at),
            static_cast<std::uint32_t>(now - delay_of(b).forgotten));
  b.set(InputBuffer::kMore);
}

// Counts the peak up to now. The second record counts as long as somebody needs to know of what left there.
void InputBuffers::arrive_with_more(InputBuffer& b, ChannelId channel, std::int64_t now) {
  auto& more = more_[channel.index].places;
  if (now > b.landed) b.peak = std::max(b.peak, b.standing + b.leaves_after(0) + more.leaves_after(0, b.landed));
  const std::int64_t forgotten = now - delay_of(b).forgotten;
  if (!more.all_free(forgotten)) return;
  b.returned += more.forget(forgotten);
  b.clear(InputBuffer::kMore);
}

// Counts the peak up to now, and empties the places of those that have left long ago.
void InputBuffers::clear_up(InputBuffer& b, ChannelId channel, std::int64_t now) {
  b.peak = peak(channel, now);
  const std::int64_t forgotten = now - delay_of(b).forgotten;
  const auto forget = [&](auto& places) {
    for (std::size_t i = 0; i < std::size(places.at); ++i)
      if (b.landed + places.offset(i, b.landed) <= forgotten) b.returned += places.take(i, forgotten, 0, 0);
  };
  forget(b.places);
  if (!b.is(InputBuffer::kMore)) return;
  forget(more_[channel.index].places);
  if (b.is(InputBuffer::kElsewhere)) {
    std::vector<Leave>& heap = elsewhere_[channel.index];
    while (!heap.empty() && heap.front().at <= now - keep_) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    if (!heap.empty()) return;
    b.clear(InputBuffer::kElsewhere);
  }
  if (more_[channel.index].places.all_free(forgotten)) b.clear(InputBuffer::kMore);
}

void InputBuffers::add_large_area(InputBuffer& b, ChannelId channel, CostTime area) {
  area += b.area;
  b.area = static_cast<std::int64_t>(area);  // counts with its sign
  if (carries_.empty()) carries_.resize(buffers_.size());
  carries_[channel.index] += static_cast<std::int64_t>((area - b.area) >> 64);
}

void InputBuffers::keep_elsewhere(InputBuffer& b, ChannelId channel, const Leave& leave, std::int64_t now) {
  if (elsewhere_.empty()) elsewhere_.resize(buffers_.size());
  std::vector<Leave>& heap = elsewhere_[channel.index];
  heap.push_back(leave);
  std::push_heap(heap.begin(), heap.end());
  if (!b.is(InputBuffer::kMore)) begin_more(b, channel, now);
  b.set(InputBuffer::kElsewhere);
}

std::int32_t InputBuffers::kept_after(const InputBuffer& b, ChannelId channel, std::int64_t moment) const {
  std::int32_t sum = 0;
  if (!b.is(InputBuffer::kElsewhere)) return sum;
  for (const Leave& leave : elsewhere_[channel.index]) sum += leave.at > moment ? leave.cost : 0;
  return sum;
}

std::size_t InputBuffers::bytes_elsewhere() const {
  std::size_t elsewhere = elsewhere_.capacity() * sizeof(std::vector<Leave>);
  for (const std::vector<Leave>& heap : elsewhere_) elsewhere += heap.capacity() * sizeof(Leave);
  return elsewhere + carries_.capacity() * sizeof(std::int64_t);
}

}  // namespace weir
