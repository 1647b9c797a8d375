// What [packet] and [[traffic]] may say: the tables that the parser, `weir list` and the reference read.
#include <array>

#include "traffic/workload.h"

namespace weir {

namespace {

constexpr double kMaxSeconds = 1e6;
constexpr double kMaxBytes = 1e15;
constexpr double kMaxRate = 1e15;
constexpr double kMaxCount = 1e15;
constexpr double kMaxHost = 4e9;

constexpr std::array<std::string_view, 3> kPlacements{"even", "random", "first"};
constexpr std::array<std::string_view, 3> kArrivals{"constant", "bernoulli", "poisson"};
constexpr std::array<std::string_view, 2> kPer{"all-hosts", "these-hosts"};
constexpr std::array<std::string_view, 2> kCounts{"packet", "payload"};
constexpr std::array<std::string_view, 2> kOrders{"shifted", "at-once"};

template <std::size_t... N>
constexpr auto join(const std::array<ParamSpec, N>&... parts) {
  std::array<ParamSpec, (N + ...)> all{};
  std::size_t i = 0;
  const auto append = [&](const auto& part) {
    for (const ParamSpec& param : part) all[i++] = param;
  };
  (append(parts), ...);
  return all;
}

constexpr std::array kSelection{
    ParamSpec{"share", ParamType::fraction, "1", "share of the hosts that take part", 0, 1},
    ParamSpec{"placement", ParamType::choice, "even", "where they are: spread evenly, at random, or the first ones", 0,
              0, kPlacements},
    ParamSpec{"range", ParamType::integers, kUnset,
              "first and last host that may take part, as in [0, 15]; default: all", 0, kMaxHost},
    ParamSpec{"hosts", ParamType::integers, kUnset, "host numbers, from 0, instead of share and placement", 0,
              kMaxHost},
    ParamSpec{"except", ParamType::text, kUnset, "name of another traffic entry, whose hosts are left out"},
};

constexpr std::array kRates{
    ParamSpec{"load", ParamType::fraction, kUnset, "what each host sends, as a fraction of its link's rate", 0, 1000},
    ParamSpec{"rate", ParamType::rate, kUnset, "what each host sends", 0, kMaxRate},
    ParamSpec{"total_rate", ParamType::rate, kUnset, "what the whole network sends; see `per`", 0, kMaxRate},
    ParamSpec{"per", ParamType::choice, "all-hosts",
              "total_rate is divided by all hosts, or by the hosts of this entry", 0, 0, kPer},
    ParamSpec{"counts", ParamType::choice, "packet", "whether load and rates count whole packets or payload only", 0, 0,
              kCounts},
    ParamSpec{"arrivals", ParamType::choice, "poisson",
              "equal intervals; independent slots of one largest packet each; or exponential intervals", 0, 0,
              kArrivals},
    ParamSpec{"aligned", ParamType::flag, "false",
              "constant arrivals: all hosts begin at once instead of each at a random phase of its interval"},
};

constexpr std::array kSpread{
    ParamSpec{"spread", ParamType::time, "0s", "each host starts at a random moment within this time", 0, kMaxSeconds},
};

constexpr std::array kFlowBytes{
    ParamSpec{"bytes", ParamType::bytes, kUnset, "payload of each flow; default: endless", 1, kMaxBytes},
    ParamSpec{"weight", ParamType::number, "1", "weight of each flow, for schemes that know weights", kLeastWeight,
              kMostWeight},
};

constexpr std::array kTarget{
    ParamSpec{"target", ParamType::integer, kRequired, "the destination, a host number from 0", 0, kMaxHost},
};

constexpr auto kUniform =
    join(kSelection, kRates, kSpread,
         std::array{
             ParamSpec{"include_self", ParamType::flag, "false", "a host may draw itself as destination"},
             ParamSpec{"to", ParamType::integers, kUnset, "hosts that may be drawn as destinations; default: all", 0,
                       kMaxHost},
             ParamSpec{"avoid", ParamType::integers, kUnset, "hosts that are never drawn as destinations", 0, kMaxHost},
         });

constexpr auto kHotspot =
    join(kTarget, kSelection, kRates, kSpread,
         std::array{
             ParamSpec{"packets", ParamType::integer, kUnset,
                       "packets of all sources together, shared equally; default: endless", 1, kMaxCount},
             ParamSpec{"packets_each", ParamType::integer, kUnset, "packets of each source, instead of `packets`", 1,
                       kMaxCount},
         });

constexpr auto kBurst =
    join(kTarget, kSelection, kRates,
         std::array{
             ParamSpec{"packets", ParamType::integer, kRequired, "packets of each source", 1, kMaxCount},
             ParamSpec{"spread", ParamType::time, kRequired, "each source sends at a random moment within this time", 0,
                       kMaxSeconds},
         });

constexpr auto kPermutation = join(
    kSelection, kFlowBytes, kRates, kSpread,
    std::array{
        ParamSpec{"count", ParamType::integer, "1", "permutations superposed", 1, 1000},
        ParamSpec{"allow_self", ParamType::flag, "false", "a host may be its own partner (and then sends nothing)"},
        ParamSpec{"seed_offset", ParamType::integer, "0", "gives other permutations under the same seed", 0, 16777215},
    });

constexpr auto kShift =
    join(std::array{ParamSpec{"offset", ParamType::integer, "1",
                              "host i sends to host i + offset, counted round the group", -kMaxHost, kMaxHost}},
         kSelection, kFlowBytes, kRates, kSpread);

constexpr auto kIncast =
    join(kTarget,
         std::array{ParamSpec{"fan_in", ParamType::integer, kUnset, "number of senders; default: all other hosts", 1,
                              kMaxHost}},
         std::array{kSelection[1], kSelection[2], kSelection[3], kSelection[4]}, kFlowBytes, kSpread);

constexpr std::array kAllToAllOrder{
    ParamSpec{"order", ParamType::choice, "shifted",
              "all-to-all: a host sends to the next one, then to the one after it and so on; or to all at once", 0, 0,
              kOrders},
};
constexpr auto kAllToAll = join(kSelection, kFlowBytes, kAllToAllOrder);

constexpr std::array kFlows{
    ParamSpec{"file", ParamType::file, kUnset,
              "CSV with a header line: src,dst,bytes and any of start,weight,app,phase,id,after,class,lane; "
              "docs/traces.md describes the columns"},
    ParamSpec{"list", ParamType::rows, kUnset,
              "flows as rows of src, dst, bytes, start, weight, as in a file; the last two may be left out"},
};

constexpr auto kPhases = join(
    kSelection, kFlowBytes, kAllToAllOrder,
    std::array{
        ParamSpec{"phases", ParamType::integer, kRequired, "number of communication phases", 1, 1e6},
        ParamSpec{"compute", ParamType::time, "0s", "computing time between two phases", 0, kMaxSeconds},
        ParamSpec{"exchange", ParamType::texts, kUnset,
                  "what the phases do, in turn: permutation, shift, all-to-all; default: [\"permutation\"]"},
        ParamSpec{"count", ParamType::integer, "1", "permutations superposed in one phase", 1, 1000},
        ParamSpec{"offset", ParamType::integer, "1", "offset of shift phases", -kMaxHost, kMaxHost},
        ParamSpec{"seed_offset", ParamType::integer, "0", "gives other permutations under the same seed", 0, 16777215},
    });

constexpr std::array<std::string_view, 3> kTraceFormats{"auto", "csv", "goal"};
constexpr std::array<std::string_view, 3> kMappings{"linear", "spread", "list"};
constexpr std::array<std::string_view, 2> kSends{"delivered", "injected"};
constexpr std::array kTraceFile{
    ParamSpec{"file", ParamType::file, kRequired, "CSV of messages, or GOAL schedule; docs/traces.md describes both"},
    ParamSpec{"format", ParamType::choice, "auto", "what the file is", 0, 0, kTraceFormats},
    ParamSpec{"ranks", ParamType::integer, kUnset, "CSV: number of ranks; default: as many as there are hosts", 1,
              kMaxHost},
    ParamSpec{"mapping", ParamType::choice, "linear",
              "ranks on the hosts of this entry in order, spread evenly over them, or as `map` lists them", 0, 0,
              kMappings},
    ParamSpec{"map", ParamType::integers, kUnset, "host of every rank", 0, kMaxHost},
    ParamSpec{"time_unit", ParamType::time, "1ns", "what a plain number means as a time", 1e-12, 1},
    ParamSpec{"time_scale", ParamType::number, "1", "multiplies all times of the trace; below 1 it is compressed", 0,
              1e9},
    ParamSpec{"repeat", ParamType::integer, "1", "how often the trace is played", 1, 1e6},
    ParamSpec{"period", ParamType::time, kUnset, "from one beginning of the trace to the next", 0, kMaxSeconds},
    ParamSpec{"sends", ParamType::choice, "delivered",
              "GOAL: when a send is over for its rank: when the message has been delivered, or when the rank's link "
              "could have sent it",
              0, 0, kSends},
    ParamSpec{"weight", ParamType::number, "1", "weight of each message, for schemes that know weights", kLeastWeight,
              kMostWeight},
};
constexpr auto kTrace = join(kTraceFile, kSelection);

constexpr std::array kRandomFlows{
    ParamSpec{"min_flows", ParamType::integer, "1", "each host opens at least so many flows", 0, 1e6},
    ParamSpec{"max_flows", ParamType::integer, "1", "and at most so many; the number is drawn for each host", 1, 1e6},
    ParamSpec{"seed_offset", ParamType::integer, "0", "gives other flows under the same seed", 0, 16777215},
};
constexpr auto kRandom = join(kSelection, kFlowBytes, kSpread, kRandomFlows);

}  // namespace

std::vector<ParamSpec> packet_params() {
  return {
      {"payload", ParamType::bytes_list, "[2048]",
       "payload size of a packet, or several sizes; flows are cut into the first", 1, 1e9},
      {"shares", ParamType::numbers, kUnset, "how often each payload size occurs; default: equally often", 0, 1e9},
      {"header", ParamType::bytes, "0B", "added to every data packet", 0, 1e6},
      {"ack", ParamType::bytes, "22B", "whole size of an acknowledgement", 1, 1e6},
  };
}

std::vector<ParamSpec> traffic_common_params() {
  return {
      {"name", ParamType::text, kUnset, "what to call this entry; default: the pattern and its number"},
      {"class", ParamType::text, kUnset,
       "traffic class that it is measured under; default: hot for hotspot and burst, cold for what runs beside one, "
       "else all"},
      {"lane", ParamType::integer, "0", "virtual lane of its packets", 0, 7},
      {"start", ParamType::time, "0s", "start, counted from the beginning or from the start condition", 0, kMaxSeconds},
      {"stop", ParamType::time, kUnset, "open-loop sources stop here, counted like `start`; default: never", 0,
       kMaxSeconds},
      {"after_received", ParamType::integer, "0",
       "start condition of open-loop sources and traces: so many data packets received in the whole network", 0,
       kMaxCount},
      {"payload", ParamType::bytes_list, kUnset, "payload sizes of open-loop sources; default: those of [packet]", 1,
       1e9},
      {"shares", ParamType::numbers, kUnset, "how often each of these sizes occurs; default: equally often", 0, 1e9},
  };
}

std::vector<KindSpec> traffic_kinds() {
  return {
      {"uniform", "every host sends to destinations drawn at random, packet by packet", kUniform,
       "[[traffic]]\npattern = \"uniform\"\nload = 0.6\n"},
      {"hotspot", "a group of hosts sends to one destination; usually beside a uniform entry", kHotspot,
       "[[traffic]]\npattern = \"hotspot\"\nname = \"hot\"\ntarget = 0\nshare = \"20%\"\nload = 0.5\npackets = 1000\n"
       "after_received = 500\n\n[[traffic]]\npattern = \"uniform\"\nclass = \"cold\"\nexcept = \"hot\"\nload = 0.5\n"},
      {"burst", "each source sends a number of packets to one destination, at a random moment", kBurst,
       "[[traffic]]\npattern = \"burst\"\ntarget = 0\npackets = 100\nspread = \"1ms\"\n"},
      {"permutation", "random permutations: every host sends to one partner, or to several when superposed",
       kPermutation, "[[traffic]]\npattern = \"permutation\"\ncount = 2\nbytes = \"1MB\"\n"},
      {"shift", "every host sends to the one a fixed distance further on", kShift,
       "[[traffic]]\npattern = \"shift\"\noffset = 1\nload = 0.9\n"},
      {"random", "every host opens a random number of flows to random destinations", kRandom,
       "[[traffic]]\npattern = \"random\"\nmax_flows = 3\nbytes = \"1MB\"\n"},
      {"incast", "many hosts send a flow to one host at the same time", kIncast,
       "[[traffic]]\npattern = \"incast\"\ntarget = 0\nfan_in = 3\nbytes = \"100kB\"\n"},
      {"all-to-all", "every host of a group sends a flow to every other", kAllToAll,
       "[[traffic]]\npattern = \"all-to-all\"\nbytes = \"100kB\"\n"},
      {"flows", "flows given one by one, in a CSV file or in the scenario", kFlows,
       "[[traffic]]\npattern = \"flows\"\nlist = [[0, 1, \"1MB\"], [1, 2, \"1MB\", \"10us\"]]\n"},
      {"phases", "an application that computes and communicates in turn, with a barrier between phases", kPhases,
       "[[traffic]]\npattern = \"phases\"\nphases = 3\ncompute = \"10us\"\nexchange = [\"shift\", \"all-to-all\"]\n"
       "bytes = \"20kB\"\n"},
      {"trace", "messages of an application replayed from a file, with their dependencies", kTrace,
       "[[traffic]]\npattern = \"trace\"\nfile = \"application.csv\"\nmapping = \"spread\"\n"},
  };
}

}  // namespace weir
