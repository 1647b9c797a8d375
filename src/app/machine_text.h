// Where and when: what a table of measurements must say about itself. Results of runs do not contain it.
#pragma once
#include <string>

namespace weir {

std::string machine_text();  // processor and cores, memory, system; no host name
std::string date_text();     // "2026-01-31", UTC

}  // namespace weir
