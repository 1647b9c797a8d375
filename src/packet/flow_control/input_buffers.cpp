// The rarer half of the input buffers: set-up, and more leaves to come than a record has places for.
#include "packet/flow_control/input_buffers.h"

#include "base/error.h"

namespace weir {

void InputBuffers::begin(ChannelId channel, std::int64_t delay) {
  std::size_t which = 0;
  if (delay != delays_.back()) {
    which = static_cast<std::size_t>(std::find(delays_.begin(), delays_.end(), delay) - delays_.begin());
    if (which == delays_.size()) delays_.push_back(delay);
  } else {
    which = delays_.size() - 1;
  }
  if (which > std::numeric_limits<std::uint16_t>::max())
    throw InputError("the links of this fabric have more than 65,536 different delays");
  InputBuffer& b = buffers_[channel.index];
  b = {};
  b.return_delay = static_cast<std::uint16_t>(which);
  if (delay >= std::int64_t{1} << 30) b.set(InputBuffer::kLongWay);
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

void InputBuffers::fold_elsewhere(InputBuffer& b, ChannelId channel, std::int64_t until, std::int32_t& all,
                                  std::int32_t& at_once) {
  std::vector<Leave>& heap = elsewhere_[channel.index];
  while (!heap.empty() && heap.front().at <= until) {
    const Leave leave = heap.front();
    all += leave.cost;
    at_once += leave.at <= b.landed ? leave.cost : 0;
    std::pop_heap(heap.begin(), heap.end());
    heap.pop_back();
  }
  if (heap.empty()) b.clear(InputBuffer::kMore);
}

std::size_t InputBuffers::bytes_elsewhere() const {
  std::size_t elsewhere = elsewhere_.capacity() * sizeof(std::vector<Leave>);
  for (const std::vector<Leave>& heap : elsewhere_) elsewhere += heap.capacity() * sizeof(Leave);
  return elsewhere + carries_.capacity() * sizeof(std::int64_t);
}

}  // namespace weir
