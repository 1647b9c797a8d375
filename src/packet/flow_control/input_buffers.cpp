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
  std::fill(std::begin(b.at), std::end(b.at), static_cast<std::uint32_t>(-found->forgotten));
  if (delay >= kLong) b.set(InputBuffer::kLongWay);
}

std::size_t InputBuffers::free_place(const InputBuffer& b, std::int64_t when, std::int64_t now) const {
  if (when - b.landed > kLongest) return InputBuffer::kPlaces;
  std::size_t place = 0;
  while (place < InputBuffer::kPlaces && !is_free(b, place, now)) ++place;
  return place;
}

// Counts the peak up to now, and empties the places of those that have left long ago.
void InputBuffers::clear_up(InputBuffer& b, ChannelId channel, std::int64_t now) {
  b.peak = peak(channel, now);
  const std::int64_t forgotten = delay_of(b).forgotten;
  for (std::size_t i = 0; i < InputBuffer::kPlaces; ++i) {
    if (b.time(i) > now - forgotten) continue;
    b.returned += b.returns[i];
    b.leaves[i] = b.returns[i] = 0;
    b.at[i] = static_cast<std::uint32_t>(now - forgotten);
  }
  if (!b.is(InputBuffer::kMore)) return;
  std::vector<Leave>& heap = elsewhere_[channel.index];
  while (!heap.empty() && heap.front().at <= now - keep_) {
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  if (heap.empty()) b.clear(InputBuffer::kMore);
}

void InputBuffers::add_large_area(InputBuffer& b, ChannelId channel, CostTime area) {
  area += b.area;
  b.area = static_cast<std::int64_t>(area);  // counts with its sign
  if (carries_.empty()) carries_.resize(buffers_.size());
  carries_[channel.index] += static_cast<std::int64_t>((area - b.area) >> 64);
}

void InputBuffers::keep_elsewhere(InputBuffer& b, ChannelId channel, const Leave& leave) {
  if (elsewhere_.empty()) elsewhere_.resize(buffers_.size());
  std::vector<Leave>& heap = elsewhere_[channel.index];
  heap.push_back(leave);
  std::push_heap(heap.begin(), heap.end());
  b.set(InputBuffer::kMore);
}

std::int32_t InputBuffers::kept_after(ChannelId channel, std::int64_t moment) const {
  std::int32_t sum = 0;
  for (const Leave& leave : elsewhere_[channel.index]) sum += leave.at > moment ? leave.cost : 0;
  return sum;
}

std::size_t InputBuffers::bytes_elsewhere() const {
  std::size_t elsewhere = elsewhere_.capacity() * sizeof(std::vector<Leave>);
  for (const std::vector<Leave>& heap : elsewhere_) elsewhere += heap.capacity() * sizeof(Leave);
  return elsewhere + carries_.capacity() * sizeof(std::int64_t);
}

}  // namespace weir
