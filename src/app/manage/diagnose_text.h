// A diagnosis as an operator sees it, on a screen of 24 lines, and whole, as JSON.
#pragma once
#include <string>

#include "manage/diagnose.h"

namespace weir {

std::string diagnosis_text(const Topology& topology, const manage::Diagnosis& diagnosis, bool colour);
std::string diagnosis_json(const Topology& topology, const manage::Diagnosis& diagnosis);

}  // namespace weir
