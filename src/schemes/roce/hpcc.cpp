// HPCC: switches write telemetry into packets, receivers echo it, and senders set a window and a rate from it.
#include <algorithm>
#include <array>

#include "packet/scheme/travelling_records.h"
#include "schemes/fabric_facts.h"
#include "schemes/given_or.h"
#include "schemes/idle.h"
#include "schemes/packet_scheme.h"
#include "schemes/rate_limiters.h"
#include "schemes/roce/hpcc_sender.h"
#include "schemes/round_trip.h"

namespace weir {
namespace {

constexpr std::uint32_t kMostHops = 64;

struct HpccConfig {
  HpccParams sender;
  std::uint32_t hops = 1;  // that a packet has room for
};

struct HpccFamily final : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  // What a packet brings along, besides what its hops write.
  struct Telemetry {
    std::uint16_t bytes = 0;         // of the packet
    std::uint16_t hops = 0;          // written so far
    std::uint32_t cut_short = 0;     // hops that found no room
  };
  using Records = TravellingRecords<Telemetry, HpccHop>;

  struct Connection {
    HpccSender sender;
    std::uint64_t in_flight = 0;              // bytes
    Records::Number last = Records::kNone;    // the telemetry that came last
    std::uint32_t follows_at = 0;             // number of the packet whose acknowledgement renews the reference

    double rate() const { return sender.rate(); }
  };
  using Limiter = RateLimiters<Connection>::Limiter;

  explicit HpccFamily(const HpccConfig& config) : params(config.sender), records(*this, config.hops) {}

  void on_start(const GlobalView& all) override {
    for (std::uint32_t p = 0; p < all.topology().ports(); ++p)
      link_rates.push_back(
          all.topology().to({p}).valid() ? static_cast<double>(all.topology().link({p}).rate.bits_per_second) : 0);
  }

  // ---- sender ----
  Time gate(HostView here, ConnectionId connection, Packet&) override {
    const Limiter* limiter = limiters.find(here.here(), connection);
    if (limiter == nullptr) return {};
    const Connection& c = limiter->point;
    if (static_cast<double>(c.in_flight) < c.sender.window(params)) return limiters.gate(*limiter);
    seen[here.here()].held = true;
    return kNever;
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;  // to itself: no switch, no acknowledgement
    Limiter* limiter = limiters.find(here.here(), p.connection);
    if (limiter == nullptr)
      limiter = &limiters.add(here.here(), p.connection, {HpccSender(params, link_rates[here.link().index])});
    limiters.sent(*limiter, here.now(), p.size);
    limiter->point.in_flight += p.size;
    const Records::Number number = records.take(here);
    *records.at(here.here(), number).head = {p.size, 0, 0};
    p.load(number);
  }
  void on_ack(HostView here, Packet& p) override {
    const auto number = p.cargo<Records::Number>();
    Limiter* limiter = limiters.find(here.here(), p.connection);
    WEIR_CHECK(limiter != nullptr);
    Connection& c = limiter->point;
    const Records::Record now = records.at(here.here(), number);
    c.in_flight -= now.head->bytes;
    Seen& s = seen[here.here()];
    ++s.echoed;
    s.cut_short += now.head->cut_short > 0;
    if (c.last != Records::kNone) {
      const Records::Record before = records.at(here.here(), c.last);
      if (same_way(before, now)) react(here, p, c, before, now);
      records.give_back(here, c.last);
    }
    c.last = number;
    s.lowest = std::min(s.lowest, c.sender.rate());
    if (c.in_flight == 0 && here.connections().is_flow(p.connection) && here.unsent({p.connection.index}) == 0) {
      records.give_back(here, c.last);
      limiters.remove(here.here(), p.connection);
    }
    here.wake(p.connection);
  }

  // ---- switch ----
  void on_departure(SwitchView here, ChannelId out, Packet& p) override {
    if (!p.is(PacketKind::data)) return;
    const Records::Record record = records.at(p.source, p.cargo<Records::Number>());
    if (record.head->hops == records.items()) {
      ++record.head->cut_short;
      return;
    }
    const LinkId link = here.link_of(out);
    record.items[record.head->hops++] = {here.now().ps, here.sent_bytes(link), here.queued(out), link};
  }

  void report(Measurements& m) const override {
    Seen all;
    for (const Seen& s : seen) all.add(s);
    m.scheme_numbers.emplace_back("telemetry echoed", static_cast<double>(all.echoed));
    m.scheme_numbers.emplace_back("rate cuts", static_cast<double>(all.cuts));
    m.scheme_numbers.emplace_back("base round trip [ns]", params.base_rtt.nanoseconds());
    if (all.echoed > 0) m.scheme_numbers.emplace_back("lowest rate [bit/s]", all.lowest);
    if (all.cut_short > 0) m.scheme_numbers.emplace_back("telemetry cut short", static_cast<double>(all.cut_short));
    if (!all.held && all.cuts == 0) m.scheme_idle = idle::hpcc(all.echoed, params.eta);
  }
  std::size_t bytes_beside_tables() const override {
    return limiters.bytes_beside_tables() + link_rates.capacity() * sizeof(double);
  }

  struct Seen {
    std::uint64_t echoed = 0, cuts = 0, cut_short = 0;
    double lowest = 1e18;  // rate
    bool held = false;     // a packet back, by a window
    void add(const Seen& other) {
      echoed += other.echoed;
      cuts += other.cuts;
      cut_short += other.cut_short;
      lowest = std::min(lowest, other.lowest);
      held = held || other.held;
    }
  };

  static bool same_way(const Records::Record& a, const Records::Record& b) {
    if (a.head->hops != b.head->hops) return false;
    for (std::uint32_t i = 0; i < a.head->hops; ++i)
      if (a.items[i].link != b.items[i].link || a.items[i].time >= b.items[i].time) return false;
    return true;
  }
  void react(HostView here, const Packet& p, Connection& c, const Records::Record& before,
             const Records::Record& now) {
    const std::uint32_t hops = now.head->hops;
    std::array<double, kMostHops> rates;
    for (std::uint32_t i = 0; i < hops; ++i) rates[i] = link_rates[now.items[i].link.index];
    const bool anew = p.sequence >= c.follows_at;
    if (anew) c.follows_at = here.connections().sent(p.connection);
    const double rate = c.sender.rate();
    c.sender.acknowledged(params, {before.items, hops}, {now.items, hops}, {rates.data(), hops}, anew);
    seen[here.here()].cuts += c.sender.rate() < rate;
  }

  HpccParams params;
  Records records;
  RateLimiters<Connection> limiters{*this};
  HostTable<Seen> seen{*this};
  std::vector<double> link_rates;  // bit/s, by port; never changes
};

constexpr ParamSpec kHpccParams[] = {
    {"eta", ParamType::fraction, "95%", "share of a link's bandwidth-delay product that may be in flight", 0.01, 1},
    {"max_stage", ParamType::integer, "5", "additive steps in a row before the rate is set by the load again", 0, 1000},
    {"rai", ParamType::rate, kUnset, "additive step; default 1/2500 of a host's link (10 Mb/s at 25 Gb/s)", 0, 1e15},
    {"base_rtt", ParamType::time, kUnset,
     "round trip of a lone packet, for all flows; default: calculated for the longest of the default paths", 1e-9, 1},
    {"min_rate", ParamType::rate, kUnset, "no flow goes below; default 1/1000 of a host's link", 1000, 1e15},
    {"initial_rate", ParamType::rate, kUnset, "at which flows start; default: the rate of the host's link", 1000, 1e15},
};

ConfiguredScheme configure_hpcc(const Section& scheme, const RunInput& run) {
  const auto line = static_cast<double>(slowest_host_link(run.topology).bits_per_second);
  HpccConfig config;
  config.sender.eta = scheme.number("eta");
  config.sender.max_stage = static_cast<std::uint32_t>(scheme.integer("max_stage"));
  config.sender.additive = rate_or(scheme, "rai", line / 2500);
  config.sender.min_rate = rate_or(scheme, "min_rate", line / 1000);
  config.sender.initial_rate = rate_or(scheme, "initial_rate", config.sender.initial_rate);
  config.sender.base_rtt = scheme.has("base_rtt") ? scheme.time("base_rtt") : base_round_trip(run);
  const bool detours = run.config.switches.choice != RouteChoice::fixed;  // they are at most twice as long
  config.hops = std::clamp(round_trip(run).hops * (detours ? 2 : 1), 1u, kMostHops);
  return packet_scheme(run, [config] { return HpccFamily(config); });
}

}  // namespace

extern const SchemeInfo hpcc_scheme{
    "hpcc", SchemeTag::research,
    "switches write queue and rate of each hop into packets, receivers echo it, senders set window and rate from it",
    kHpccParams, "[scheme]\nname = \"hpcc\"\neta = \"95%\"", configure_hpcc};

}  // namespace weir
