// Deriving the parameters of marking from a network, as sections 4.3, 5.3 and 8.2.2 of Ferrer 2012 do: thresholds from
// the mean occupancy of buffers under uniform traffic near saturation (which is searched for), the window from the
// round trip (calculated, and measured under that traffic), the waiting interval from the network's k and n.
#pragma once
#include <functional>
#include <vector>

#include "scenario/scenario.h"
#include "schemes/round_trip.h"

namespace weir {

// Uniform traffic from all hosts at one load, measured after it has settled.
struct UniformProbe {
  double load = 0;              // offered by every host, share of its link; whole packets
  double delivered = 0;         // the same of what arrived
  double input_share = 0;       // mean occupancy of the switches' input buffers
  double output_share = 0;      // and of their output buffers, or of the queues for links
  Time round_trip;              // mean, from injection to acknowledgement
  double window = 0;            // packets of mean size that fit into it
  double outstanding = 0;       // mean over flows that have any packet unacknowledged
  double outstanding_of_host = 0;  // mean over hosts that have any
  bool saturated() const { return delivered < 0.97 * load; }
};

struct CalibrationEffort {
  int settle_trips = 300;       // shortest round trips before measuring starts
  int measured_trips = 300;
  int search_steps = 7;         // of the bisection
  double near = 0.95;           // of the saturation load: where occupancy is taken
};

// `scenario` gives network, packets, switches and adapters; its own traffic is not used.
UniformProbe probe_uniform(const Scenario& scenario, double load, const CalibrationEffort& effort = {});

struct Calibration {
  RoundTrip trip;
  double largest_packet_window = 0;  // omega for the largest packets; trip.window is that of the smallest
  double saturation = 0;             // load
  UniformProbe near;                 // at effort.near of it
  std::vector<UniformProbe> search;  // in the order they were tried
};
Calibration calibrate(const Scenario& scenario, const CalibrationEffort& effort = {},
                      const std::function<void(double)>& progress = {});

}  // namespace weir
