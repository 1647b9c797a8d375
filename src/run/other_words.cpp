#include "run/other_words.h"

namespace weir {

namespace {

constexpr std::string_view kPfc = "choose priority flow control with flow_control = \"pfc\" in [switch]";
constexpr std::string_view kPriority =
    "a priority or traffic class is a lane: lanes in [switch] says how many there are, lane in [[traffic]] which one";
constexpr std::string_view kPacketSize = "the size of packets is payload in [packet], and header comes on top";

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
      {"spine-leaf", "it is `leaf-spine`"},
      {"spineleaf", "it is `leaf-spine`"},
      {"two-tier", "it is `leaf-spine`"},
      {"crossbar", "it is `star`"},
      {"rail", "it is `rail-optimised`"},
      {"ring", "it is `torus` with one size, as in sizes = [8]"},
      {"dumbbell", "it is `two-switch`"},
      {"hypercube", "it is `hyperx` with sizes = [2, 2, 2]"},
      {"butterfly", "it is `umin`"},
      {"tors", "they are leaves"},
      {"tor", "they are leaves"},
      {"racks", "they are leaves"},
      {"leafs", "they are leaves"},
      {"hosts_per_leaf", "it is hosts, the number at each leaf"},
      {"hosts_per_tor", "it is hosts, the number at each leaf"},
      {"oversubscription", "it follows from hosts, spines, bundle and uplink_rate; `weir topo` says how much it is"},
      {"rate", "rates of cables are in [link]"},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_links() {
  static constexpr OtherWord kWords[] = {
      {"speed", "it is rate"},
      {"bandwidth", "it is rate"},
      {"capacity", "it is rate"},
      {"latency", "it is delay"},
      {"length", "give its delay: 5 ns for each metre"},
      {"mtu", kPacketSize},
  };
  return kWords;
}

std::span<const OtherWord> other_words_of_packets() {
  static constexpr OtherWord kWords[] = {
      {"mtu", "it is payload, as in payload = [4096], and header comes on top"},
      {"size", "it is payload, as in payload = [4096], and header comes on top"},
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
      {"slow_receiver", "give receive_rate, and receive_hosts for those that have it"},
      {"slow_receivers", "give receive_rate, and receive_hosts for those that have it"},
      {"slow", "give receive_rate, and receive_hosts for those that have it"},
      {"rx_rate", "it is receive_rate, and receive_hosts says for which hosts"},
      {"qps", "a queue pair is a flow: organisation = \"per-flow\""},
      {"rate", "it is link.host_rate; what traffic sends is in [[traffic]]"},
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
      "it is a distribution of sizes: pattern = \"flow-arrivals\" with sizes = \"websearch\", \"fbhadoop\" or "
      "\"alistorage\"";
  static constexpr OtherWord kWords[] = {
      {"size", "it is bytes"}, {"priority", kPriority}, {"prio", kPriority},
      {"tc", kPriority},       {"dscp", kPriority},     {"cos", kPriority},
      {"sl", kPriority},       {"vl", kPriority},       {"start_time", "it is start"},
      {"websearch", kSizes},   {"fbhadoop", kSizes},    {"alistorage", kSizes},
  };
  return kWords;
}

}  // namespace weir
