#include "run/other_words.h"

namespace weir {

namespace {

constexpr std::string_view kPfc = "choose priority flow control with flow_control = \"pfc\" in [switch]";
constexpr std::string_view kPriority =
    "a priority or traffic class is a lane: `lanes` in [switch] is the number of lanes, `lane` in [[traffic]] chooses "
    "one";
constexpr std::string_view kPacketSize = "the size of packets is `payload` in [packet]; `header` comes on top";

}  // namespace

std::span<const OtherWord> other_words_of_sections() {
  static constexpr std::string_view kHosts = "what hosts do is in [adapter]";
  static constexpr std::string_view kEcn =
      "marking by ECN belongs to [scheme], as kmin, kmax and pmax of name = \"dcqcn\"";
  static constexpr std::string_view kCongestion = "congestion control is in [scheme], as in name = \"dcqcn\"";
  static constexpr OtherWord kWords[] = {
      {"host", kHosts},
      {"hosts", kHosts},
      {"nic", kHosts},
      {"hca", kHosts},
      {"pfc", kPfc},
      {"ecn", kEcn},
      {"red", kEcn},
      {"wred", kEcn},
      {"roce", kCongestion},
      {"cc", kCongestion},
      {"congestion", kCongestion},
      {"congestion_control", kCongestion},
      {"qos", "shares of lanes are lane_weights in [switch], and lane in [[traffic]] chooses one"},
      {"buffer", "memory of switches is in [switch]: shared_buffer with flow_control = \"pfc\", otherwise buffer"},
      {"flows", "what the hosts send is in [[traffic]], as in pattern = \"flows\""},
      {"workload", "what the hosts send is in [[traffic]]"},
      {"network", "the fabric is in [topology], and its cables in [link]"},
      {"simulation", "when a run ends is in [run]"},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_topologies() {
  static constexpr std::string_view kFatTree =
      "fat trees are `k-ary-n-tree`, `leaf-spine` (two tiers) and `clos` (three tiers)";
  static constexpr OtherWord kWords[] = {
      {"fat-tree", kFatTree},
      {"fattree", kFatTree},
      {"folded-clos", kFatTree},
      {"xgft", kFatTree},
      {"spine-leaf", "did you mean `leaf-spine`?"},
      {"spineleaf", "did you mean `leaf-spine`?"},
      {"two-tier", "did you mean `leaf-spine`?"},
      {"crossbar", "did you mean `star`?"},
      {"rail", "did you mean `rail-optimised`?"},
      {"ring", "did you mean `torus` with one size, as in sizes = [8]?"},
      {"dumbbell", "did you mean `two-switch`?"},
      {"hypercube", "did you mean `hyperx` with sizes = [2, 2, 2]?"},
      {"butterfly", "did you mean `umin`?"},
      {"tors", "did you mean `leaves`?"},
      {"tor", "did you mean `leaves`?"},
      {"racks", "did you mean `leaves`?"},
      {"leafs", "did you mean `leaves`?"},
      {"hosts_per_leaf", "did you mean `hosts` (the number at each leaf)?"},
      {"hosts_per_tor", "did you mean `hosts` (the number at each leaf)?"},
      {"oversubscription", "it follows from `hosts`, `spines`, `bundle` and `uplink_rate`; `weir topo` prints it"},
      {"rate", "rates of cables are in [link]"},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_links() {
  static constexpr OtherWord kWords[] = {
      {"speed", "did you mean `rate`?"},
      {"bandwidth", "did you mean `rate`?"},
      {"capacity", "did you mean `rate`?"},
      {"latency", "did you mean `delay`?"},
      {"length", "give the `delay` of the cable: 5 ns for each metre"},
      {"mtu", kPacketSize},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_packets() {
  static constexpr OtherWord kWords[] = {
      {"mtu", "did you mean `payload`, as in payload = [4096]? `header` comes on top"},
      {"size", "did you mean `payload`, as in payload = [4096]? `header` comes on top"},
      {"dscp", kPriority},
      {"priority", kPriority},
      {"cos", kPriority},
      {"tc", kPriority},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_adapters() {
  static constexpr OtherWord kWords[] = {
      {"pfc", kPfc},
      {"mtu", kPacketSize},
      {"slow_receiver", "set `receive_rate`, and list the slow hosts in `receive_hosts`"},
      {"slow_receivers", "set `receive_rate`, and list the slow hosts in `receive_hosts`"},
      {"slow", "set `receive_rate`, and list the slow hosts in `receive_hosts`"},
      {"rx_rate", "did you mean `receive_rate`? List the slow hosts in `receive_hosts`"},
      {"drain_rate", "did you mean `receive_rate`? List the slow hosts in `receive_hosts`"},
      {"qps", "a queue pair is a flow: organisation = \"per-flow\""},
      {"rate", "the rate of the cable is `host_rate` in [link]; the rate of the traffic is in [[traffic]]"},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_failures() {
  static constexpr std::string_view kFailed =
      "cables and switches that are dead are listed in failed, as in failed = [\"S1\", \"L0 - S2\"]";
  static constexpr std::string_view kDegraded =
      "cables that are slow are listed in degraded, as in degraded = [\"L0 - S2\"]; degraded_to is their rate";
  static constexpr OtherWord kWords[] = {
      {"down", kFailed},    {"dead", kFailed},     {"links", kFailed}, {"cables", kFailed},
      {"switches", kFailed}, {"nodes", kFailed},    {"slow", kDegraded}, {"slow_links", kDegraded},
      {"rate", kDegraded},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_traffic() {
  static constexpr std::string_view kSizes =
      "flow sizes that follow a distribution: pattern = \"flow-arrivals\" with sizes = \"websearch\", \"fbhadoop\" or "
      "\"alistorage\"";
  static constexpr OtherWord kWords[] = {
      {"size", "did you mean `bytes`?"}, {"priority", kPriority}, {"prio", kPriority},
      {"tc", kPriority},       {"dscp", kPriority},     {"cos", kPriority},
      {"sl", kPriority},       {"vl", kPriority},       {"start_time", "did you mean `start`?"},
      {"websearch", kSizes},   {"fbhadoop", kSizes},    {"alistorage", kSizes},
  };
  return kWords;
}

}  // namespace weir
