// Phrases that more than one text uses: how a link is called, what a class is, the answer of a run in one sentence.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/run_record.h"

namespace weir {

std::string link_name(const Topology& topology, PortId port);        // "S12:3 -> host5"
std::string joined_with_and(const std::vector<std::string>& names);  // "a, b and c"
std::string quoted_name(const std::string& name);                    // "`hot`"
std::string named_classes(const std::vector<std::string>& names);    // "class `hot`", "classes `base` and `hot`"
std::vector<std::string> class_names(const AnalysedRun& run, bool aggressor);
std::optional<ClassId> class_called(const AnalysedRun& run, const std::string& name);
// The one of these classes whose latency the event raised most.
std::optional<ClassId> most_raised(const AnalysedRun& run, const std::vector<std::string>& names);
inline constexpr double kNotableRise = 1.2;  // of the latency, by the event
// "class `hot` may not be the cause: the latency also rises while it does not send"; empty where nothing else can be
// the reason.
std::string rises_by_itself(const AnalysedRun& run, ClassId traffic_class);
// "back to normal 40 us after the disturbance began"; empty where nothing had to recover.
std::string recovery_phrase(const Impact& impact);
// What texts call the throughput of a class: after the warm-up, where there is one.
std::optional<double> throughput_of(const AnalysedRun& run, ClassId traffic_class);

// The root that caused most waiting, and what it belongs to: saturated links often form a chain, since a full link
// keeps the link before it busy. The one that most wait for may be in the middle; the root of the matter is the last
// one, where the chain ends. Links count as a chain only where it is known that the same traffic crosses them.
struct RootChain {
  std::vector<const CongestionRoot*> links;  // that lead to the last one, which is the last here, too
  PortId end;                                // the last one, or the full link to the host that all of it goes to
  std::size_t victims = 0;                   // of all of them, each counted once
  Time caused_wait;
  double share = 1;                          // of all waiting in the fabric

  const CongestionRoot& last() const { return *links.back(); }
};
RootChain root_chain(const AnalysedRun& run);  // there must be a root
// "next: ib8:8 -> ib1 (12.0 %), ib1:31 -> ib7 (8.00 %); in the whole fabric, 67 links are saturated at some time":
// roots beside the chain, and their shares of all waiting; empty if there are none. That they are shares of it is added
// unless the text before has said it.
std::string other_roots(const AnalysedRun& run, const RootChain& chain, bool of_is_said);
// What roots do not explain, where it is much: "; 73.3 % of the waiting has another cause than ...".
std::string unexplained_clause(const AnalysedRun& run);

// Where no chain explains 40 % of the waiting, and no slow host is the worst cause: the level of links whose roots
// caused most of it together.
struct RootLevel {
  std::string links;        // "links between leaves and spines"
  bool to_hosts = false;
  std::size_t count = 0;    // roots there
  double share = 0;         // of all waiting
  const CongestionRoot* worst = nullptr;
  double worst_share = 0;   // of all waiting
  double rest_share = 0;    // of all waiting: by roots elsewhere
};
std::optional<RootLevel> root_level(const AnalysedRun& run, const RootChain& chain);
// "61.9 % of all waiting; the worst of them, L3:3 -> H27, causes 21.3 %; other saturated links cause 30.2 %"
std::string level_shares(const AnalysedRun& run, const RootLevel& level);

// The link of a host that takes packets in too slowly, where that caused a notable part (5 %) of the waiting, or held
// its link back for such a part of the run, whatever other congestion there is.
const CongestionRoot* slow_receiver(const AnalysedRun& run);
std::size_t ports_held_back(const AnalysedRun& run);  // with and without a root
// Where the latency of packets of flows begins, and what is not in it; empty where there are no flows. `elsewhere`:
// what the rest counts in.
std::string latency_of_flows(const AnalysedRun& run, std::string_view elsewhere);
Time total_waiting(const AnalysedRun& run);           // of all victims, with and without a root
// The host that receives nearly all (90 %) of what the disturbing classes send; nothing if there is no such host.
std::optional<HostId> common_receiver(const AnalysedRun& run);

// Where CongestionReport::coarse: what nobody knows then, and which setting would tell.
std::string unknown_root(const AnalysedRun& run);
// "all flows were complete", "deadlock (S1:2 -> S2:0 -> S1:2)"
std::string why_ended(const AnalysedRun& run);
std::string ending_title(Ending ending);                // the same in a cell of a table
std::string number_title(const std::string& name);      // of a number that a scheme tells, in more words than its name
std::string headline(const AnalysedRun& run);  // one sentence, no line break

}  // namespace weir
