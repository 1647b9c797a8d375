// Who may send next: for every output channel, the set of inputs that have something for it, as bits; and the virtual
// output queues behind those bits where the switch has them. Input number `radix` stands for packets born in the switch
// itself.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "network/topology.h"
#include "packet/config/config.h"
#include "packet/waiting.h"

namespace weir {

inline constexpr std::uint32_t kNoInput = 0xffffffffu;

class RequestSets {
 public:
  RequestSets() = default;
  RequestSets(std::uint32_t channels, std::uint32_t max_inputs)
      : words_((max_inputs + 63) / 64), bits_(static_cast<std::size_t>(channels) * words_, 0) {}

  [[gnu::always_inline]] void fetch(ChannelId channel) const {
    __builtin_prefetch(&bits_[static_cast<std::size_t>(channel.index) * words_], 1);
  }
  void set(ChannelId channel, std::uint32_t input) { word(channel, input) |= 1ull << (input % 64); }
  void clear(ChannelId channel, std::uint32_t input) { word(channel, input) &= ~(1ull << (input % 64)); }
  bool any(ChannelId channel) const {
    if (words_ == 1) [[likely]] return bits_[channel.index] != 0;
    return next(channel, 0) != kNoInput;
  }
  // First requesting input >= from, or kNoInput.
  std::uint32_t next(ChannelId channel, std::uint32_t from) const {
    const std::uint64_t* words = &bits_[static_cast<std::size_t>(channel.index) * words_];
    for (std::uint32_t w = from / 64; w < words_; ++w) {
      const std::uint64_t masked = w == from / 64 ? words[w] >> (from % 64) << (from % 64) : words[w];
      if (masked != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(masked));
    }
    return kNoInput;
  }
  // Round robin: the first after `last`, wrapping.
  std::uint32_t after(ChannelId channel, std::uint32_t last) const {
    if (words_ == 1) [[likely]] {
      const std::uint64_t all = bits_[channel.index], later = all & (~std::uint64_t{1} << last);
      return all == 0 ? kNoInput : static_cast<std::uint32_t>(std::countr_zero(later != 0 ? later : all));
    }
    const std::uint32_t found = last + 1 < words_ * 64 ? next(channel, last + 1) : kNoInput;
    return found != kNoInput ? found : next(channel, 0);
  }
  std::size_t bytes_of_state() const { return bits_.capacity() * 8; }

 private:
  std::uint64_t& word(ChannelId channel, std::uint32_t input) {
    return bits_[static_cast<std::size_t>(channel.index) * words_ + input / 64];
  }
  std::uint32_t words_ = 1;
  std::vector<std::uint64_t> bits_;
};

// One list per (input, output, lane) of every switch.
class VirtualQueues {
 public:
  VirtualQueues() = default;
  VirtualQueues(const Topology& topology, std::uint32_t lanes) : lanes_(lanes), base_(topology.nodes() + 1, 0) {
    std::size_t total = 0;
    for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
      base_[n] = total;
      const std::size_t radix = topology.port_count({n});
      if (!topology.is_host({n})) total += (radix + 1) * radix * lanes;
    }
    lists_.resize(total);
  }
  PacketList& at(NodeId node, std::uint32_t radix, std::uint32_t input, std::uint32_t output, Lane lane) {
    return lists_[base_[node.index] + (static_cast<std::size_t>(input) * radix + output) * lanes_ + lane.index];
  }
  std::size_t bytes_of_state() const { return lists_.capacity() * sizeof(PacketList) + base_.capacity() * 8; }

 private:
  std::uint32_t lanes_ = 1;
  std::vector<std::size_t> base_;
  std::vector<PacketList> lists_;
};

inline std::uint32_t largest_radix(const Topology& topology) {
  std::uint32_t radix = 0;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n)
    if (!topology.is_host({n})) radix = std::max(radix, topology.port_count({n}));
  return radix;
}

// Which input an output serves next. head(input) is the packet at the head of what the input has for it.
template <class Head>
std::uint32_t choose_input(const RequestSets& requests, ChannelId channel, Arbitration arbitration, std::uint32_t last,
                           const Head& head) {
  if (arbitration == Arbitration::round_robin) return requests.after(channel, last);
  std::uint32_t best = kNoInput;
  std::int64_t best_time = 0;
  for (std::uint32_t i = requests.next(channel, 0); i != kNoInput; i = requests.next(channel, i + 1)) {
    const Packet& p = head(i);
    const std::int64_t time = arbitration == Arbitration::oldest_first ? p.generated : p.time;
    if (best == kNoInput || time < best_time) {
      best = i;
      best_time = time;
    }
  }
  return best;
}

}  // namespace weir
