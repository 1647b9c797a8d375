// Who may send next: for every output channel, the set of inputs that have something for it, as bits; and the virtual
// output queues behind those bits where the switch has them. Input number `radix` stands for packets born in the switch
// itself.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "network/topology.h"
#include "packet/packet_pool.h"

namespace weir {

inline constexpr std::uint32_t kNoInput = 0xffffffffu;

class RequestSets {
 public:
  RequestSets() = default;
  RequestSets(std::uint32_t channels, std::uint32_t max_inputs)
      : words_((max_inputs + 63) / 64), bits_(static_cast<std::size_t>(channels) * words_, 0) {}

  void set(std::uint32_t channel, std::uint32_t input) { word(channel, input) |= 1ull << (input % 64); }
  void clear(std::uint32_t channel, std::uint32_t input) { word(channel, input) &= ~(1ull << (input % 64)); }
  bool any(std::uint32_t channel) const { return next(channel, 0) != kNoInput; }
  // First requesting input >= from, or kNoInput.
  std::uint32_t next(std::uint32_t channel, std::uint32_t from) const {
    const std::uint64_t* words = &bits_[static_cast<std::size_t>(channel) * words_];
    for (std::uint32_t w = from / 64; w < words_; ++w) {
      const std::uint64_t masked = w == from / 64 ? words[w] >> (from % 64) << (from % 64) : words[w];
      if (masked != 0) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(masked));
    }
    return kNoInput;
  }
  // Round robin: the first after `last`, wrapping.
  std::uint32_t after(std::uint32_t channel, std::uint32_t last) const {
    const std::uint32_t found = last + 1 < words_ * 64 ? next(channel, last + 1) : kNoInput;
    return found != kNoInput ? found : next(channel, 0);
  }
  std::size_t bytes_of_state() const { return bits_.capacity() * 8; }

 private:
  std::uint64_t& word(std::uint32_t channel, std::uint32_t input) {
    return bits_[static_cast<std::size_t>(channel) * words_ + input / 64];
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
  PacketList& at(std::uint32_t node, std::uint32_t radix, std::uint32_t input, std::uint32_t output,
                 std::uint32_t lane) {
    return lists_[base_[node] + (static_cast<std::size_t>(input) * radix + output) * lanes_ + lane];
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

// Buffered crossbar: FIFO at every input, buffer at every output, one transfer at a time per input and per output.
struct CrossbarInput {
  PacketList fifo;
  std::uint32_t wanted = kNoChannel;  // output channel that the head waits for
  std::int32_t leaving = 0;           // cost of the packet now crossing
  bool busy = false;
};

struct CrossbarOutput {
  PacketList crossing;                // granted, not yet at the output
  std::int32_t free = 0;
  std::int32_t least_free = 0;
  std::int32_t leaving = 0;           // cost of the packet now on the link
  std::int64_t leaving_until = 0;
  bool busy = false, dirty = false, wants_space = false;

  void fold(std::int64_t now) {
    if (leaving != 0 && leaving_until <= now) {
      free += leaving;
      leaving = 0;
    }
  }
};

}  // namespace weir
