// DCQCN: switches mark by ECN, receivers answer marks with CNPs, and senders cut and raise the rate of that flow.
#include <algorithm>

#include "schemes/fabric_facts.h"
#include "schemes/given_or.h"
#include "schemes/idle.h"
#include "schemes/packet_scheme.h"
#include "schemes/rate_limiters.h"
#include "schemes/roce/cnp.h"
#include "schemes/roce/dcqcn_senders.h"
#include "schemes/roce/ecn.h"
#include "schemes/roce/sender_params.h"

namespace weir {
namespace {

struct DcqcnConfig {
  EcnConfig ecn;
  CnpConfig cnp;
  DcqcnParams sender;
  Time reaction_delay;
};

template <class Sender>
struct DcqcnFamily : SchemeHooks {
  static constexpr bool kConnections = true;
  using Limiter = typename RateLimiters<Sender>::Limiter;

  explicit DcqcnFamily(const DcqcnConfig& config)
      : params(config.sender), reaction_delay(config.reaction_delay), marker(*this, config.ecn),
        receivers(*this, config.cnp, !config.cnp.from_switch) {}

  void on_start(const GlobalView& all) override { marker.start(all); }

  // ---- receiver ----
  void on_delivery(HostView here, Packet& p) override {
    if ((p.marks & kEcnMark) != 0 && p.source != here.here()) receivers.marked(here, p);
  }
  void on_host_timer(HostView here, std::uint32_t number) override {
    const ConnectionId connection{number & ~kReaction};
    if ((number & kReaction) != 0) react(here, connection);
    else receivers.interval_over(here, connection);
  }

  // ---- sender ----
  void on_notification(HostView here, Packet& p) override {
    ++seen[here.here()].cnps;
    if (reaction_delay > Time{}) here.set_timer(here.now() + reaction_delay, p.connection.index | kReaction);
    else react(here, p.connection);
  }
  void react(HostView here, ConnectionId connection) {
    if (is_sent(here, connection)) return;
    Limiter* limiter = limiters.find(here.here(), connection);
    if (limiter == nullptr) {
      const auto line = static_cast<double>(here.topology().link(here.link()).rate.bits_per_second);
      limiter = &limiters.add(here.here(), connection, Sender(params, line, here.now()));
    }
    catch_up(here, *limiter);
    limiter->point.cnp(params, here.now());
    note(seen[here.here()], *limiter);
  }
  Time gate(HostView here, ConnectionId connection, Packet&) override {
    Limiter* limiter = limiters.find(here.here(), connection);
    if (limiter == nullptr) return {};
    catch_up(here, *limiter);
    const Time allowed = limiters.gate(*limiter);
    return allowed <= here.now() ? allowed : std::min(allowed, limiter->point.next_raise(params));
  }
  void on_inject(HostView here, Packet& p) override {
    Limiter* limiter = limiters.find(here.here(), p.connection);
    if (limiter == nullptr) return;
    limiters.sent(*limiter, here.now(), p.size);
    limiter->point.sent(params, p.size);
    if (is_sent(here, p.connection)) limiters.remove(here.here(), p.connection);
  }

  void report(Measurements& m) const override {
    Seen all;
    for (const Seen& s : seen) all.add(s);
    marker.report(m);
    m.scheme_numbers.emplace_back("packets marked", static_cast<double>(marker.marked()));
    m.scheme_numbers.emplace_back("CNPs sent", static_cast<double>(cnps_sent()));
    m.scheme_numbers.emplace_back("CNPs received", static_cast<double>(all.cnps));
    m.scheme_numbers.emplace_back("rate limiters of a host at most", static_cast<double>(limiters.peak()));
    if (limiters.peak() > 0) m.scheme_numbers.emplace_back("lowest rate [bit/s]", all.lowest);
    else m.scheme_idle = idle::ecn({marker.nearest().first, marker.nearest().second, marker.marked(), all.cnps});
  }
  virtual std::uint64_t cnps_sent() const { return receivers.sent(); }
  std::size_t bytes_beside_tables() const override { return limiters.bytes_beside_tables(); }

  struct Seen {
    std::uint64_t cnps = 0;
    double lowest = 1e18;  // rate
    void add(const Seen& other) {
      cnps += other.cnps;
      lowest = std::min(lowest, other.lowest);
    }
  };

  // The whole flow has left its host: nothing is left to slow down.
  static bool is_sent(HostView here, ConnectionId connection) {
    return here.connections().is_flow(connection) && here.unsent({connection.index}) == 0;
  }
  void catch_up(HostView here, Limiter& limiter) {
    limiter.point.catch_up(params, here.now());
    note(seen[here.here()], limiter);
  }
  static void note(Seen& s, const Limiter& limiter) { s.lowest = std::min(s.lowest, limiter.point.rate()); }

  static constexpr std::uint32_t kReaction = 0x80000000u;  // in the number of a timer: of the sender, not the receiver

  DcqcnParams params;
  Time reaction_delay;
  EcnMarker marker;
  CnpReceivers receivers;
  RateLimiters<Sender> limiters{*this};
  HostTable<Seen> seen{*this};
};

template <class Sender>
struct DcqcnAtDeparture final : DcqcnFamily<Sender> {
  using DcqcnFamily<Sender>::DcqcnFamily;
  void on_departure(SwitchView here, ChannelId out, Packet& p) override {
    if (this->marker.leaves(here, out, p)) p.marks |= kEcnMark;
  }
};
template <class Sender>
struct DcqcnAtArrival final : DcqcnFamily<Sender> {
  explicit DcqcnAtArrival(const DcqcnConfig& config)
      : DcqcnFamily<Sender>(config), from_switch(config.cnp.from_switch), switches(*this, config.cnp, from_switch) {}
  void on_output(SwitchView here, ChannelId out, Packet& p) override {
    if (!this->marker.joins(here, out, p)) return;
    if (from_switch) switches.marked(here, p);
    else p.marks |= kEcnMark;
  }
  void on_switch_timer(SwitchView here, std::uint32_t connection) override {
    switches.interval_over(here, {connection});
  }
  std::uint64_t cnps_sent() const override { return from_switch ? switches.sent() : this->receivers.sent(); }

  bool from_switch;
  CnpSwitches switches;
};

constexpr std::string_view kVariants[] = {"adapter", "paper"};
constexpr Condition kPaperOnly = when("variant", {"paper"});
constexpr Condition kAdapterOnly = when("variant", {"adapter"});

constexpr std::array kOwnParams{
    ParamSpec{"variant", ParamType::choice, "adapter",
              "behaviour of senders. adapter: as implemented in adapters; paper: as in the paper. It sets the defaults "
              "of other keys",
              0, 0, kVariants},
    ParamSpec{"g", ParamType::number, "0.00390625", "gain of alpha, the estimate of congestion", 1e-6, 1},
    ParamSpec{"alpha_interval", ParamType::time, kUnset,
              "variant = \"adapter\": time between two updates of alpha, default 1 us; \"paper\": alpha falls after "
              "this time without a CNP, default 55 us",
              1e-9, 1},
    ParamSpec{"decrease_interval", ParamType::time, "4us",
              "a sender cuts its rate at most once in this "
              "time",
              1e-9, 1}
        .applying(kAdapterOnly),
    ParamSpec{"clamp_target", ParamType::flag, "false",
              "every cut sets the target to the rate before the cut, not only the first cut after an increase"}
        .applying(kAdapterOnly),
    ParamSpec{"timer", ParamType::time, kUnset,
              "time between two increases. Default: 300 us for variant = "
              "\"adapter\", 55 us for \"paper\"",
              1e-9, 1},
    ParamSpec{"byte_counter", ParamType::bytes, "10MB", "bytes sent between two increases", 1, 1e12}.applying(
        kPaperOnly),
    ParamSpec{"threshold", ParamType::integer, kUnset,
              "number of stages of fast recovery (F). Default: 1 for variant "
              "= \"adapter\", 5 for \"paper\"",
              1, 1000},
    ParamSpec{"rai", ParamType::rate, kUnset,
              "additive increase of the rate. Default: for variant = \"adapter\" 1/5000 of the rate of a host's link "
              "(5 Mb/s at 25 Gb/s), for \"paper\" 1/1000 (40 Mb/s at 40 Gb/s)",
              0, 1e15},
    ParamSpec{"rhai", ParamType::rate, kUnset,
              "hyper increase of the rate. Default: for variant = \"adapter\" 1/500 of the rate of a host's link, for "
              "\"paper\" 1/200 (200 Mb/s at 40 Gb/s)",
              0, 1e15},
    kLowestFlowRate,
    ParamSpec{"reaction_delay", ParamType::time, "0s",
              "time from the arrival of a CNP to the reaction of the "
              "sender",
              0, 1},
};
constexpr auto kDcqcnParams = joined_params(joined_params(kEcnParams, kCnpParams), kOwnParams);

constexpr Time microseconds(std::int64_t n) { return {n * 1'000'000}; }

DcqcnParams read_sender(const Section& s, const RunInput& run, bool paper) {
  const auto line = static_cast<double>(slowest_host_link(run.topology).bits_per_second);
  DcqcnParams p;
  p.gain = s.number("g");
  p.alpha_interval = time_or(s, "alpha_interval", microseconds(paper ? 55 : 1));
  p.decrease_interval = s.time("decrease_interval");
  p.clamp_target = s.flag("clamp_target");
  p.timer = time_or(s, "timer", microseconds(paper ? 55 : 300));
  p.byte_counter = s.bytes("byte_counter");
  p.threshold = integer_or(s, "threshold", paper ? 5 : 1);
  p.additive = rate_or(s, "rai", line / (paper ? 1000 : 5000));
  p.hyper = rate_or(s, "rhai", line / (paper ? 200 : 500));
  p.min_rate = rate_or(s, "min_rate", line / 1000);
  return p;
}

ConfiguredScheme configure_dcqcn(const Section& scheme, const RunInput& run) {
  const bool paper = scheme.chooses("variant", "paper");
  const CnpConfig cnp{.interval = microseconds(paper ? 50 : 4), .by_window = paper};
  const DcqcnConfig config{read_ecn(scheme, run), read_cnp(scheme, run, cnp), read_sender(scheme, run, paper),
                           scheme.time("reaction_delay")};
  const auto with = [&]<class Hooks>(std::type_identity<Hooks>) {
    return packet_scheme(run, [config] { return Hooks(config); });
  };
  if (config.ecn.at_arrival)
    return paper ? with(std::type_identity<DcqcnAtArrival<DcqcnPaperSender>>{})
                 : with(std::type_identity<DcqcnAtArrival<DcqcnAdapterSender>>{});
  return paper ? with(std::type_identity<DcqcnAtDeparture<DcqcnPaperSender>>{})
               : with(std::type_identity<DcqcnAtDeparture<DcqcnAdapterSender>>{});
}

}  // namespace

constexpr std::string_view kDcqcnKeysToTry[] = {"kmin", "kmax"};

extern const SchemeInfo dcqcn_scheme{
    "dcqcn", SchemeTag::hardware,
    "RoCE's congestion control: switches mark by ECN, receivers answer with CNPs, senders slow the marked flow down",
    kDcqcnParams, "[scheme]\nname = \"dcqcn\"\npmax = \"20%\"", configure_dcqcn, nullptr, false, {},
    MadeFor::ethernet,
    {"available, set at switches and adapters", true, kDcqcnKeysToTry, "weir calibrate"}};

}  // namespace weir
