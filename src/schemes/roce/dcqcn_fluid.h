// DCQCN without packets (Zhu et al. 2016): N equal flows share one link, and rate, target, alpha and queue change
// continuously. CNPs and increases are their expected numbers.
//
// As published, the chance that a timer (or F + 1 of them) ran out without a CNP is taken from the marking probability
// of one moment. A sender needs (F + 1) T for it, during which the probability changes. With `memory`, the chance is
// that of the marks that really came in this time.
//
// As published, flows get marks as often as they send. With `departing`, they get them as often as the link serves
// them, as if packets were marked when they leave the queue.
#pragma once
#include "schemes/roce/ecn.h"

namespace weir::dcqcn {

struct Fluid {
  double flows = 2;
  double link = 40e9;        // bit/s
  double packet = 1000;      // bytes
  double delay = 4e-6;       // of the loop: from a mark until the changed rate arrives at the queue
  RedThresholds red;
  double pmax = 0.01;
  double cnp_interval = 50e-6, alpha_interval = 55e-6, timer = 55e-6;
  double byte_counter = 10e6, gain = 1.0 / 256, threshold = 5, additive = 40e6;
  bool memory = false, departing = false;
};

struct FluidResult {
  double mean = 0, deviation = 0, least = 0, most = 0;  // of the queue, bytes
  double marked = 0;                                    // mean probability of a mark
  double alpha = 0;
};

// All flows start at the rate of the link. Of the time until `end`, the part before `warmup` is left out.
FluidResult solve(const Fluid& model, double warmup, double end);

}  // namespace weir::dcqcn
