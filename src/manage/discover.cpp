#include "manage/discover.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "live/port_speed.h"
#include "mad/smp_fields.h"

namespace weir::manage {

namespace {

using mad::get;
using Path = std::vector<std::uint8_t>;

// A node that was reached, and how.
struct Found {
  std::uint32_t node;
  Path path;
  bool is_switch;
  std::uint32_t ports;
};
// A port whose neighbour is still to be asked.
struct Open {
  std::uint32_t node, port;
  Path path;  // of the neighbour
};

class Discovery {
 public:
  explicit Discovery(Transport& transport) : transport_(transport) { fabric_.file = "subnet"; }

  Fabric run() {
    std::vector<Open> open{{kNobody, 0, {}}};
    while (!open.empty()) {
      const std::vector<Found> found = ask_nodes(open);
      open = ask_ports(found);
    }
    ask_extended_speeds();
    complete();
    std::sort(fabric_.cables.begin(), fabric_.cables.end(),
              [](const FabricCable& x, const FabricCable& y) { return x.a < y.a; });
    return std::move(fabric_);
  }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffff;

  std::vector<Found> ask_nodes(const std::vector<Open>& open) {
    std::vector<Request> requests;
    for (const Open& o : open) requests.push_back(smp_request(mad::Method::get, mad::smp::kNodeInfo, 0, o.path));
    const std::vector<Reply> replies = transport_.exchange(requests);
    std::vector<Found> found;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (!is_answer(requests[i], replies[i])) {
        if (open[i].node == kNobody) throw InputError("the port of this machine does not answer");
        fabric_.remarks.push_back(fmt::format("{} port {}: its neighbour does not answer",
                                              fabric_.nodes[open[i].node].name, open[i].port));
        continue;
      }
      take_node(open[i], replies[i]->data(), found);
    }
    return found;
  }

  void take_node(const Open& o, std::span<const std::uint8_t> info, std::vector<Found>& found) {
    namespace f = mad::node_info;
    const std::uint64_t guid = get(info, f::kGuid);
    const bool is_switch = get(info, f::kType) == f::kSwitch;
    const auto [place, is_new] = numbers_.try_emplace(guid, static_cast<std::uint32_t>(fabric_.nodes.size()));
    const std::uint32_t number = place->second;
    const auto local = static_cast<std::uint32_t>(get(info, f::kLocalPort));
    if (is_new) {
      FabricNode node;
      node.kind = is_switch ? FabricNode::Kind::fabric_switch : FabricNode::Kind::adapter;
      node.guid = guid;
      node.ports = static_cast<std::uint32_t>(get(info, f::kPorts));
      node.vendor = static_cast<std::uint32_t>(get(info, f::kVendor));
      node.device = static_cast<std::uint32_t>(get(info, f::kDevice));
      fabric_.nodes.push_back(node);
    }
    if (!is_switch) facts_[{number, local}].guid = get(info, f::kPortGuid);
    if (o.node != kNobody) join({o.node, o.port, 0, 0}, {number, local, 0, 0});
    // Each port of an adapter is an end of its own.
    if (is_new || !is_switch) found.push_back({number, o.path, is_switch, fabric_.nodes[number].ports});
  }

  void join(FabricEnd a, FabricEnd b) {
    if (b < a) std::swap(a, b);
    if (!cables_.insert({a, b}).second) return;
    fabric_.cables.push_back({a, b, {}, {}, {}});
  }

  // Name and ports of the nodes that are new; returns what hangs on them.
  std::vector<Open> ask_ports(const std::vector<Found>& found) {
    std::vector<Request> requests;
    struct Asked {
      const Found* found;
      std::uint32_t port;  // kName: the description
    };
    constexpr std::uint32_t kName = 0xffff;
    std::vector<Asked> asked;
    for (const Found& f : found) {
      requests.push_back(smp_request(mad::Method::get, mad::smp::kNodeDescription, 0, f.path));
      asked.push_back({&f, kName});
      for (std::uint32_t p = f.is_switch ? 0 : 1; p <= f.ports; ++p) {
        requests.push_back(smp_request(mad::Method::get, mad::smp::kPortInfo, p, f.path));
        asked.push_back({&f, p});
      }
    }
    const std::vector<Reply> replies = transport_.exchange(requests);
    std::vector<Open> open;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      if (!is_answer(requests[i], replies[i])) continue;
      const auto data = replies[i]->data();
      FabricNode& node = fabric_.nodes[asked[i].found->node];
      if (asked[i].port == kName) {
        const char* text = reinterpret_cast<const char*>(data.data());
        node.name = std::string(text, ::strnlen(text, data.size()));
        continue;
      }
      take_port(*asked[i].found, asked[i].port, data, open);
    }
    return open;
  }

  void take_port(const Found& f, std::uint32_t port, std::span<const std::uint8_t> info, std::vector<Open>& open) {
    namespace p = mad::port_info;
    const auto lid = static_cast<std::uint32_t>(get(info, p::kLid));
    if (f.is_switch && port == 0) {
      fabric_.nodes[f.node].lid = lid;
      return;
    }
    const bool up = get(info, p::kState) > p::kDown;
    if (!up) return;
    PortFacts& facts = facts_[{f.node, port}];
    facts.lid = f.is_switch ? 0 : lid;
    const auto speed = live::speed_of(info);
    if (speed) facts.rate = speed->rate();
    if (speed && speed->lane == LaneSpeed::qdr && may_be_fdr10(fabric_.nodes[f.node].vendor))
      unsure_.push_back({f.node, port, f.path, speed->lanes});
    const bool first_adapter = !f.is_switch && f.path.empty();
    if (!f.is_switch && !first_adapter) return;  // adapters pass nothing on
    Path path = f.path;
    path.push_back(static_cast<std::uint8_t>(port));
    if (path.size() <= mad::kMostHops) open.push_back({f.node, port, path});
  }

  static bool may_be_fdr10(std::uint32_t vendor) {
    return vendor == mad::node_info::kMellanox || vendor == mad::node_info::kBull;
  }

  // PortInfo shows FDR10 as QDR. Devices that do not know the attribute say so, and their links are QDR.
  void ask_extended_speeds() {
    std::vector<Request> requests;
    for (const Unsure& u : unsure_)
      requests.push_back(smp_request(mad::Method::get, mad::smp::kExtendedPortInfo, u.port, u.path));
    const std::vector<Reply> replies = transport_.exchange(requests);
    for (std::size_t i = 0; i < unsure_.size(); ++i)
      if (is_answer(requests[i], replies[i]) && live::is_fdr10(replies[i]->data()))
        facts_[{unsure_[i].node, unsure_[i].port}].rate = LinkSpeed{unsure_[i].lanes, LaneSpeed::fdr10}.rate();
  }

  // What both ends have said about a cable.
  void complete() {
    for (FabricCable& cable : fabric_.cables) {
      for (FabricEnd* end : {&cable.a, &cable.b}) {
        const PortFacts& facts = facts_[{end->node, end->port}];
        end->lid = facts.lid;
        end->guid = facts.guid;
        cable.rate = std::max(cable.rate, facts.rate);  // one end may not know FDR10
      }
      cable.speed = link_speed_of(cable.rate);
    }
  }

  struct PortFacts {
    std::uint32_t lid = 0;
    std::uint64_t guid = 0;
    Rate rate;
  };
  // A port whose link is QDR or FDR10.
  struct Unsure {
    std::uint32_t node, port;
    Path path;  // of the node
    std::uint8_t lanes;
  };
  Transport& transport_;
  Fabric fabric_;
  std::vector<Unsure> unsure_;
  std::map<std::uint64_t, std::uint32_t> numbers_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, PortFacts> facts_;  // by node and port
  std::set<std::pair<FabricEnd, FabricEnd>> cables_;
};

}  // namespace

Fabric discover(Transport& transport) { return Discovery(transport).run(); }

}  // namespace weir::manage
