#include "live/serve.h"

#include "live/lane_tables.h"
#include "live/live_scheme.h"
#include "packet/packet_engine.h"
#include "schemes/packet_scheme.h"

namespace weir::live {

namespace {

// Forwarding tables of a subnet have one byte for a port, and LIDs end at 0xbfff.
void check_size(const Topology& topology) {
  constexpr std::size_t kMostNodes = 0xbfff;
  if (topology.nodes() > kMostNodes)
    throw InputError("an InfiniBand subnet has " + std::to_string(kMostNodes) + " LIDs; this fabric has " +
                     std::to_string(topology.nodes()) + " nodes");
  for (std::uint32_t p = 0; p < topology.ports(); ++p)
    if (topology.to({p}) != topology.from({p}))
      throw InputError("this network has one-way links; InfiniBand has none");
  const Identities identities(topology);
  for (std::uint32_t n = 0; n < topology.nodes(); ++n)
    if (identities.highest_number({n}) > 254)
      throw InputError("an InfiniBand switch has at most 254 ports; " + topology.name({n}) + " has more");
}

ServeReport report_of(Session& session, Time end) {
  return {session.server().served(), session.server().unanswered(), session.held_ratio(), session.has_stood(),
          end};
}

}  // namespace

Measurements serve_run(const Scenario& scenario, const RunSetup& setup, SessionOptions options, bool configured,
                       ServeReport& report) {
  const Topology& topology = setup.network->topology;
  check_size(topology);
  RunInput run = run_input(setup);
  check_pairs(run.workload, topology.hosts());
  if (run.routes.changes_lanes())
    throw InputError("a served fabric has forwarding tables, which cannot express routes with lanes: choose another "
                     "routing");
  const Section& section = scenario.section("scheme");
  const CcaSettings cca = cca_settings(run, section, section.kind == "dcms" ? kDcmsMarkingRate : 0);
  run.config.adapter.acks = run.config.adapter.acks || cca.becn_on_ack;
  const std::uint32_t lanes = run.config.switches.lanes;
  Subnet subnet(topology, lanes);
  show_settings(subnet, cca, lanes);
  show_lane_tables(subnet, run.config.switches.lane_tables);
  if (configured) subnet.configure(setup.network->routes);
  LiveScheme scheme(cca, subnet);
  options.end = std::min(run.config.run.duration, run.config.run.max_time);
  Session session(options, subnet, scheme);
  scheme.serve_with(session);
  Measurements measured = run_packets(run, scheme);
  report = report_of(session, measured.end);
  return measured;
}

void serve_idle(const Topology& topology, const RouteTable* routes, SessionOptions options, ServeReport& report) {
  check_size(topology);
  Subnet subnet(topology, 1);
  if (routes != nullptr) subnet.configure(*routes);
  IdleMachine machine;
  Session session(options, subnet, machine);
  Time now;
  for (Time next; (next = session.turn(now)) != kNever; now = next) {
    subnet.congestion_changed.clear();
    subnet.arbitration_changed.clear();
    machine.set(next);
  }
  report = report_of(session, now);
}

}  // namespace weir::live
