// A diagnosis as an operator sees it, on a screen of 24 lines, and whole, as JSON.
#pragma once
#include <string>

#include "manage/diagnose.h"

namespace weir {

double lost_to(const Topology& topology, const CongestionRoot& root);  // Gb/s, by all its victims
// "1 link is at the root of congestion; 12.3 Gb/s are held back (96 ports)"
std::string diagnosis_headline(const Topology& topology, const manage::Diagnosis& diagnosis);
std::string diagnosis_text(const Topology& topology, const manage::Diagnosis& diagnosis, bool colour);
std::string diagnosis_json(const Topology& topology, const manage::Diagnosis& diagnosis);

}  // namespace weir
