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

  void on_start(EngineView& engine) override {
    outstanding.assign(engine.connections().count(), 0);
  }
  Time gate(EngineView&, ConnectionId connection, Packet&) override {
    if (outstanding[connection.index] < limit) return {};
    has_held = true;
    return kNever;
  }
  void on_inject(EngineView&, HostId host, Packet& p) override {
    if (p.destination == host) return;  // to itself: nothing to acknowledge
    std::uint32_t& count = outstanding[p.connection.index];
    ++count;
    WEIR_CHECK(count <= limit);
    peak = std::max(peak, count);
  }
  void on_ack(EngineView& engine, HostId, Packet& p) override {
    const ConnectionId connection = p.connection;
    WEIR_CHECK(outstanding[connection.index] > 0);
    --outstanding[connection.index];
    engine.wake(connection);
  }
  void report(Measurements& m) const override {
    m.scheme_numbers.emplace_back("largest window in use", peak);
    if (!has_held) m.scheme_idle = idle::window(limit, peak);
  }
  std::size_t bytes_of_state() const override { return outstanding.capacity() * sizeof(std::uint32_t); }

  std::uint32_t limit;
  std::uint32_t peak = 0;
  bool has_held = false;  // a packet back
  std::vector<std::uint32_t> outstanding;
};

constexpr ParamSpec kWindowParams[] = {
    {"packets", ParamType::integer, "2", "packets that may be unacknowledged per flow or pair of hosts", 1, 1e6}};

ConfiguredScheme configure_window(const Section& scheme, const PacketRun& run) {
  const auto packets = static_cast<std::uint32_t>(scheme.integer("packets"));
  return packet_scheme(run, [packets] { return WindowFamily(packets); });
}

}  // namespace

extern const SchemeInfo window_scheme{
    "window", SchemeTag::hardware,
    "static window: at most so many packets of a flow (or pair of hosts) unacknowledged", kWindowParams,
    "[scheme]\nname = \"window\"\npackets = 2", configure_window};

}  // namespace weir
