// Detecting congestion in the switches by marking packets. The strategies differ in where they look: at the input
// buffer a packet arrives in, at the output buffer it enters, or at both. A mark is a bit in the packet's header that
// is never cleared and that the acknowledgement carries back.
//   ipm   marks a packet that arrives at an input buffer above its threshold
//   rpm   a full input buffer condemns every output that it has packets for: each of them marks as many departures as
//         packets stood in the whole switch for it at that moment
//   opm   marks a packet that enters an output buffer above its threshold
//   iopm  both, each with a bit of its own
//   mvpm  both, but the second bit (validation) only on packets that already have the first, be it from an earlier
//         switch
#pragma once
#include <cstdint>

#include "packet/scheme/scheme_state.h"

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

// At which buffers the packet that is looked at counts as part of the occupancy.
enum class CountArriving { everywhere, at_outputs, nowhere };

struct DetectionConfig {
  Detection kind = Detection::mvpm;
  double input_threshold = 0.66;   // share of the buffer
  double output_threshold = 0.33;
  bool input_full = false;         // instead of the input threshold: no room for another of the largest packets
  bool at_or_above = false;        // an occupancy equal to the threshold counts as above it
  CountArriving count_arriving = CountArriving::everywhere;
  std::int32_t largest_cost = 0;   // of a data packet, in the unit of the buffers

  // `occupied` has the arriving packet in it; `uncounted` is what of it is left out.
  bool above(std::int32_t occupied, std::int32_t uncounted, double threshold, std::int32_t capacity) const {
    const double level = occupied - uncounted;
    const double limit = threshold * capacity;
    return at_or_above ? level >= limit : level > limit;
  }
};

class Detector {
 public:
  Detector(SchemeState& owner, const DetectionConfig& config)
      : config_(config), outputs_(owner, {}, config.kind == Detection::rpm) {}

  // Each returns true if the packet has got a mark.
  bool arrives(SwitchView here, ChannelId in_channel, Packet& p) {
    switch (config_.kind) {
      case Detection::ipm:
      case Detection::iopm:
      case Detection::mvpm: return input_above(here, in_channel, p) && mark(p, kMarkedAtInput);
      case Detection::rpm: count_in(here, in_channel, p); return false;
      case Detection::none:
      case Detection::opm: break;
    }
    return false;
  }
  bool looks_at_output(const Packet& p) const {
    return config_.kind == Detection::opm || config_.kind == Detection::iopm ||
           (config_.kind == Detection::mvpm && (p.marks & kMarkedAtInput) != 0);
  }
  bool enters_output(SwitchView here, ChannelId out_channel, Packet& p) const {
    return looks_at_output(p) && output_above(here, out_channel, p) && mark(p, kMarkedAtOutput);
  }
  bool departs(ChannelId out_channel, Packet& p) {
    if (config_.kind != Detection::rpm || !p.is(PacketKind::data)) return false;
    Output& out = outputs_[out_channel];
    WEIR_CHECK(out.waiting > 0);
    --out.waiting;
    if (out.to_mark == 0) return false;
    --out.to_mark;
    return mark(p, kMarkedAtInput);
  }

 private:
  struct Output {  // rpm
    std::uint32_t waiting = 0;  // data packets in the switch
    std::uint32_t to_mark = 0;  // departures
  };

  bool input_above(SwitchView here, ChannelId in_channel, Packet& p) const {
    const std::int32_t capacity = here.capacity(in_channel);
    const std::int32_t occupied = here.input_occupancy(in_channel);
    if (config_.input_full) return capacity - occupied < config_.largest_cost;
    const bool counted = config_.count_arriving == CountArriving::everywhere;
    return config_.above(occupied, counted ? 0 : here.cost(p), config_.input_threshold, capacity);
  }
  bool output_above(SwitchView here, ChannelId out_channel, Packet& p) const {
    const bool counted = config_.count_arriving != CountArriving::nowhere;
    return config_.above(here.output_occupancy(out_channel), counted ? 0 : here.cost(p), config_.output_threshold,
                         here.output_capacity());
  }
  static ChannelId output_of(SwitchView here, const Packet& p) {
    const RouteStep step = here.routes().default_step(here.here(), p.source, p.destination);
    return here.channel_of(step.port(), here.routes().lanes().after(p.lane(), step));
  }
  // Every output that has a packet in the full buffer, the arriving one included, is to mark what stands for it by now.
  void count_in(SwitchView here, ChannelId in_channel, Packet& p) {
    Output& own = outputs_[output_of(here, p)];
    ++own.waiting;
    if (!input_above(here, in_channel, p)) return;
    own.to_mark = own.waiting;
    here.for_each_waiting(in_channel, [&](const Packet& other) {
      if (!other.is(PacketKind::data)) return;
      Output& out = outputs_[output_of(here, other)];
      out.to_mark = out.waiting;
    });
  }
  static bool mark(Packet& p, std::uint8_t bit) {
    if ((p.marks & bit) != 0) return false;
    p.marks = static_cast<std::uint8_t>(p.marks | bit);
    return true;
  }

  DetectionConfig config_;
  ChannelTable<Output> outputs_;
};

}  // namespace weir::marking
