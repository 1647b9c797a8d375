// Static window: a source keeps at most a fixed number of packets per connection unacknowledged. The simplest scheme
// that closes the loop through the network; it bounds how much of the buffers one flow can fill.
#include "schemes/idle.h"
#include "schemes/packet_scheme.h"

namespace weir {
namespace {

struct WindowFamily : SchemeHooks {
  static constexpr bool kAcknowledges = true;
  static constexpr bool kConnections = true;

  explicit WindowFamily(std::uint32_t packets) : limit(packets) {}

  struct Seen {
    std::uint32_t peak = 0;
    bool has_held = false;  // a packet back
  };

  Time gate(HostView here, ConnectionId connection, Packet&) override {
    if (outstanding[connection] < limit) return {};
    seen[here.here()].has_held = true;
    return kNever;
  }
  void on_inject(HostView here, Packet& p) override {
    if (p.destination == here.here()) return;  // to itself: nothing to acknowledge
    std::uint32_t& count = outstanding[p.connection];
    ++count;
    WEIR_CHECK(count <= limit);
    Seen& s = seen[here.here()];
    s.peak = std::max(s.peak, count);
  }
  void before_arrival(HostView, const Packet& p) const override {
    if (p.is(PacketKind::ack)) outstanding.fetch(p.connection);
  }
  void before_sending(HostView, ConnectionId connection) const override { outstanding.fetch(connection); }
  void on_ack(HostView here, Packet& p) override {
    WEIR_CHECK(outstanding[p.connection] > 0);
    --outstanding[p.connection];
    here.wake(p.connection);
  }
  void report(Measurements& m) const override {
    Seen all;
    for (const Seen& s : seen) all = {std::max(all.peak, s.peak), all.has_held || s.has_held};
    m.scheme_numbers.emplace_back("largest window in use", all.peak);
    if (!all.has_held) m.scheme_idle = idle::window(limit, all.peak);
  }

  std::uint32_t limit;
  ConnectionTable<std::uint32_t> outstanding{*this};
  HostTable<Seen> seen{*this};
};

constexpr ParamSpec kWindowParams[] = {{"packets", ParamType::integer, "2",
                                        "largest number of unacknowledged packets of a flow (or pair of hosts)", 1,
                                        1e6}};

ConfiguredScheme configure_window(const Section& scheme, const RunInput& run) {
  const auto packets = static_cast<std::uint32_t>(scheme.integer("packets"));
  return packet_scheme(run, [packets] { return WindowFamily(packets); });
}

}  // namespace

constexpr std::string_view kWindowKeysToTry[] = {"packets"};

extern const SchemeInfo window_scheme{
    "window", SchemeTag::hardware,
    "static window: a limit on the unacknowledged packets of each flow (or pair of hosts)", kWindowParams,
    "[scheme]\nname = \"window\"\npackets = 2", configure_window, nullptr, false, {}, MadeFor::any_fabric,
    {"needs software at the senders; opensm and switches have no option for it", false, kWindowKeysToTry}};

}  // namespace weir
