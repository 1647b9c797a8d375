// Random fabrics and random comings and goings of flows, for the rate protocols; the exact solvers as reference.
#pragma once
#include <algorithm>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "control/rates/control_network.h"
#include "control/rates/rate_protocol.h"
#include "flow/flow_router.h"
#include "flow/solvers/solve.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"
#include "scale.h"

namespace weir::testing_rates {

// A fabric with flows on it: who starts and ends when, by which path.
struct Lab {
  Topology topology;
  RouteTable routes;
  std::vector<RatedFlow> flows;
  ControlNetwork::Paths out, back;
  std::vector<RateUnits> capacity;  // by port
  std::vector<Time> starts, ends;   // kNever: stays
  ControlTiming timing;

  Time last_change() const {
    Time last{};
    for (std::size_t f = 0; f < flows.size(); ++f) {
      last = std::max(last, starts[f]);
      if (ends[f] != kNever) last = std::max(last, ends[f]);
    }
    return last;
  }
  bool stays(std::size_t flow) const { return ends[flow] == kNever; }
  void schedule(ControlNetwork& network) const {
    for (std::uint32_t f = 0; f < flows.size(); ++f) {
      network.start_flow(f, starts[f]);
      if (!stays(f)) network.end_flow(f, ends[f]);
    }
  }
  void add_flow(FlowRouter* router, RatedFlow flow) {
    std::vector<std::uint32_t> ports;
    std::vector<PortId> path_out;
    if (router != nullptr) {
      router->set_up(flow.source, flow.destination, static_cast<double>(flow.weight), ports);
      for (const std::uint32_t p : ports) path_out.push_back({p});
    } else {
      path_out = path(topology, routes, flow.source, flow.destination);
    }
    out.add(path_out);
    back.add(path(topology, routes, flow.destination, flow.source));
    flows.push_back(flow);
    starts.push_back({});
    ends.push_back(kNever);
  }
};

// The problem that the flows of `who` pose to the solvers, in rate units.
struct Reference {
  std::vector<std::uint32_t> who;
  Incidence incidence;
  std::vector<double> capacity, weight;
  std::vector<std::uint32_t> application;

  Reference(const Lab& lab, std::vector<std::uint32_t> present) : who(std::move(present)) {
    RowList paths;
    for (const std::uint32_t f : who) {
      for (const PortId p : lab.out.of(f)) paths.push(p.index);
      paths.close_row();
      weight.push_back(static_cast<double>(lab.flows[f].weight));
      application.push_back(lab.flows[f].app);
    }
    for (const RateUnits c : lab.capacity) capacity.push_back(static_cast<double>(std::max<RateUnits>(c, 1)));
    incidence = Incidence(capacity.size(), std::move(paths));
  }
  RateProblem problem(bool applications = false) const {
    RateProblem p{&incidence, capacity, weight};
    if (applications) p.application = application;
    return p;
  }
};

inline std::vector<std::uint32_t> staying(const Lab& lab) {
  std::vector<std::uint32_t> who;
  for (std::uint32_t f = 0; f < lab.flows.size(); ++f)
    if (lab.stays(f)) who.push_back(f);
  return who;
}

inline Topology random_topology(std::uint64_t number, RandomStream& random) {
  const auto link = [&] {
    static constexpr std::int64_t kGigabits[] = {10, 10, 10, 25, 40, 100};
    return LinkProperties{Rate{kGigabits[number % 2 == 0 ? 0 : random.below(6)] * 1'000'000'000},
                          Time{static_cast<std::int64_t>(5'000 + random.below(40'000))}, 16'384};
  };
  const auto draw = [&](std::uint32_t low, std::uint32_t high) {
    return low + static_cast<std::uint32_t>(random.below(high - low + 1));
  };
  const LinkProperties host_link = link(), fabric_link = link();
  switch (random.below(4)) {
    case 0: return two_switch({draw(2, 6), draw(2, 6), draw(1, 2)}, host_link, fabric_link);
    case 1: return k_ary_n_tree({draw(2, 4), 2, draw(0, 2)}, host_link, fabric_link);
    case 2: return k_ary_n_tree({2, 3, draw(0, 2)}, host_link, fabric_link);
    default: break;
  }
  TopologyBuilder b;  // a random tree of switches with some more cables, hosts at random places
  const std::uint32_t switches = draw(1, 5), hosts = draw(3, 9), more = draw(0, 2), ports = 24;
  std::vector<SwitchId> s;
  std::vector<std::uint32_t> used(switches, 0);
  std::vector<HostId> h;
  for (std::uint32_t i = 0; i < hosts; ++i) h.push_back(b.add_host("h" + std::to_string(i)));
  for (std::uint32_t i = 0; i < switches; ++i) s.push_back(b.add_switch("s" + std::to_string(i), ports));
  const auto cable = [&](std::uint32_t x, std::uint32_t y) {
    b.connect(TopologyBuilder::at(s[x], used[x]), TopologyBuilder::at(s[y], used[y]), link());
    ++used[x], ++used[y];
  };
  for (std::uint32_t i = 1; i < switches; ++i) cable(i, draw(0, i - 1));
  for (std::uint32_t i = 0; switches > 1 && i < more; ++i) {
    const std::uint32_t x = draw(0, switches - 1), step = draw(1, switches - 1);
    cable(x, (x + step) % switches);
  }
  for (const HostId host : h) {
    const std::uint32_t x = draw(0, switches - 1);
    b.connect(TopologyBuilder::at(host), TopologyBuilder::at(s[x], used[x]++), link());
  }
  return std::move(b).build();
}

// Ties are the hard case: half of the scenarios have equal links, a third equal weights.
inline std::unique_ptr<Lab> random_lab(std::uint64_t number) {
  RandomStream random(7, Purpose::test, number);
  auto lab = std::make_unique<Lab>();
  lab->topology = random_topology(number, random);
  const bool tree = lab->topology.shape() == Shape::tree;
  lab->routes = tree ? digit_routes(lab->topology) : shortest_path_routes(lab->topology);
  std::unique_ptr<FlowRouter> router;
  if (tree) {
    const auto policy =
        lab->topology.horizontal_width() > 0 ? FlowRoutingPolicy::forced(8) : FlowRoutingPolicy::ascent();
    router = std::make_unique<FlowRouter>(lab->topology, lab->routes, policy);
  }
  const std::uint64_t hosts = lab->topology.hosts(), flows = 1 + random.below(number % 8 == 7 ? 60 : 20),
                      apps = 1 + random.below(4);
  const Time span{static_cast<std::int64_t>(random.below(3) == 0 ? 1'000 : 1 + random.below(60'000'000))};
  const auto moment = [&] {
    return Time{static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(span.ps)))};
  };
  for (std::uint64_t f = 0; f < flows; ++f) {
    const std::uint64_t from = random.below(hosts), to = (from + 1 + random.below(hosts - 1)) % hosts;
    const RateWeight weight = number % 3 == 0 ? 1 : number % 3 == 1 ? 1 + random.below(4) : 1 + random.below(1000);
    lab->add_flow(router.get(), {{static_cast<std::uint32_t>(from)},
                                 {static_cast<std::uint32_t>(to)},
                                 weight,
                                 static_cast<std::uint32_t>(random.below(apps))});
    lab->starts.back() = moment();
    if (f > 0 && random.below(3) == 0) lab->ends.back() = lab->starts.back() + moment();
  }
  for (std::uint32_t p = 0; p < lab->topology.ports(); ++p) {
    const double reserved = number % 5 == 0 ? 0.5 * random.unit() : 0.0;
    lab->capacity.push_back(lab->topology.to({p}).valid() ? rate_units(lab->topology.link({p}).rate, reserved) : 0);
  }
  if (number % 4 != 0) lab->timing.jitter = {static_cast<std::int64_t>(random.below(40'000'000))};
  lab->timing.seed = number;
  return lab;
}

}  // namespace weir::testing_rates
