// Traces of applications: who sent how much to whom, when, and what had to happen before. weir's own formats: a table
// of messages (CSV), and GOAL schedules, which say for every rank what it sends, receives and computes, and in which
// order. Both become the same graph of messages and steps between ranks; add_trace() puts it on hosts.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/permutations.h"
#include "traffic/workload.h"

namespace weir {

// Of a time that a trace may write: picoseconds, some hours; sums of many stay far from the end of the range.
inline constexpr double kLongestOfTrace = 1e16;

// Where a line comes from ("byte 34"), in formats that have no lines and number their operations instead.
using PlaceOfLine = std::function<std::string(std::uint32_t line)>;

struct Trace {
  struct Message {
    std::uint32_t source = 0, destination = 0;  // ranks
    Bytes bytes = 0;
    Time time;  // start, counted from the beginning of the trace, or from the last condition
    std::uint32_t line = 0;
  };
  struct Step {
    Time duration;
    std::uint32_t line = 0;
    std::uint32_t rank = ~0u;  // whose step it is; none where several ranks meet
  };
  struct Condition {
    WorkNode node, before;  // of kind flow: a message of this trace
    Time delay;
    bool on_start = false;
    bool same_rank = false;  // `before` is a message that the rank itself has sent
  };
  std::string file;
  std::uint32_t ranks = 0;
  std::vector<Message> messages;
  std::vector<Step> steps;
  std::vector<Condition> conditions;
  std::vector<CollectiveRecord> collectives;  // first and last are messages of this trace
};

// A header line names the columns. time: when the message starts (a quantity, or a number of `unit`s); rows must not go
// back in time. source, destination: ranks. bytes: quantity. id: any name. after: ids of messages that must have been
// delivered before, several separated by blanks; delay: how long after the last of them. time, id, after and delay may
// be missing. A message that waits starts no sooner than its time. At most `ranks` ranks.
Trace parse_trace_csv(const std::string& file, std::string_view text, std::uint32_t ranks, Time unit);

// GOAL: num_ranks N, then rank R { ... } with `label: send 8b to 3 tag 1`, `recv 8b from 3 tag 1`, `calc 100` (in
// `unit`s), `a requires b` and `a irequires b` (a may begin when b is over, or has begun). Sends match receives with
// the same ranks and tag in the order in which they are written.
Trace parse_goal(const std::string& file, std::string_view text, Time unit, const PlaceOfLine& place = {});

struct TraceOptions {
  FlowBasics basics;              // app, class, lane, start, weight
  std::vector<HostId> hosts;      // of every rank
  std::vector<Rate> rates;        // of every host's link; for `injected`
  double time_scale = 1;          // all times of the trace are multiplied by it
  std::uint64_t after_received = 0;  // begin when so many data packets have been received
  std::uint32_t repeat = 1;
  Time period;            // from one beginning to the next
  // Messages of a rank to another one take turns on so many queue pairs, and ECMP knows these; 0: each one is a flow of
  // its own.
  std::uint32_t queue_pairs = 0;
  bool injected = false;  // a sender goes on when its message would be on the wire, not when it has been delivered
};
void add_trace(Workload& workload, const Trace& trace, const TraceOptions& options);

// Refuses conditions that go round in a circle, with the lines of the circle.
void check_trace(const Trace& trace, const PlaceOfLine& place = {});

}  // namespace weir
