// What `weir calibrate` says of the ECN thresholds that it suggests.
#pragma once
#include <string>

#include "run/calibrate_ecn.h"

namespace weir {

// Which pair is suggested and why, what it costs long flows, and what was not tried.
std::string suggestion_text(const EcnCalibration& calibration);

}  // namespace weir
