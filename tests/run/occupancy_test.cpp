// What ports say about buffers and queues: bytes that have landed and not left, bytes that wait for a link, as exact
// means over the run.
#include <gtest/gtest.h>

#include "run/lab.h"

namespace weir {
namespace {

using testing::Star;

// Two hosts send a packet to host 0 at time 0: one starts at once, the other waits for it, 1 us.
Outcome two_senders(const std::string& switches, const std::string& run = "until = 'flows'\n") {
  Star star;
  star.hosts = 3;
  star.switches = "buffer = '1000B'\n" + switches;
  star.run = run;
  star.traffic = testing::flows(R"([1, 0, 1000, "0s"], [2, 0, 1000, "0s"])");
  return testing::run_text(star.text());
}

struct Ports {
  PortResult first, second, target;
};
Ports ports(const Outcome& run) {
  const Topology& topology = run.network->topology;
  const auto port = [&](PortId p) { return run.measurements.ports[p.index]; };
  return {port(topology.host_port({1})), port(topology.host_port({2})), port(topology.from(topology.host_port({0})))};
}

TEST(Occupancy, OfTwoPacketsThatMeet) {
  for (const char* organisation : {"voq-input", "output-queued"}) {
    const Ports p = ports(two_senders(fmt::format("organisation = '{}'\n", organisation)));
    EXPECT_EQ(p.first.mean_input_bytes, 500);  // 1000 bytes for 1 us of 2
    EXPECT_EQ(p.second.mean_input_bytes, 1000);
    EXPECT_EQ(p.first.peak_input_bytes, 1000u);
    EXPECT_EQ(p.second.peak_input_bytes, 1000u);
    EXPECT_EQ(p.target.mean_output_bytes, 500);   // the second packet waits for 1 us
    EXPECT_EQ(p.target.peak_output_bytes, 2000u);  // with the one on the wire
  }
}

TEST(Occupancy, EndsAtTheHeadWhereSlotsAreFreedThere) {
  const Ports p = ports(two_senders("release = 'head'\n"));
  EXPECT_EQ(p.first.mean_input_bytes, 0);
  EXPECT_EQ(p.first.peak_input_bytes, 0u) << "it has not stood there for any time";
  EXPECT_EQ(p.second.mean_input_bytes, 500);
  EXPECT_EQ(p.second.peak_input_bytes, 1000u);
}

// A link twice as fast as the crossbar's input: the packet leaves its input when the crossbar comes free.
TEST(Occupancy, OfACrossbarEndsWhenTheCrossbarComesFree) {
  const Ports p = ports(two_senders("organisation = 'fifo-in-out'\noutput_buffer = '2000B'\nspeedup = 1\n"));
  EXPECT_EQ(p.first.mean_input_bytes, 500);
  EXPECT_EQ(p.second.mean_input_bytes, 1000);
}

TEST(Occupancy, DoesNotCountBeyondTheEnd) {
  // At 0.5 us both packets stand there, and the second has waited since the beginning.
  const Ports p = ports(two_senders("", "duration = '500ns'\n"));
  EXPECT_EQ(p.first.mean_input_bytes, 1000);
  EXPECT_EQ(p.second.mean_input_bytes, 1000);
  EXPECT_EQ(p.target.mean_output_bytes, 1000);
  EXPECT_EQ(p.target.busy.ps, 500 * testing::kNs);
}

// Nobody looks at a run that only waits: its ticks become rare.
TEST(Ticks, BecomeRarerWhereTheEndIsNotKnown) {
  for (const int frames : {0, 8}) {
    Star star;
    star.traffic = testing::flows(R"([0, 1, 1000, "1s"])");
    const Measurements m =
        testing::run_text(star.text() + fmt::format("[measure]\nframes = {}\n", frames)).measurements;
    EXPECT_EQ(m.end.ps, 1'000'001 * testing::kUs);
    EXPECT_LT(m.totals.events, 2000u) << "not one per 20 packet times";
    if (frames == 0) continue;
    ASSERT_GE(m.frames.size(), 8u);
    ASSERT_LT(m.frames.size(), 16u);
    for (std::size_t f = 1; f < m.frames.size(); ++f)
      EXPECT_EQ((m.frames[f].at - m.frames[f - 1].at).ps, m.frames[0].at.ps);
  }
}

}  // namespace
}  // namespace weir
