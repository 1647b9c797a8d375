// Detecting congestion in the switches by marking packets. The strategies differ in where they look: at the input
// buffer a packet arrives in, at the output buffer it enters, or at both. A mark is a bit in the packet's header that
// is never cleared and that the acknowledgement carries back.
//   ipm   marks a packet that arrives at an input buffer above its threshold
//   rpm   a full input buffer condemns every output that it has packets for: each of them marks as many departures as
//   packets
//         stood in the whole switch for it at that moment
//   opm   marks a packet that enters an output buffer above its threshold
//   iopm  both, each with a bit of its own
//   mvpm  both, but the second bit (validation) only on packets that already have the first, be it from an earlier
//   switch
#pragma once
#include <cstdint>
#include <vector>

#include "packet/engine_view.h"

namespace weir::marking {

enum class Detection { none, ipm, rpm, opm, iopm, mvpm };

inline constexpr std::uint8_t kMarkedAtInput = 1;   // MB, MBin; the only bit of ipm and rpm
inline constexpr std::uint8_t kMarkedAtOutput = 2;  // VB, MBout; the only bit of opm

// What the two bits of an acknowledgement say about its flow.
enum class Severity { none, moderate, aggressive };

inline Severity severity_of(Detection detection, std::uint8_t bits) {
  if (bits == 0) return Severity::none;
  const bool two_bits = detection == Detection::iopm || detection == Detection::mvpm;
  return !two_bits || bits == (kMarkedAtInput | kMarkedAtOutput) ? Severity::aggressive : Severity::moderate;
}

struct DetectionConfig {
  Detection kind = Detection::mvpm;
  double input_threshold = 0.66;   // share of the buffer
  double output_threshold = 0.33;
  bool input_full = false;         // instead of the input threshold: no room for another of the largest packets
  bool at_or_above = false;        // an occupancy equal to the threshold counts as above it
  bool count_arriving = true;      // the packet that is looked at counts as part of the occupancy
  std::int32_t largest_cost = 0;   // of a data packet, in the unit of the buffers

  bool above(std::int32_t occupied, std::int32_t arriving, double threshold, std::int32_t capacity) const {
    const double level = count_arriving ? occupied : occupied - arriving;
    const double limit = threshold * capacity;
    return at_or_above ? level >= limit : level > limit;
  }
};

class Detector {
 public:
  explicit Detector(const DetectionConfig& config) : config_(config) {}

  void start(EngineView& engine) {
    if (config_.kind != Detection::rpm) return;
    const auto channels = engine.fabric().channels();
    waiting_.assign(channels, 0);
    to_mark_.assign(channels, 0);
  }

  void arrives(EngineView& engine, SwitchId s, ChannelId in_channel, Packet& p) {
    switch (config_.kind) {
      case Detection::ipm:
      case Detection::iopm:
      case Detection::mvpm:
        if (input_above(engine, in_channel, p)) mark(p, kMarkedAtInput);
        return;
      case Detection::rpm: return count_in(engine, s, in_channel, p);
      case Detection::none:
      case Detection::opm: return;
    }
  }
  void enters_output(EngineView& engine, ChannelId out_channel, Packet& p) {
    const bool looks = config_.kind == Detection::opm || config_.kind == Detection::iopm ||
                       (config_.kind == Detection::mvpm && (p.marks & kMarkedAtInput) != 0);
    if (looks && output_above(engine, out_channel, p)) mark(p, kMarkedAtOutput);
  }
  void departs(ChannelId out_channel, Packet& p) {
    if (config_.kind != Detection::rpm || !p.is(PacketKind::data)) return;
    WEIR_CHECK(waiting_[out_channel.index] > 0);
    --waiting_[out_channel.index];
    if (to_mark_[out_channel.index] == 0) return;
    --to_mark_[out_channel.index];
    mark(p, kMarkedAtInput);
  }

  std::uint64_t marks_at_input() const { return marks_[0]; }
  std::uint64_t marks_at_output() const { return marks_[1]; }
  std::size_t bytes_of_state() const { return (waiting_.capacity() + to_mark_.capacity()) * sizeof(std::uint32_t); }

 private:
  bool input_above(EngineView& engine, ChannelId in_channel, Packet& p) const {
    const std::int32_t capacity = engine.fabric().capacity(in_channel);
    const std::int32_t occupied = engine.input_occupancy(in_channel);
    if (config_.input_full) return capacity - occupied < config_.largest_cost;
    return config_.above(occupied, engine.fabric().cost(p), config_.input_threshold, capacity);
  }
  bool output_above(EngineView& engine, ChannelId out_channel, Packet& p) const {
    return config_.above(engine.output_occupancy(out_channel), engine.fabric().cost(p),
                         config_.output_threshold, engine.output_capacity());
  }
  ChannelId output_of(EngineView& engine, SwitchId s, const Packet& p) const {
    const RouteStep step = engine.routes().default_step(s, p.source, p.destination);
    return engine.fabric().channel_of(step.port(), engine.routes().lanes().after(p.lane(), step));
  }
  // Every output that has a packet in the full buffer, the arriving one included, is to mark what stands for it by now.
  void count_in(EngineView& engine, SwitchId s, ChannelId in_channel, Packet& p) {
    const std::uint32_t own = output_of(engine, s, p).index;
    ++waiting_[own];
    if (!input_above(engine, in_channel, p)) return;
    to_mark_[own] = waiting_[own];
    engine.for_each_waiting(in_channel, [&](const Packet& other) {
      if (!other.is(PacketKind::data)) return;
      const std::uint32_t out = output_of(engine, s, other).index;
      to_mark_[out] = waiting_[out];
    });
  }
  void mark(Packet& p, std::uint8_t bit) {
    if ((p.marks & bit) != 0) return;
    p.marks = static_cast<std::uint8_t>(p.marks | bit);
    ++marks_[bit == kMarkedAtInput ? 0 : 1];
  }

  DetectionConfig config_;
  std::vector<std::uint32_t> waiting_,
      to_mark_;  // rpm, per output channel: data packets in the switch; departures to mark
  std::uint64_t marks_[2] = {0, 0};               // packets that got the bit
};

}  // namespace weir::marking
