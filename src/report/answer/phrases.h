// Phrases that more than one text uses: how a link is called, what a class is, the answer of a run in one sentence.
#pragma once
#include <optional>
#include <string>
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
std::string recovery_phrase(const Impact& impact);  // "recovered after 40 us"; empty where nothing had to
// What texts call the throughput of a class: after the warm-up, where there is one.
std::optional<double> throughput_of(const AnalysedRun& run, ClassId traffic_class);

// Saturated links often form a chain: what a full buffer lets through keeps the link before it busy. The one that most
// wait for may be in the middle; the root of the matter is the last one, where the chain ends. Where some classes are
// the disturbance, it is a chain that they cross, if there is one.
struct RootChain {
  std::vector<const CongestionRoot*> links;  // from the first one, which caused most waiting, to the last
  std::size_t victims = 0;                   // of all of them, each counted once
  Time caused_wait;
  bool of_disturbance = false;               // the disturbing classes cross it, by all that is known
  std::size_t others = 0;                    // roots beside it, for at least a tenth of its time

  const CongestionRoot& last() const { return *links.back(); }
};
RootChain root_chain(const AnalysedRun& run);  // there must be a root
// "2 other links are saturated for at least a tenth of that time (67 links in at least one interval)"; empty if there
// are no such links.
std::string other_roots(const AnalysedRun& run, const RootChain& chain);

// A link that is asked for more than it carries while its switch has memory enough to hold nobody back: packets queue
// there and latency rises, though the fabric has no root and no victim. Nothing where some port is held back, or where
// no latency rose.
struct QueueingLink {
  PortId port;
  Span from_to;     // first and last moment of full load
  double load = 0;  // in that time
};
std::optional<QueueingLink> queueing_link(const AnalysedRun& run);

// Where CongestionReport::coarse: what nobody knows then, and which setting would tell.
std::string unknown_root(const AnalysedRun& run);
std::string headline(const AnalysedRun& run);  // one sentence, no line break

}  // namespace weir
