// What `weir calibrate` says of the ECN thresholds that it suggests.
#pragma once
#include <string>

#include "run/calibrate_ecn.h"

namespace weir {

// Whether the pair is the last one that was tried, what it costs long flows, and what was not varied.
std::string suggestion_remarks(const EcnCalibration& calibration);

}  // namespace weir
