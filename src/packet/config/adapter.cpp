// [adapter]: how hosts queue and inject.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "packet/config/adapter_presets.h"
#include "packet/config/sections.h"

namespace weir {
namespace {

constexpr std::string_view kAdapters[] = {"fifo", "per-destination", "modulo", "shared", "per-flow", "auto"};
constexpr std::string_view kServices[] = {"round-robin", "oldest-first"};

}  // namespace

std::vector<ParamSpec> adapter_params() {
  return {
      {"preset", ParamType::choice, kUnset,
       "model of a real adapter: sets `receive_rate` to the rate of its host bus, unless it is given; docs/fabrics.md "
       "lists the figures and their sources",
       0, 0, adapter_preset_names()},
      {"organisation", ParamType::choice, "auto",
       "fifo: one queue; per-destination: a queue per destination; modulo: a queue per destination modulo `queues`; "
       "shared: one memory, oldest allowed packet first; per-flow: a queue per flow; auto: per-flow where the traffic "
       "has flows, otherwise fifo",
       0, 0, kAdapters},
      {"service", ParamType::choice, "round-robin", "order in which queues send", 0, 0, kServices},
      ParamSpec{"queues", ParamType::integer, "16", "number of queues", 1, 1e6}.applying(
          when("organisation", {"modulo"})),
      {"memory", ParamType::bytes, kUnset,
       "adapter memory per host; packets beyond it wait in the host. Default: unlimited", 1, 1e12},
      {"queue_limit", ParamType::bytes, kUnset,
       "an open-loop source generates no packet while its queue holds this much, which bounds the queues of overloaded "
       "hosts; default: unlimited",
       1, 1e12},
      {"acks", ParamType::flag, "false", "acknowledge every data packet even where the scheme does not need it"},
      {"receive_rate", ParamType::rate, kUnset,
       "rate at which an adapter can receive packets. Faster traffic fills its receive buffer, and then stops the "
       "sender. "
       "The buffer is as large as an input buffer of a switch; with pfc, it has room for 8 of the largest packets, and "
       "the headroom that its link needs on top. Default: the rate of its link",
       1e5, 1.6e13},
      ParamSpec{"receive_hosts", ParamType::hosts, kUnset, "hosts whose adapters have `receive_rate`; default: all", 0,
                1e9}
          .applying(when_given({"receive_rate", "preset"})),
      {"ack_lane", ParamType::integer, "0", "lane of acknowledgements and notifications", 0, kMaxLanes - 1},
  };
}

namespace config {

namespace {

void read_receivers(const Section& section, const Topology& topology, AdapterConfig& c) {
  if (!section.has("receive_rate")) return;
  c.receive_rate = section.rate("receive_rate");
  if (!section.has("receive_hosts")) return;
  for (const std::int64_t host : section.at("receive_hosts").integers) {
    if (host >= static_cast<std::int64_t>(topology.hosts()))
      section.refuse("receive_hosts",
                     fmt::format("there is no host {}: the fabric has hosts 0 to {}", host, topology.hosts() - 1));
    c.receive_hosts.push_back({static_cast<std::uint32_t>(host)});
  }
  std::sort(c.receive_hosts.begin(), c.receive_hosts.end());
}

}  // namespace

AdapterConfig read_adapter(const Section& section, const Topology& topology, const SwitchConfig& switches,
                           const Workload& workload, Bytes largest) {
  AdapterConfig c;
  if (section.chooses("organisation", "auto")) {
    c.organisation = workload.flows.empty() ? AdapterOrganisation::fifo : AdapterOrganisation::per_flow;
  } else {
    c.organisation = section.choice<AdapterOrganisation>("organisation");
  }
  c.service = section.choice<AdapterService>("service");
  if (c.organisation == AdapterOrganisation::shared) c.service = AdapterService::oldest_first;
  c.queues = static_cast<std::uint32_t>(section.integer("queues"));
  c.memory = section.has("memory") ? section.bytes("memory") : 0;
  if (c.memory > 0 && c.memory < largest)
    section.refuse("memory",
                   fmt::format("{} B of adapter memory cannot hold the largest packet of {} B", c.memory, largest));
  c.queue_limit = section.has("queue_limit") ? section.bytes("queue_limit") : 0;
  if (c.queue_limit > 0 && c.queue_limit < largest)
    section.refuse("queue_limit",
                   fmt::format("a queue of {} B cannot hold the largest packet of {} B", c.queue_limit, largest));
  // Nothing leaves a queue within an instant, so each of them would have to be made, and refused, one by one.
  constexpr std::uint64_t kMostAtOnce = 10'000'000;
  for (const Source& source : workload.sources)
    if (c.queue_limit > 0 && std::isinf(source.packets_per_second) && source.packets > kMostAtOnce)
      section.refuse("queue_limit",
                     fmt::format("a burst of {} packets at one instant would find its queue full: give at most {} "
                                 "packets, or leave queue_limit out",
                                 source.packets, kMostAtOnce));
  read_receivers(section, topology, c);
  c.acks = section.flag("acks");
  c.ack_lane = static_cast<std::uint32_t>(section.integer("ack_lane"));
  check_lane(section, "ack_lane", c.ack_lane, switches);
  return c;
}

}  // namespace config
}  // namespace weir
