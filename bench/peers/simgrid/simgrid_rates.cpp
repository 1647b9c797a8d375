// SimGrid's own simulation of a set of flows beside weir's FFA on the same routes: do both give the same max-min fair
// rates, and how long does each take? SimGrid builds the k-ary 3-tree and routes the flows; weir takes the routes from
// it. All flows start together and are far too long to end; after one simulated second SimGrid tells what each has
// sent.
//
// usage: simgrid_rates [k] [flows per host]      exit code 1 if a rate differs by more than SimGrid's precision allows
#include <fmt/format.h>
#include <xbt/log.h>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "flow/solvers/ffa.h"
#include "flow/solvers/verify.h"

namespace sg = simgrid::s4u;

namespace {

constexpr double kBandwidth = 1e9;           // bytes per second
constexpr std::uint64_t kLong = 1ull << 50;  // bytes; nobody sends that much in a second
constexpr double kTolerance = 1e-6;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Flow {
  std::uint32_t source, destination;
};

std::vector<Flow> random_flows(std::uint32_t hosts, std::uint32_t per_host) {
  weir::RandomStream random(1, weir::Purpose::destination, hosts);
  std::vector<Flow> flows;
  for (std::uint32_t h = 0; h < hosts; ++h)
    for (std::uint32_t i = 0; i < per_host; ++i) {
      const auto other = static_cast<std::uint32_t>(random.below(hosts - 1));
      flows.push_back({h, other < h ? other : other + 1});
    }
  return flows;
}

std::vector<sg::Host*> build_tree(std::uint32_t k) {
  std::vector<sg::Host*> hosts;
  sg::ClusterCallbacks callbacks(
      [&hosts](
          sg::NetZone* zone, const std::vector<unsigned long>&,
          unsigned long id) -> std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*> {
        sg::Host* host = zone->create_host(fmt::format("h{}", id), 1e9)->seal();
        if (hosts.size() <= id) hosts.resize(id + 1);
        hosts[id] = host;
        return {host->get_netpoint(), nullptr};
      });
  sg::create_fatTree_zone("tree", nullptr, {3, {k, k, k}, {1, k, k}, {1, 1, 1}}, callbacks, kBandwidth, 0.0,
                          sg::Link::SharingPolicy::SPLITDUPLEX)
      ->seal();
  return hosts;
}

weir::Incidence incidence_of(const std::vector<sg::Host*>& hosts, const std::vector<Flow>& flows) {
  std::unordered_map<const sg::Link*, std::uint32_t> numbers;  // order-free: only looked up
  weir::RowList paths;
  for (const Flow& f : flows) {
    std::vector<sg::Link*> links;
    double latency = 0;
    hosts[f.source]->route_to(hosts[f.destination], links, &latency);
    for (const sg::Link* link : links)
      paths.push(numbers.emplace(link, static_cast<std::uint32_t>(numbers.size())).first->second);
    paths.close_row();
  }
  return weir::Incidence(numbers.size(), std::move(paths));
}

struct Timed {
  std::vector<double> rates;  // shares of a link
  double seconds = 0;
};

// Runs inside SimGrid as the only actor.
Timed simulate(const std::vector<sg::Host*>& hosts, const std::vector<Flow>& flows) {
  Timed out;
  std::vector<sg::CommPtr> comms;
  for (const Flow& f : flows) comms.push_back(sg::Comm::sendto_async(hosts[f.source], hosts[f.destination], kLong));
  const auto start = std::chrono::steady_clock::now();
  sg::this_actor::sleep_for(1.0);
  out.seconds = seconds_since(start);
  for (const sg::CommPtr& comm : comms)
    out.rates.push_back((static_cast<double>(kLong) - comm->get_remaining()) / kBandwidth);
  for (const sg::CommPtr& comm : comms) comm->cancel();
  return out;
}

// The best of five: the first touch of the memory, and what else the machine does, are not the solver's work.
Timed solve(const weir::RateProblem& problem) {
  weir::FillScratch scratch;
  weir::RateSolution solution;
  Timed out;
  for (int i = 0; i < 5; ++i) {
    const auto start = std::chrono::steady_clock::now();
    weir::ffa(problem, scratch, solution);
    const double seconds = seconds_since(start);
    out.seconds = i == 0 ? seconds : std::min(out.seconds, seconds);
  }
  out.rates = solution.rate;
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  xbt_log_control_set("xbt_cfg.thresh:warning");
  sg::Engine engine(&argc, argv);
  const auto k = static_cast<std::uint32_t>(argc > 1 ? std::atoi(argv[1]) : 16);
  const auto per_host = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 5);
  sg::Engine::set_config("network/model:CM02");
  sg::Engine::set_config("network/crosstraffic:0");
  sg::Engine::set_config("network/TCP-gamma:0");
  sg::Engine::set_config("maxmin/precision:1e-9");

  const std::vector<sg::Host*> hosts = build_tree(k);
  const std::vector<Flow> flows = random_flows(static_cast<std::uint32_t>(hosts.size()), per_host);
  const weir::Incidence incidence = incidence_of(hosts, flows);
  const std::vector<double> capacity(incidence.links(), 1.0);
  const weir::RateProblem problem{&incidence, capacity};
  const Timed ours = solve(problem);

  Timed theirs;
  sg::Actor::create("all", hosts[0], [&] { theirs = simulate(hosts, flows); });
  engine.run();

  double worst = 0;
  for (std::size_t f = 0; f < flows.size(); ++f)
    worst = std::max(worst, std::abs(theirs.rates[f] - ours.rates[f]) / ours.rates[f]);
  const bool certified = weir::verify(weir::RateAlgorithm::ffa, problem, ours.rates).holds();
  const auto per_incidence = [&](double seconds) { return seconds * 1e9 / static_cast<double>(incidence.size()); };
  fmt::print("{}-ary 3-tree, {} flows, {} incidences\n", k, flows.size(), incidence.size());
  fmt::print("  SimGrid  {:10.3f} ms  {:8.1f} ns per incidence\n", theirs.seconds * 1e3, per_incidence(theirs.seconds));
  fmt::print("  weir     {:10.3f} ms  {:8.1f} ns per incidence  ({:.0f} times faster)\n", ours.seconds * 1e3,
             per_incidence(ours.seconds), theirs.seconds / ours.seconds);
  fmt::print("  largest relative difference of a rate {:.2g}; weir's certificate {}\n", worst,
             certified ? "holds" : "FAILS");
  return worst <= kTolerance && certified ? 0 : 1;
}
