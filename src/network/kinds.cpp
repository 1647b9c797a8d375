// What the sections [topology], [link] and [routing] may say: the tables from which the parser, the help texts and the
// reference are made. topology_section.cpp and routing_section.cpp read the same keys.
#include "network/network.h"

namespace weir {

namespace {

constexpr ParamSpec kTreeParams[] = {
    {"k", ParamType::integer, "4", "down ports of a switch, and up ports below the top level", 2, 4096},
    {"n", ParamType::integer, "3", "levels of switches; there are k^n hosts", 1, 22},
};

constexpr ParamSpec kModifiedTreeParams[] = {
    {"k", ParamType::integer, "4", "down ports of a switch, and up ports below the top level", 2, 4096},
    {"n", ParamType::integer, "3", "levels of switches; there are k^n hosts", 1, 22},
    {"width", ParamType::integer, "2", "parallel links between neighbours of one logical node", 1, 64},
};

constexpr ParamSpec kUminParams[] = {
    {"k", ParamType::integer, "4", "inputs and outputs of a switch", 2, 4096},
    {"n", ParamType::integer, "3", "stages; there are k^n hosts", 1, 22},
};

constexpr ParamSpec kBminParams[] = {
    {"k", ParamType::integer, "4", "left ports of a switch, and right ports before the last stage", 2, 4096},
    {"n", ParamType::integer, "3", "stages", 1, 22},
    {"hosts", ParamType::integer, kUnset,
     "number of hosts; k^n if absent, fewer where k and hosts are powers of two (512 with k = 4 and n = 5)", 2,
     4194304},
};

constexpr ParamSpec kTorusParams[] = {
    {"sizes", ParamType::integers, "[8, 8]", "switches along each dimension; two of them are joined by one cable", 2,
     4096},
    {"hosts", ParamType::integer, "1", "hosts at each switch", 1, 4096},
};

constexpr ParamSpec kTwoSwitchParams[] = {
    {"left", ParamType::integer, "4", "hosts at the first switch", 1, 1000000},
    {"right", ParamType::integer, "4", "hosts at the second switch", 1, 1000000},
    {"links", ParamType::integer, "1", "parallel links between the switches", 1, 4096},
    {"middle_rate", ParamType::rate, kUnset,
     "rate of the links between the switches; link.rate if absent, and with the same limits in a run", 1, 1e15},
    {"middle_delay", ParamType::time, kUnset,
     "delay of the links between the switches; link.delay if absent, and with the same limits in a run", 0, 1},
};

constexpr ParamSpec kStarParams[] = {
    {"hosts", ParamType::integer, "8", "hosts at the switch", 2, 1000000},
};

constexpr ParamSpec kGraphParams[] = {
    {"hosts", ParamType::texts, kRequired, "names of the hosts"},
    {"switches", ParamType::texts, kRequired, "names of the switches; \"S1:36\" allows 36 ports at most"},
    {"links", ParamType::rows, kRequired,
     "one row per link: both ends, each with a port number if wanted (\"S1:15\"), then optionally a rate, a delay and "
     "a "
     "number of parallel links (\"x3\"), in any order"},
};

constexpr std::string_view kFileFormats[] = {"auto", "ibnetdiscover", "ibdm"};
constexpr ParamSpec kFileParams[] = {
    {"path", ParamType::file, kRequired, "file that describes the fabric"},
    {.name = "format",
     .type = ParamType::choice,
     .fallback = "\"auto\"",
     .help = "what the file is: a dump of `ibnetdiscover`, or a topology or cable file of ibdm",
     .choices = kFileFormats},
};

constexpr ParamSpec kLinkParams[] = {
    {"rate", ParamType::rate, "\"8Gbps\"",
     "rate of every link direction; a run of packets needs 100kbps or more, `weir rates` does not", 1, 1e15},
    {"delay", ParamType::time, "\"1ns\"",
     "propagation delay of every link; in a run, 4ms at most together with switch.route_delay and switch.switch_delay "
     "(or with switch.credit_delay, if that is more)",
     0, 1},
    {"host_rate", ParamType::rate, kUnset,
     "rate of the links between hosts and switches; rate if absent, and with the same limits", 1, 1e15},
    {"host_delay", ParamType::time, kUnset,
     "delay of the links between hosts and switches; delay if absent, and with the same limits", 0, 1},
};

constexpr std::string_view kUpChoices[] = {"destination", "source", "hash"};
constexpr ParamSpec kDigitsParams[] = {
    {.name = "up",
     .type = ParamType::choice,
     .fallback = "\"destination\"",
     .help = "whose digits choose the way up in a bmin (elsewhere always the destination's)",
     .choices = kUpChoices},
};

constexpr std::string_view kRingLaneChoices[] = {"dateline", "none"};
constexpr ParamSpec kDimensionOrderParams[] = {
    {.name = "lanes",
     .type = ParamType::choice,
     .fallback = "\"dateline\"",
     .help = "dateline: two lanes cut every ring, so that packets cannot wait for each other in a circle; none: "
             "packets keep their lane, and rings of four switches and more can deadlock",
     .choices = kRingLaneChoices},
};

constexpr std::string_view kDetourChoices[] = {"none", "all", "two-way"};
constexpr ParamSpec kShortestPathsParams[] = {
    {.name = "detours",
     .type = ParamType::choice,
     .fallback = "\"all\"",
     .help =
         "alternatives beside all shortest paths: none; all: also longer ways that keep the routes to each destination "
         "free of loops; two-way: of these, only ways that notifications can return along",
     .choices = kDetourChoices},
};

constexpr ParamSpec kMinHopParams[] = {
    {"spread", ParamType::flag, "false", "spread destinations over equally short ways; otherwise the lowest port wins"},
};

constexpr ParamSpec kUpDownParams[] = {
    {"root", ParamType::text, kUnset,
     "name of the root switch; if absent, the top level of a tree or bmin, else the switch nearest to all others"},
    {"spread", ParamType::flag, "true", "spread destinations over equally short ways; otherwise the lowest port wins"},
};

}  // namespace

std::vector<KindSpec> topology_kinds() {
  return {
      {"k-ary-n-tree", "fat tree: k^n hosts, n levels of k^(n-1) switches with 2k ports", kTreeParams,
       "[topology]\nkind = \"k-ary-n-tree\"\nk = 16\nn = 3\n"},
      {"modified-k-ary-n-tree", "fat tree with chains of horizontal links inside each logical node",
       kModifiedTreeParams, "[topology]\nkind = \"modified-k-ary-n-tree\"\nk = 16\nn = 3\nwidth = 2\n"},
      {"umin", "unidirectional butterfly, the k-ary n-fly", kUminParams, "[topology]\nkind = \"umin\"\nk = 4\nn = 4\n"},
      {"bmin", "bidirectional perfect-shuffle multistage network", kBminParams,
       "[topology]\nkind = \"bmin\"\nk = 4\nn = 5\nhosts = 512\n"},
      {"torus", "switches on a grid of any number of dimensions, each closed to rings; set switch.lanes = 2",
       kTorusParams, "[topology]\nkind = \"torus\"\nsizes = [4, 4, 8]\nhosts = 2\n"},
      {"two-switch", "two switches with hosts on both sides", kTwoSwitchParams,
       "[topology]\nkind = \"two-switch\"\nleft = 4\nright = 2\nlinks = 1\nmiddle_rate = \"10Gbps\"\n"},
      {"star", "one switch", kStarParams, "[topology]\nkind = \"star\"\nhosts = 16\n"},
      {"graph", "any graph, with parallel links and mixed speeds", kGraphParams,
       "[topology]\nkind = \"graph\"\nhosts = [\"H1\", \"H2\"]\nswitches = [\"S1\", \"S2:36\"]\n"
       "links = [[\"H1\", \"S1\"], [\"H2\", \"S2\"], [\"S1:15\", \"S2:20\", \"32Gbps\", \"10ns\"], "
       "[\"S1\", \"S2\", \"x2\"]]\n"},
      {"file", "a fabric from a file: ibnetdiscover dump or ibdm topology; rates from the cables' speeds", kFileParams,
       "[topology]\nkind = \"file\"\npath = \"cluster.topo\"\n"},
  };
}

std::vector<KindSpec> routing_kinds() {
  return {
      {"auto", "digits on trees and multistage networks, dor on tori, up-down on graphs", {},
       "[routing]\nkind = \"auto\"\n"},
      {"digits", "digit arithmetic for trees and multistage networks; no table", kDigitsParams,
       "[routing]\nkind = \"digits\"\n"},
      {"dor", "dimension order on a torus, the shorter way round each ring; needs switch.lanes = 2",
       kDimensionOrderParams, "[routing]\nkind = \"dor\"\n"},
      {"shortest-paths", "all loop-free alternatives per destination, nearest first; for adaptive routing on any graph",
       kShortestPathsParams, "[routing]\nkind = \"shortest-paths\"\ndetours = \"none\"\n"},
      {"min-hop", "fewest switches, one port per destination", kMinHopParams,
       "[routing]\nkind = \"min-hop\"\nspread = true\n"},
      {"up-down", "up*/down*: never up after down, so never a deadlock; for full-duplex links", kUpDownParams,
       "[routing]\nkind = \"up-down\"\n"},
  };
}

std::vector<ParamSpec> link_params() { return {std::begin(kLinkParams), std::end(kLinkParams)}; }

}  // namespace weir
