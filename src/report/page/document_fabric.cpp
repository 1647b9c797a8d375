// The fabric and its state over time, for the drawing and its time slider.
//
// The state is quantised to 16 steps, placed so that the definitions of roots and victims (measure/congestion.h) can be
// applied to it without loss: load 15 means at least 95 % busy, wait 2 and more means held back for at least 5 %.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "measure/congestion.h"
#include "network/hops.h"
#include "network/topologies/tree_levels.h"
#include "report/page/compressed.h"
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

const char* shape_name(Shape shape) {
  switch (shape) {
    case Shape::tree:
    case Shape::clos: return "tree";
    case Shape::unidirectional_min: return "umin";
    case Shape::bidirectional_min: return "bmin";
    default: break;
  }
  return "graph";
}

// A cable list does not say that it is a tree; the cables do.
std::vector<std::int32_t> levels_of(const Topology& t, std::string& shape) {
  std::vector<std::int32_t> levels(t.nodes(), -1);
  for (std::uint32_t n = static_cast<std::uint32_t>(t.hosts()); n < t.nodes(); ++n) levels[n] = t.level({n});
  if (t.has_levels()) return levels;
  const TreeLevels found = tree_levels(t);
  if (!found.is_tree || std::find(found.level.begin(), found.level.end(), kFar) != found.level.end()) return levels;
  shape = "tree";
  for (std::uint32_t s = 0; s < t.switches(); ++s) levels[t.node(SwitchId{s}).index] = static_cast<int>(found.level[s]);
  return levels;
}

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
  std::string shape = shape_name(t.shape()), names;
  const std::vector<std::int32_t> levels = levels_of(t, shape), positions = positions_of(t);
  std::vector<std::int32_t> owner(t.ports()), to(t.ports()), labels(t.ports());
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
          {"shape", shape},
          {"arity", t.arity()},
          {"owner", compressed(owner)},
          {"to", compressed(to)},
          {"level", compressed(levels)},
          {"position", compressed(positions)},
          {"names", compressed(text(list))},
          {"port_names", compressed(text(Json(port_names)))}};
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
  Json from = Json::array(), to = Json::array();
  for (std::size_t f = 0; f < count; ++f) {
    from.push_back(static_cast<double>(frame_span(run.m(), f * group).from.ps) / 1e12);
    to.push_back(
        static_cast<double>(frame_span(run.m(), std::min(frames.size(), (f + 1) * group) - 1).to.ps) / 1e12);
  }
  return {{"count", count},
          {"from_s", from},
          {"to_s", to},
          {"load", compressed(in_nibbles(load))},
          {"fill", compressed(in_nibbles(fill))},
          {"wait", compressed(in_nibbles(wait))}};
}

}  // namespace weir
