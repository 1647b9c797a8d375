// A diagnosis as an operator sees it, on a screen of 24 lines, and whole, as JSON.
#pragma once
#include <string>
#include <vector>

#include "manage/diagnosis/diagnose.h"
#include "report/terminal/table.h"

namespace weir {

// "15 hosts and 6 switch ports"
std::string hosts_and_switch_ports(const Topology& topology, const std::vector<PortId>& ports);
// "1 link is the root of congestion. It holds back 15 hosts and 6 switch ports"
std::string diagnosis_headline(const Topology& topology, const manage::Diagnosis& diagnosis);
// "384 ports read over 10.0 s. Busiest link: leaf1:3, 98.2 %."; where this does not fit the waiting, why.
std::string time_of_diagnosis(const Topology& topology, const manage::Diagnosis& diagnosis);
// That a port which is held back may send into the root or not; empty where none is.
std::string what_counters_do_not_tell(const Topology& topology, const manage::Diagnosis& diagnosis);
// About ports that wait without a root; empty where there are none.
std::string unexplained_text(const Topology& topology, const manage::Diagnosis& diagnosis);
// What to try against the roots; the same in the terminal and on the page.
std::vector<std::string> remedies_for(const Topology& topology, const manage::Diagnosis& diagnosis);
std::string diagnosis_text(const Topology& topology, const manage::Diagnosis& diagnosis, const TextStyle& style);
std::string diagnosis_json(const Topology& topology, const manage::Diagnosis& diagnosis);

}  // namespace weir
