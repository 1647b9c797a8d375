// TIMELY: senders measure the round trip of each segment and set the rate of that flow from it; switches do nothing.
#include <algorithm>

#include "schemes/fabric_facts.h"
#include "schemes/given_or.h"
#include "schemes/idle.h"
#include "schemes/packet_scheme.h"
#include "schemes/rate_limiters.h"
#include "schemes/roce/sender_params.h"
#include "schemes/roce/timely_sender.h"

namespace weir {
namespace {

struct TimelyConfig {
  TimelyParams sender;
  Bytes segment = 16'000;
  bool bursts = false;  // a segment goes at the rate of the link, and the gap behind it makes the rate
};

struct TimelyFamily final : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  struct Connection {
    TimelySender sender;
    Bytes in_segment = 0;         // sent of the segment that has begun
    std::uint32_t in_flight = 0;  // packets

    double rate() const { return sender.rate(); }
  };
  using Limiter = RateLimiters<Connection>::Limiter;
  // What a packet carries: whether its round trip is that of a segment.
  struct Tag {
    std::uint32_t ends_segment = 0;
  };

  explicit TimelyFamily(const TimelyConfig& c) : config(c) {}

  Time gate(HostView here, ConnectionId connection, Packet&) override {
    const Limiter* limiter = limiters.find(here.here(), connection);
    if (limiter == nullptr || (config.bursts && limiter->point.in_segment > 0)) return {};
    return limiters.gate(*limiter);
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;  // to itself: nothing is acknowledged
    Limiter* limiter = limiters.find(here.here(), p.connection);
    if (limiter == nullptr) {
      const auto line = static_cast<double>(here.topology().link(here.link()).rate.bits_per_second);
      limiter = &limiters.add(here.here(), p.connection, {TimelySender(config.sender, line)});
    }
    Connection& c = limiter->point;
    ++c.in_flight;
    if (config.bursts && c.in_segment > 0) limiter->last_bytes += p.size;
    else limiters.sent(*limiter, here.now(), p.size);
    c.in_segment += p.size;
    const bool ends = c.in_segment >= config.segment || is_sent(here, p.connection);
    p.load(Tag{ends ? 1u : 0u});
    if (ends) c.in_segment = 0;
  }
  void on_ack(HostView here, Packet& p) override {
    Limiter* limiter = limiters.find(here.here(), p.connection);
    WEIR_CHECK(limiter != nullptr);
    Connection& c = limiter->point;
    --c.in_flight;
    if (p.cargo<Tag>().ends_segment != 0) {
      measured(here, p, c);
      here.wake(p.connection);
    }
    if (c.in_flight == 0 && is_sent(here, p.connection)) limiters.remove(here.here(), p.connection);
  }

  void report(Measurements& m) const override {
    Seen all;
    for (const Seen& s : seen) all.add(s);
    m.scheme_numbers.emplace_back("round trips measured", static_cast<double>(all.measured));
    m.scheme_numbers.emplace_back("rate cuts", static_cast<double>(all.cuts));
    if (all.measured > 0) {
      m.scheme_numbers.emplace_back("longest round trip [ns]", all.longest.nanoseconds());
      m.scheme_numbers.emplace_back("lowest rate [bit/s]", all.lowest);
    }
    if (all.cuts == 0) m.scheme_idle = idle::timely(all.measured, all.longest, config.sender.t_low);
  }
  std::size_t bytes_beside_tables() const override { return limiters.bytes_beside_tables(); }

  struct Seen {
    std::uint64_t measured = 0, cuts = 0;
    Time longest;
    double lowest = 1e18;  // rate
    void add(const Seen& other) {
      measured += other.measured;
      cuts += other.cuts;
      longest = std::max(longest, other.longest);
      lowest = std::min(lowest, other.lowest);
    }
  };

  // The time that the packet itself takes on the host's link is none of the network's.
  void measured(HostView here, const Packet& p, Connection& c) {
    const std::uint32_t bytes = p.payload + static_cast<std::uint32_t>(here.config().format.header);
    const Time trip = here.now() - Time{p.injected} - here.serialization(here.link(), bytes);
    const double before = c.sender.rate();
    c.sender.measured(config.sender, trip);
    seen[here.here()].add({1, c.sender.rate() < before ? 1u : 0u, trip, c.sender.rate()});
  }
  static bool is_sent(HostView here, ConnectionId connection) {
    return here.connections().is_flow(connection) && here.unsent({connection.index}) == 0;
  }

  TimelyConfig config;
  RateLimiters<Connection> limiters{*this};
  HostTable<Seen> seen{*this};
};

constexpr std::string_view kVariants[] = {"paper", "patched"};
constexpr std::string_view kPacings[] = {"segments", "packets"};
constexpr Condition kPatchedOnly = when("variant", {"patched"});

constexpr ParamSpec kTimelyParams[] = {
    {"variant", ParamType::choice, "paper",
     "paper: the rate is cut when round-trip times grow; patched: a weighted rule with a fixed point (Zhu et al. 2016)",
     0, 0, kVariants},
    {"segment", ParamType::bytes, "16kB", "bytes of a flow for which one round trip is measured", 1, 1e9},
    {"pacing", ParamType::choice, "segments",
     "segments: each segment is sent at the rate of the link, with gaps between segments; packets: packets are sent at "
     "equal distances",
     0, 0, kPacings},
    {"t_low", ParamType::time, "50us", "the rate rises while the round-trip time is below this", 0, 1},
    {"t_high", ParamType::time, "500us",
     "the rate is cut while the round-trip time is above this, whatever the "
     "gradient",
     0, 1},
    {"min_rtt", ParamType::time, "20us", "the gradient is the difference of round-trip times divided by this", 1e-9, 1},
    {"alpha", ParamType::number, "0.875",
     "weight of the newest difference in the smoothed difference of round-trip "
     "times",
     0, 1},
    {"beta", ParamType::number, "0.8", "strength of cuts: above t_high, and by the gradient", 0, 1},
    {"min_decrease", ParamType::number, "0.5",
     "a single cut never multiplies the rate by less than this; without this limit, gradients above 1/beta would make "
     "rates negative",
     0, 1},
    ParamSpec{"patched_beta", ParamType::number, "0.008", "strength of cuts in the weighted rule", 0, 1}.applying(
        kPatchedOnly),
    ParamSpec{"rtt_ref", ParamType::time, kUnset, "target round trip of the weighted rule; default t_low", 1e-9, 1}
        .applying(kPatchedOnly),
    {"rai", ParamType::rate, kUnset,
     "additive increase of the rate; default: 1/1000 of the rate of a host's link (10 "
     "Mb/s at 10 Gb/s)",
     0, 1e15},
    kLowestFlowRate,
    kFirstFlowRate,
};

ConfiguredScheme configure_timely(const Section& s, const RunInput& run) {
  const auto line = static_cast<double>(slowest_host_link(run.topology).bits_per_second);
  TimelyConfig config;
  TimelyParams& p = config.sender;
  p.alpha = s.number("alpha");
  p.beta = s.number("beta");
  p.least_decrease = s.number("min_decrease");
  p.t_low = s.time("t_low");
  p.t_high = s.time("t_high");
  p.min_rtt = s.time("min_rtt");
  p.additive = rate_or(s, "rai", line / 1000);
  p.patched = s.chooses("variant", "patched");
  p.patched_beta = s.number("patched_beta");
  p.rtt_ref = std::max(p.t_low, Time{1});
  if (p.patched) p.rtt_ref = time_or(s, "rtt_ref", p.rtt_ref);
  p.min_rate = rate_or(s, "min_rate", line / 1000);
  if (s.has("initial_rate")) p.initial_rate = rate_or(s, "initial_rate", line);
  config.segment = s.bytes("segment");
  config.bursts = s.chooses("pacing", "segments");
  if (p.t_high < p.t_low) s.refuse("t_high", "must not be below t_low: give the larger of the two as t_high");
  return packet_scheme(run, [config] { return TimelyFamily(config); });
}

}  // namespace

extern const SchemeInfo timely_scheme{
    "timely", SchemeTag::research,
    "senders measure round-trip times, raise the rate while these are short or falling, and cut it when they grow",
    kTimelyParams, "[scheme]\nname = \"timely\"\nt_low = \"50us\"", configure_timely};

}  // namespace weir
