// A small vocabulary with every type of key, kinds with and without defaults, and a repeated section, for the tests of
// the scenario layer and its fuzz target.
#pragma once
#include "scenario/spec.h"

namespace weir::testing_vocabulary {

inline constexpr std::string_view kArrivals[] = {"constant", "bernoulli", "poisson"};
inline constexpr std::string_view kLevels[] = {"low", "high"};

inline constexpr ParamSpec kTree[] = {
    {.name = "k", .type = ParamType::integer, .fallback = kRequired, .help = "ports down", .min = 2, .max = 64},
    {.name = "n", .type = ParamType::integer, .fallback = "3", .help = "levels", .min = 1, .max = 8},
};
inline constexpr ParamSpec kGraph[] = {
    {.name = "links", .type = ParamType::rows, .fallback = kRequired, .help = "pairs of nodes, with an optional rate"},
    {.name = "nodes", .type = ParamType::texts, .fallback = "[]", .help = "names of nodes"},
    {.name = "weights", .type = ParamType::numbers, .fallback = kUnset, .help = "one per link", .min = 0},
    {.name = "ports", .type = ParamType::integers, .fallback = "[1, 2]", .help = "port numbers", .min = 0, .max = 255},
};
inline constexpr ParamSpec kImport[] = {
    {.name = "file", .type = ParamType::file, .fallback = kRequired, .help = "a dump of the fabric"},
};
inline constexpr ParamSpec kAdaptive[] = {
    {.name = "threshold", .type = ParamType::bytes, .fallback = "2KiB", .help = "queue that is avoided"},
};
inline constexpr ParamSpec kHotspot[] = {
    {.name = "target", .type = ParamType::integer, .fallback = kRequired, .help = "the hot host", .min = 0},
    {.name = "start", .type = ParamType::time, .fallback = "0s", .help = "begin of the pulse"},
    {.name = "sizes", .type = ParamType::bytes_list, .fallback = R"(["1kB"])", .help = "packet sizes", .min = 1},
};
inline constexpr ParamSpec kWindow[] = {
    {.name = "packets",
     .type = ParamType::integer,
     .fallback = "4",
     .help = "packets in flight | per flow",
     .min = 1,
     .max = 64},
    {.name = "level", .type = ParamType::choice, .fallback = "low", .help = "a choice", .choices = kLevels},
};
inline constexpr ParamSpec kMarking[] = {
    {.name = "threshold",
     .type = ParamType::bytes,
     .fallback = "4KiB",
     .help = "queue that marks",
     .min = 64,
     .max = 1e6},
    {.name = "gain", .type = ParamType::number, .fallback = "0.5", .help = "gain", .min = -1, .max = 1},
    {.name = "packets", .type = ParamType::integer, .fallback = "8", .help = "packets per slot", .min = 1, .max = 64},
    {.name = "level", .type = ParamType::integer, .fallback = "1", .help = "another type than the window's level"},
};

inline SectionSpec top() {
  SectionSpec section{.name = "", .summary = "Keys at the top."};
  section.common = {{.name = "duration",
                     .type = ParamType::time,
                     .fallback = "1ms",
                     .help = "simulated time",
                     .min = 15e-9,
                     .max = 3600}};
  return section;
}

inline SectionSpec topology() {
  SectionSpec section{.name = "topology", .summary = "The fabric.", .selector = "kind", .required = true};
  section.kinds = {
      {"tree", "k-ary n-tree", kTree, "[topology]\nkind = 'tree'\nk = 4\n"},
      {"graph", "any graph", kGraph, "[topology]\nkind = 'graph'\nlinks = [['a', 'b']]\n"},
      {"import", "a fabric from a file", kImport, {}},
  };
  return section;
}

inline SectionSpec link() {
  SectionSpec section{.name = "link", .summary = "All links."};
  section.common = {
      {.name = "rate",
       .type = ParamType::rate,
       .fallback = "8Gbps",
       .help = "speed of a link",
       .min = 1e3,
       .max = 1e12},
      {.name = "delay", .type = ParamType::time, .fallback = "15ns", .help = "propagation"},
      {.name = "buffer", .type = ParamType::bytes, .fallback = "2kB", .help = "bytes at the receiving end"},
      {.name = "credits", .type = ParamType::flag, .fallback = "true", .help = "credits or PAUSE"},
      {.name = "speedup", .type = ParamType::number, .fallback = "inf", .help = "inside the switch", .min = 1},
  };
  return section;
}

inline SectionSpec routing() {
  SectionSpec section{.name = "routing", .summary = "The routing.", .selector = "name", .default_kind = "digit"};
  section.kinds = {{"digit", "destination digits", {}, {}}, {"adaptive", "least loaded port", kAdaptive, {}}};
  return section;
}

inline SectionSpec traffic() {
  SectionSpec section{.name = "traffic", .summary = "The traffic.", .selector = "pattern", .repeated = true};
  section.common = {
      {.name = "name", .type = ParamType::text, .fallback = kUnset, .help = "class of the traffic"},
      {.name = "load", .type = ParamType::fraction, .fallback = "0.5", .help = "share of the link", .min = 0, .max = 1},
      {.name = "arrival", .type = ParamType::choice, .fallback = "poisson", .help = "pace", .choices = kArrivals},
  };
  section.kinds = {
      {"uniform", "to all alike", {}, "[[traffic]]\npattern = 'uniform'\n"},
      {"hotspot", "all to one", kHotspot, "[[traffic]]\npattern = 'hotspot'\ntarget = 0\n"},
  };
  return section;
}

inline SectionSpec scheme() {
  SectionSpec section{.name = "scheme", .summary = "Management.", .selector = "name", .default_kind = "none"};
  section.kinds = {
      {"none", "no management", {}, "[scheme]\nname = 'none'\n"},
      {"window", "static window", kWindow, "[scheme]\nname = 'window'\npackets = 2\n"},
      {"marking", "packet marking", kMarking, {}},
  };
  return section;
}

inline SectionSpec probe() {
  SectionSpec section{.name = "probe", .summary = "An optional section that has no defaults."};
  section.common = {{.name = "host", .type = ParamType::integer, .fallback = kRequired, .help = "the host to watch"}};
  return section;
}

inline Vocabulary make() { return {{top(), topology(), link(), routing(), traffic(), scheme(), probe()}}; }

}  // namespace weir::testing_vocabulary

namespace weir {

inline const Vocabulary kVocabulary = testing_vocabulary::make();

}  // namespace weir
