// The fabric and its state over time, for the drawing and its time slider.
//
// The state is quantised to 16 steps: load 15 means at least 95 % busy, wait 2 and more means held back for at least
// 5 %. Which of the full links are roots depends on more (measure/congestion.h), so the roots are listed.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "measure/congestion.h"
#include "report/page/compressed.h"
#include "report/page/drawing.h"
#include "report/page/run_document.h"

namespace weir {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kFullLoad = 242;  // of 255: 95 %, less half a step
constexpr unsigned kHeldBack = 13;   // of 255: 5 %, less half a step

std::uint8_t load_step(unsigned byte) {
  if (byte == 0) return 0;
  return static_cast<std::uint8_t>(byte >= kFullLoad ? 15 : 1 + (byte - 1) * 14 / (kFullLoad - 1));
}
std::uint8_t wait_step(unsigned byte) {
  if (byte < kHeldBack) return byte == 0 ? 0 : 1;
  return static_cast<std::uint8_t>(2 + (byte - kHeldBack) * 13 / (255 - kHeldBack));
}
std::uint8_t fill_step(unsigned byte) { return static_cast<std::uint8_t>(byte == 0 ? 0 : 1 + (byte - 1) * 14 / 254); }

// Hosts stand below their switches in the order of its ports.
std::vector<std::int32_t> positions_of(const Topology& t) {
  std::vector<std::int32_t> positions(t.nodes(), 0);
  for (std::uint32_t n = static_cast<std::uint32_t>(t.hosts()); n < t.nodes(); ++n)
    positions[n] = static_cast<std::int32_t>(t.position({n}));
  std::vector<std::uint32_t> order(t.hosts());
  for (std::uint32_t h = 0; h < order.size(); ++h) order[h] = h;
  const auto place = [&](std::uint32_t h) {
    const PortId at = t.to(t.host_port({h}));
    return std::pair(at.valid() ? positions[t.node_of(at).index] : 0, at.valid() ? at.index : 0);
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
  for (std::size_t i = 0; i < order.size(); ++i) positions[order[i]] = static_cast<std::int32_t>(i);
  return positions;
}

struct PortState {
  std::uint8_t load, fill, wait;  // in steps
};
// The frames from `from` to before `to` as one: mean load and wait, the highest fill.
PortState merged(const std::vector<FabricFrame>& frames, std::size_t from, std::size_t to, std::size_t port) {
  unsigned load = 0, wait = 0, fill = 0;
  for (std::size_t f = from; f < to; ++f) {
    load += frames[f].load[port];
    wait += frames[f].wait[port];
    fill = std::max<unsigned>(fill, frames[f].occupancy[port]);
  }
  const auto count = static_cast<unsigned>(to - from);
  return {load_step((load + count / 2) / count), fill_step(fill), wait_step((wait + count / 2) / count)};
}

}  // namespace

Json fabric_document(const Topology& t) {
  const Drawing drawing = drawing_of(t);
  const std::vector<std::int32_t> positions = positions_of(t);
  std::vector<std::int32_t> owner(t.ports()), to(t.ports());
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    owner[p] = static_cast<std::int32_t>(t.node_of({p}).index);
    to[p] = t.to({p}).valid() ? static_cast<std::int32_t>(t.to({p}).index) : -1;
  }
  Json list = Json::array();
  for (std::uint32_t n = 0; n < t.nodes(); ++n) list.push_back(t.name({n}));
  std::string port_names;
  for (std::uint32_t p = 0; p < t.ports(); ++p) {
    const std::string full = t.port_name({p}), &node = t.name(t.node_of({p}));
    // Names of ports are long and alike; what follows the node's name is enough.
    port_names += (full.starts_with(node) ? full.substr(node.size()) : ":" + std::to_string(t.local({p}))) + "\n";
  }
  const auto text = [](const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); };
  return {{"hosts", t.hosts()},
          {"switches", t.switches()},
          {"ports", t.ports()},
          {"shape", drawing.shape},
          {"arity", t.arity()},
          {"sizes", drawing.sizes},
          {"wraps", drawing.wraps},
          {"all_joined", drawing.all_joined},
          {"level_names", drawing.level_names},
          {"group_names", drawing.group_names},
          {"group", compressed(drawing.group)},
          {"owner", compressed(owner)},
          {"to", compressed(to)},
          {"level", compressed(drawing.level)},
          {"position", compressed(positions)},
          {"names", compressed(text(list))},
          {"port_names", compressed(text(Json(port_names)))}};
}

Json moment_document(std::span<const double> load, std::span<const double> wait) {
  std::vector<std::uint8_t> loads, waits;
  const auto byte = [](double share) { return static_cast<unsigned>(std::clamp(255 * share + 0.5, 0.0, 255.0)); };
  for (const double share : load) loads.push_back(load_step(byte(share)));
  for (const double share : wait) waits.push_back(wait_step(byte(share)));
  return {{"load", compressed(in_nibbles(loads))}, {"wait", compressed(in_nibbles(waits))}};
}

// Planes by port, then by frame: neighbouring moments are alike and deflate well.
Json frames_document(const AnalysedRun& run, std::size_t most_frames) {
  const auto& frames = run.m().frames;
  const std::size_t ports = run.topology().ports();
  const bool whole = std::all_of(frames.begin(), frames.end(), [&](const FabricFrame& f) {
    return f.load.size() == ports && f.occupancy.size() == ports && f.wait.size() == ports;
  });
  if (frames.empty() || !whole || most_frames < 2) return nullptr;
  const std::size_t group = (frames.size() + most_frames - 1) / most_frames;
  const std::size_t count = (frames.size() + group - 1) / group;
  std::vector<std::uint8_t> load(ports * count), fill(ports * count), wait(ports * count);
  for (std::size_t p = 0; p < ports; ++p)
    for (std::size_t f = 0; f < count; ++f) {
      const PortState c = merged(frames, f * group, std::min(frames.size(), (f + 1) * group), p);
      load[p * count + f] = c.load;
      fill[p * count + f] = c.fill;
      wait[p * count + f] = c.wait;
    }
  Json from = Json::array(), to = Json::array(), roots = Json::array();
  const std::vector<CongestedMoment>& moments = run.digest.congestion.moments;
  auto moment = moments.begin();
  for (std::size_t f = 0; f < count; ++f) {
    const Span span{frame_span(run.m(), f * group).from,
                    frame_span(run.m(), std::min(frames.size(), (f + 1) * group) - 1).to};
    from.push_back(static_cast<double>(span.from.ps) / 1e12);
    to.push_back(static_cast<double>(span.to.ps) / 1e12);
    std::set<std::uint32_t> here;  // roots at any moment of this time
    for (; moment != moments.end() && moment->span.to <= span.to; ++moment)
      here.insert(moment->roots.begin(), moment->roots.end());
    roots.push_back(here);
  }
  return {{"count", count},
          {"from_s", from},
          {"to_s", to},
          {"roots", roots},
          {"load", compressed(in_nibbles(load))},
          {"fill", compressed(in_nibbles(fill))},
          {"wait", compressed(in_nibbles(wait))}};
}

}  // namespace weir
