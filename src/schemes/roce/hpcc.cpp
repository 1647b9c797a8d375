// HPCC: switches write telemetry into packets, receivers echo it, and senders set a window and a rate from it.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "network/routings/routings.h"
#include "packet/scheme/travelling_records.h"
#include "schemes/fabric_facts.h"
#include "schemes/given_or.h"
#include "schemes/idle.h"
#include "schemes/packet_scheme.h"
#include "schemes/rate_limiters.h"
#include "schemes/roce/hpcc_sender.h"
#include "schemes/roce/sender_params.h"
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
  bool one_way = true;     // for all packets of a connection
};

struct HpccFamily final : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  using Records = TravellingRecords<HpccHop>;
  using Number = Records::Number;

  struct Connection {
    HpccSender sender;
    std::uint64_t in_flight = 0;               // bytes
    Time last_sent{-HpccHop::kComparable.ps};  // when the packet set out whose telemetry came last
    std::uint32_t last_hops = 0;               // of it
    std::uint32_t follows_at = 0;              // number of the packet whose acknowledgement renews the reference

    double rate() const { return sender.rate(); }
  };
  using Limiter = RateLimiters<Connection>::Limiter;

  explicit HpccFamily(const HpccConfig& config)
      : params(config.sender), one_way(config.one_way), records(*this, config.hops),
        links(*this, config.hops, !one_way) {}

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
    if (limiter == nullptr) limiter = &begin(here, p);
    limiters.sent(*limiter, here.now(), p.size);
    limiter->point.in_flight += p.size;
    p.load(Tag(take_record(here), 0).word);
  }
  void before_arrival(HostView here, const Packet& p) const override {
    if (!p.is(PacketKind::ack)) return;
    limiters.fetch(here.here(), p.connection);
    const Last& last = last_of[here.here()];
    const std::uint32_t place = limiters.number(p.connection);
    records.fetch(here.here(), Tag(p).record());
    records.fetch(here.here(), last.records[place]);
    __builtin_prefetch(&last.rates[std::size_t{place} * records.items()]);
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
    Last& last = last_of[here.here()];
    const std::uint32_t place = limiters.number(p.connection), hops = written(p);
    const Number before = std::exchange(last.records[place], tag.record());
    const std::span<double> rates{&last.rates[std::size_t{place} * records.items()], hops};
    const bool fresh = Time{p.injected} - c.last_sent < HpccHop::kComparable / 2;
    if (hops != c.last_hops || !same_way(here, before, tag.record(), hops)) note_rates(here, tag.record(), rates);
    else if (fresh) react(here, p, c, {records.at(here.here(), before), hops}, rates);
    c.last_sent = {p.injected};
    c.last_hops = hops;
    records.give_back(here, before);
    s.lowest = std::min(s.lowest, c.sender.rate());
    if (c.in_flight == 0 && here.connections().is_flow(p.connection) && here.unsent({p.connection.index}) == 0) {
      records.give_back(here, tag.record());
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
    records.at(p.source, tag.record())[tag.hops()] = {here.now(), here.sent_bytes(link), here.queued(out)};
    if (!one_way) links.at(p.source, tag.record())[tag.hops()] = link;
  }

  // ---- between processes ----
  void send_along(const Packet& p, BytesOut& out) const override {
    const HostId source = source_of(p);
    if (!source.valid()) return;
    records.put(source, Tag(p).record(), written(p), out);
    if (!one_way) links.put(source, Tag(p).record(), written(p), out);
  }
  void take_along(const Packet& p, BytesIn& in) override {
    const HostId source = source_of(p);
    if (!source.valid()) return;
    records.get(source, Tag(p).record(), written(p), in);
    if (!one_way) links.get(source, Tag(p).record(), written(p), in);
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
    for (const Last& last : last_of)
      sum += last.records.capacity() * sizeof(Number) + last.rates.capacity() * sizeof(double);
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
  // The telemetry that came last, by the place of a connection's limiter: its record, and the rates of its links.
  struct Last {
    std::vector<Number> records;
    std::vector<double> rates;  // bit/s
    void each_field(auto&&) {}  // of no use any more at the end of a run
  };

  Limiter& begin(HostView here, const Packet& p) {
    Limiter& limiter = limiters.add(here.here(), p.connection, {HpccSender(params, link_rates[here.link().index])});
    const std::size_t place = limiters.number(p.connection);
    Last& last = last_of[here.here()];
    if (last.records.size() <= place) {
      last.records.resize(place + 1);
      last.rates.resize((place + 1) * records.items());
    }
    last.records[place] = take_record(here);  // with no hops yet
    if (one_way) {
      const std::vector<PortId> path = default_path(here.topology(), here.routes(), p.source, p.destination);
      for (std::size_t hop = 0; hop + 1 < path.size() && hop < records.items(); ++hop)
        last.rates[place * records.items() + hop] = link_rates[path[hop + 1].index];
    }
    return limiter;
  }
  Number take_record(HostView here) {
    const Number number = records.take(here);
    if (!one_way) links.accompany(here, number);
    return number;
  }
  // Whose record the packet carries; none if it carries none.
  static HostId source_of(const Packet& p) {
    return p.is(PacketKind::data) ? p.source : p.is(PacketKind::ack) ? p.destination : HostId{};
  }
  std::uint32_t written(const Packet& p) const { return std::min(Tag(p).hops(), records.items()); }
  bool same_way(HostView here, Number before, Number now, std::uint32_t hops) const {
    if (one_way) return true;
    const LinkId* const links_now = links.at(here.here(), now);
    return std::equal(links_now, links_now + hops, links.at(here.here(), before));
  }
  void note_rates(HostView here, Number now, std::span<double> rates) const {
    if (one_way) return;  // they are known from the start
    const LinkId* const way = links.at(here.here(), now);
    for (std::size_t hop = 0; hop < rates.size(); ++hop) rates[hop] = link_rates[way[hop].index];
  }
  void react(HostView here, const Packet& p, Connection& c, std::span<const HpccHop> before,
             std::span<const double> rates) {
    const std::span<const HpccHop> now{records.at(here.here(), Tag(p).record()), before.size()};
    for (std::size_t hop = 0; hop < now.size(); ++hop)
      if (!now[hop].is_later_than(before[hop])) return;
    const bool anew = p.sequence >= c.follows_at;
    if (anew) c.follows_at = here.connections().sent(p.connection);
    const double rate = c.sender.rate();
    c.sender.acknowledged(params, before, now, rates, anew);
    seen[here.here()].cuts += c.sender.rate() < rate;
  }

  HpccParams params;
  bool one_way;  // for all packets of a connection
  Records records;
  TravellingRecords<LinkId> links;  // where they may take several ways: of the hops in the record of the same number
  HostTable<Last> last_of{*this};
  RateLimiters<Connection> limiters{*this};
  HostTable<Seen> seen{*this};
  std::vector<double> link_rates;  // bit/s, by port; never changes
};

constexpr ParamSpec kHpccParams[] = {
    {"eta", ParamType::fraction, "95%", "share of a link's bandwidth-delay product that may be in flight", 0.01, 1},
    {"max_stage", ParamType::integer, "5",
     "number of additive increases in a row; after them, the rate is calculated "
     "from the load again",
     0, 1000},
    {"rai", ParamType::rate, kUnset,
     "additive increase of the rate; default: 1/2500 of the rate of a host's link (10 "
     "Mb/s at 25 Gb/s)",
     0, 1e15},
    {"base_rtt", ParamType::time, kUnset,
     "round trip of a lone packet, for all flows; default: calculated for the longest of the default paths", 1e-9, 1},
    kLowestFlowRate,
    kFirstFlowRate,
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
  config.one_way = run.config.switches.choice->fixed();
  const std::uint32_t longest = round_trip(run).hops * (config.one_way ? 1 : 2);  // detours are at most twice as long
  config.hops = std::clamp(longest, 1u, kMostHops);
  return packet_scheme(run, [config] { return HpccFamily(config); });
}

}  // namespace

extern const SchemeInfo hpcc_scheme{
    "hpcc", SchemeTag::research,
    "switches write queue length and rate of each hop into packets, receivers return them, senders set window and "
    "rate accordingly",
    kHpccParams, "[scheme]\nname = \"hpcc\"\neta = \"95%\"", configure_hpcc};

}  // namespace weir
