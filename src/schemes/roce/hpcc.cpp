// HPCC: switches write telemetry into packets, receivers echo it, and senders set a window and a rate from it.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

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

// What a packet carries: the number of its record, and how many hops have written into it.
struct Tag {
  static constexpr std::uint32_t kHopBits = 6, kTooMany = (1u << kHopBits) - 1;

  Tag(std::uint32_t record, std::uint32_t hops) : word(record << kHopBits | hops) {
    WEIR_CHECK(record < 1u << (32 - kHopBits));
  }
  explicit Tag(const Packet& p) : word(p.cargo<std::uint32_t>()) {}
  std::uint32_t record() const { return word >> kHopBits; }
  std::uint32_t hops() const { return word & kTooMany; }

  std::uint32_t word;
};
constexpr std::uint32_t kMostHops = Tag::kTooMany - 1;

struct HpccConfig {
  HpccParams sender;
  std::uint32_t hops = 1;  // that a packet has room for
};

struct HpccFamily final : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  using Records = TravellingRecords<HpccHop>;

  struct Connection {
    HpccSender sender;
    std::uint64_t in_flight = 0;               // bytes
    std::uint32_t last_hops = 0;               // of the telemetry that came last
    Time last_sent{-HpccHop::kComparable.ps};  // when its packet set out
    std::uint32_t follows_at = 0;             // number of the packet whose acknowledgement renews the reference

    double rate() const { return sender.rate(); }
  };
  using Limiter = RateLimiters<Connection>::Limiter;

  explicit HpccFamily(const HpccConfig& config)
      : params(config.sender), records(*this, config.hops) {}

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
    if (limiter == nullptr) {
      limiter = &limiters.add(here.here(), p.connection, {HpccSender(params, link_rates[here.link().index])});
      const std::size_t needed = (std::size_t{limiters.number(p.connection)} + 1) * records.items();
      if (kept[here.here()].size() < needed) kept[here.here()].resize(needed);
    }
    limiters.sent(*limiter, here.now(), p.size);
    limiter->point.in_flight += p.size;
    p.load(Tag(records.take(here), 0).word);
  }
  void before_ack(HostView here, const Packet& p) const override {
    limiters.fetch(here.here(), p.connection);
    records.fetch(here.here(), Tag(p).record());
    const HpccHop* const before = last_of(here.here(), p.connection);
    __builtin_prefetch(before, 1);
    __builtin_prefetch(before + records.items() - 1, 1);
  }
  void on_ack(HostView here, Packet& p) override {
    const Tag tag(p);
    Limiter* limiter = limiters.find(here.here(), p.connection);
    WEIR_CHECK(limiter != nullptr);
    Connection& c = limiter->point;
    c.in_flight -= p.payload + static_cast<std::uint64_t>(here.config().format.header);
    Seen& s = seen[here.here()];
    ++s.echoed;
    s.cut_short += tag.hops() == Tag::kTooMany;
    const std::span<const HpccHop> now{records.at(here.here(), tag.record()), written(p)};
    HpccHop* const before = last_of(here.here(), p.connection);
    const bool fresh = Time{p.injected} - c.last_sent < HpccHop::kComparable / 2;
    if (fresh && same_way({before, c.last_hops}, now)) react(here, p, c, {before, c.last_hops}, now);
    c.last_sent = {p.injected};
    std::copy(now.begin(), now.end(), before);
    c.last_hops = static_cast<std::uint32_t>(now.size());
    records.give_back(here, tag.record());
    s.lowest = std::min(s.lowest, c.sender.rate());
    if (c.in_flight == 0 && here.connections().is_flow(p.connection) && here.unsent({p.connection.index}) == 0) {
      limiters.remove(here.here(), p.connection);
    }
    here.wake(p.connection);
  }

  // ---- switch ----
  void on_departure(SwitchView here, ChannelId out, Packet& p) override {
    if (!p.is(PacketKind::data)) return;
    const Tag tag(p);
    const bool room = tag.hops() < records.items();
    p.load(Tag(tag.record(), room ? tag.hops() + 1 : Tag::kTooMany).word);
    if (!room) return;
    const LinkId link = here.link_of(out);
    records.at(p.source, tag.record())[tag.hops()] = {here.now(), here.sent_bytes(link), here.queued(out), link};
  }

  // ---- between processes ----
  void send_along(const Packet& p, BytesOut& out) const override {
    if (const HostId source = source_of(p); source.valid()) records.put(source, Tag(p).record(), written(p), out);
  }
  void take_along(const Packet& p, BytesIn& in) override {
    if (const HostId source = source_of(p); source.valid()) records.get(source, Tag(p).record(), written(p), in);
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
    std::size_t sum = limiters.bytes_beside_tables() + link_rates.capacity() * sizeof(double);
    for (const auto& hops : kept) sum += hops.capacity() * sizeof(HpccHop);
    return sum;
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

  // Whose record the packet carries; none if it carries none.
  static HostId source_of(const Packet& p) {
    return p.is(PacketKind::data) ? p.source : p.is(PacketKind::ack) ? p.destination : HostId{};
  }
  std::uint32_t written(const Packet& p) const { return std::min(Tag(p).hops(), records.items()); }
  // The telemetry that came last for a connection.
  const HpccHop* last_of(HostId host, ConnectionId connection) const {
    return &kept[host][std::size_t{limiters.number(connection)} * records.items()];
  }
  HpccHop* last_of(HostId host, ConnectionId connection) {
    return &kept[host][std::size_t{limiters.number(connection)} * records.items()];
  }
  static bool same_way(std::span<const HpccHop> before, std::span<const HpccHop> now) {
    return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                      [](const HpccHop& a, const HpccHop& b) { return a.link == b.link && b.is_later_than(a); });
  }
  void react(HostView here, const Packet& p, Connection& c, std::span<const HpccHop> before,
             std::span<const HpccHop> now) {
    std::array<double, kMostHops> rates;
    for (std::size_t i = 0; i < now.size(); ++i) rates[i] = link_rates[now[i].link.index];
    const bool anew = p.sequence >= c.follows_at;
    if (anew) c.follows_at = here.connections().sent(p.connection);
    const double rate = c.sender.rate();
    c.sender.acknowledged(params, before, now, {rates.data(), now.size()}, anew);
    seen[here.here()].cuts += c.sender.rate() < rate;
  }

  HpccParams params;
  // Those on their way are few and stay in the cache; the last of each connection lies where its limiter does.
  Records records;
  HostTable<std::vector<HpccHop>> kept{*this};
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
  if (scheme.has("initial_rate")) config.sender.initial_rate = rate_or(scheme, "initial_rate", line);
  config.sender.base_rtt = time_or(scheme, "base_rtt", base_round_trip(run));
  const bool detours = run.config.switches.choice != RouteChoice::fixed;  // they are at most twice as long
  config.hops = std::clamp(round_trip(run).hops * (detours ? 2 : 1), 1u, kMostHops);
  return packet_scheme(run, [config] { return HpccFamily(config); });
}

}  // namespace

extern const SchemeInfo hpcc_scheme{
    "hpcc", SchemeTag::research,
    "switches write queue length and rate of each hop into packets, receivers return them, senders set window and "
    "rate accordingly",
    kHpccParams, "[scheme]\nname = \"hpcc\"\neta = \"95%\"", configure_hpcc};

}  // namespace weir
