// Why a scheme never acted, in words. Whoever compares schemes must not take one whose set-point was never reached for
// one that does not help. Each scheme counts what it did; if that was nothing, one of these goes to
// Measurements::scheme_idle, where it follows "qcn never acted: ".
#pragma once
#include <cstdint>
#include <string>

#include "base/units.h"
#include "schemes/marking/detection.h"

namespace weir::idle {

std::string window(std::uint32_t limit, std::uint32_t most_outstanding);

struct Sampled {
  Bytes longest = 0;   // queue that was seen
  Bytes capacity = 0;  // of a queue, in bytes; 0: as much as the buffers behind it
  Bytes equilibrium = 0, interval = 0;
  std::uint64_t notifications = 0;  // sent
};
std::string notification(const Sampled& s);

std::string marking(const marking::DetectionConfig& detection, std::uint64_t marks);

struct EcnCounts {
  Bytes longest = 0, kmin = 0;  // of the queue that came nearest to kmin of its link
  std::uint64_t marks = 0, cnps = 0;  // made; received
};
std::string ecn(const EcnCounts& c);

// `echoed`: telemetry that came back.
std::string hpcc(std::uint64_t echoed, double eta);

std::string timely(std::uint64_t measured, Time longest, Time t_low);

struct FecnCounts {
  Bytes longest = 0;    // queue of a switch port
  Bytes threshold = 0;  // lowest of all ports; negative: no port has one
  Time congested;       // all ports together
  std::uint32_t marking_rate = 0;
  std::uint64_t marked = 0;
};
std::string infiniband(const FecnCounts& c);
struct ManagerCounts {
  std::uint64_t sweeps = 0;
  Time period;      // of sweeps while all is calm
  Time run;         // length of the run
};
// The manager of dcms; `ports` is the reason of the ports, empty if they have marked.
std::string manager(const ManagerCounts& c, const std::string& ports);

// `train`: packets in a row that make random traffic a flow; 0 where flows are given.
std::string explicit_rates(std::uint64_t flows, std::uint32_t train, Time idle);

}  // namespace weir::idle
