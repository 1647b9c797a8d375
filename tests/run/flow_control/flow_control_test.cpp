// Credits and PAUSE: how fast a link can be with little buffer, what a buffer counts, and that PAUSE always has the
// room that it needs.
#include <gtest/gtest.h>

#include "base/random.h"
#include "run/lab.h"
#include "says.h"

namespace weir {
namespace {

using testing::completion;
using testing::kNs;
using testing::run_text;
using testing::Star;

// One flow of `packets` between two hosts, 500 ns of cable at both ends, 30 ns in the switch.
Star long_link(int packets, const std::string& switches, Bytes payload = 1000) {
  Star star;
  star.hosts = 2;
  star.link = "delay = '500ns'\n";
  star.payload = fmt::format("[{}]", payload);
  star.switches = switches;
  star.traffic = testing::flows(fmt::format(R"([0, 1, "{}B"])", packets * payload));
  return star;
}

// Delays are given once in Star; the test adds its own through credit_delay, so that every part of the loop is seen.
struct Loop {
  const char* lines;
  std::int64_t period_ns;  // between two packets, with room for one
};

TEST(Credits, ABufferOfOnePacketGivesOnePacketPerRoundTrip) {
  // There 500, serialization 1000 (twice where it is stored first, not at all where the slot is free with the head),
  // back 500.
  const Loop loops[] = {
      {"buffer_packets = 1\n", 2000},
      {"buffer_packets = 1\ncredit_delay = '70ns'\n", 2070},
      {"buffer_packets = 1\nrelease = 'head'\n", 1000},
      {"buffer_packets = 1\nrelease = 'head'\ncredit_delay = '90ns'\n", 1090},
      {"buffer_packets = 1\nswitching = 'store-and-forward'\n", 3000},
      {"buffer_packets = 1\nswitching = 'store-and-forward'\nrelease = 'head'\n", 2000},
      {"buffer = '1999B'\n", 2000},
      {"buffer = '1999B'\nbuffer_counts = 'packets'\n", 2000},
      {"buffer_packets = 1\norganisation = 'fifo-in-out'\n", 2000},
      {"buffer_packets = 1\norganisation = 'output-queued'\n", 2000},
      {"buffer_packets = 1\narbitration = 'round-robin'\n", 2000},
      {"buffer_packets = 1\nlanes = 2\npriority = 'preemptive'\n", 2000},
  };
  constexpr int kPackets = 20;
  for (const Loop& loop : loops) {
    const Outcome run = run_text(long_link(kPackets, loop.lines).text());
    const bool store = std::string(loop.lines).find("store") != std::string::npos;
    const std::int64_t alone = 500 + 500 + 1000 + (store ? 1000 : 0);
    EXPECT_EQ(completion(run, 0), ((kPackets - 1) * loop.period_ns + alone) * kNs) << loop.lines;
  }
}

TEST(Credits, TwoPacketsOfBufferDoubleTheRate) {
  constexpr int kPackets = 20;
  const Outcome run = run_text(long_link(kPackets, "buffer_packets = 2\ncredit_delay = '70ns'\n").text());
  EXPECT_EQ(completion(run, 0), ((kPackets / 2 - 1) * 2070 + 1000 + 2000) * kNs);
  const Outcome enough = run_text(long_link(kPackets, "buffer_packets = 3\ncredit_delay = '70ns'\n").text());
  EXPECT_EQ(completion(enough, 0), (kPackets * 1000 + 1000) * kNs) << "three packets cover the round trip: full rate";
}

TEST(Credits, TheWaitOfALinkIsTheTimeWithoutCredit) {
  constexpr int kPackets = 20;
  const Outcome run = run_text(long_link(kPackets, "buffer_packets = 1\n").text());
  const PortId port = run.network->topology.host_port({0});
  const PortResult& counters = run.measurements.ports[port.index];
  EXPECT_EQ(counters.busy.ps, kPackets * 1000 * kNs);
  EXPECT_EQ(counters.wait.ps, (kPackets - 1) * 1000 * kNs);
  EXPECT_EQ(counters.peak_input_bytes, 1u);  // in the unit of the buffer
}

TEST(Credits, HeadersCountOrNot) {
  constexpr int kPackets = 10;
  const auto run = [&](const std::string& counts) {
    Star star = long_link(kPackets, "buffer = '2100B'\nbuffer_counts = '" + counts + "'\n");
    star.packet = "header = '200B'\n";
    return completion(run_text(star.text()), 0);
  };
  const std::int64_t alone = 1000 + 1200;
  EXPECT_EQ(run("packet-bytes"), ((kPackets - 1) * 2200 + alone) * kNs) << "1200 B twice do not fit";
  EXPECT_EQ(run("packets"), run("packet-bytes"));
  EXPECT_EQ(run("payload-bytes"), ((kPackets - 1) * 1200 + alone) * kNs) << "1000 B twice fit, which is enough";
}

TEST(Credits, ABufferSmallerThanAPacketIsRefused) {
  const auto refused = [](const std::string& lines) { return testing::refusal(long_link(1, lines).text()); };
  EXPECT_TRUE(says(refused("buffer = '999B'\n"), "1000 B"));
  EXPECT_EQ(refused("buffer = '1000B'\n"), "no error");
  EXPECT_TRUE(says(refused("organisation = 'fifo-in-out'\noutput_buffer = '999B'\n"), "1000 B"));
  Star acks = long_link(1, "buffer = '20B'\nbuffer_counts = 'payload-bytes'\n", 15);
  acks.packet = "ack = '21B'\n";
  EXPECT_TRUE(says(testing::refusal(acks.text()), "21 B")) << "an acknowledgement must fit, too";
  Star sizes = long_link(1, "buffer = '1500B'\n");
  sizes.traffic += "[[traffic]]\npattern = 'uniform'\nload = 0.1\npayload = [2000]\n";
  EXPECT_TRUE(says(testing::refusal(sizes.text()), "2000 B")) << "a source's own sizes count";
}

TEST(Credits, HugeBuffersAreUnlimited) {
  const Outcome run =
      run_text(long_link(20, "organisation = 'fifo-in-out'\nbuffer = '900GB'\noutput_buffer = '900GB'\n").text());
  EXPECT_EQ(completion(run, 0), 21000 * kNs);
}

TEST(Links, WhatTheEngineCannotCountIsRefused) {
  Star star = long_link(1, "");
  star.link = "delay = '5ms'\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "4 ms"));
  star = long_link(1, "");
  star.packet = "ack = '70kB'\n";
  EXPECT_TRUE(says(testing::refusal(star.text()), "65535"));
  EXPECT_TRUE(says(testing::refusal(long_link(1, "", 70000).text()), "65535"));
}

// ---- PAUSE ----

// Four senders to one receiver, and one flow that crosses them; two switches.
std::string incast(const std::string& switches, const std::string& link, Bytes payload,
                   const std::string& crossing = "[3, 5, 60000], ") {
  return fmt::format(
      R"([topology]
kind = "two-switch"
left = 4
right = 2
[link]
rate = "10Gbps"
{}[packet]
payload = [{}]
[switch]
flow_control = "pause"
{}[run]
until = "flows"
{})",
      link, payload, switches, testing::flows(crossing + "[0, 4, 60000], [1, 4, 60000], [2, 4, 60000], [5, 4, 60000]"));
}

Bytes needed_buffer(const std::string& refusal) {
  const auto at = refusal.find("at least ");
  return at == std::string::npos ? 0 : std::stoll(refusal.substr(at + 9));
}

TEST(Pause, ATooSmallBufferIsRefusedWithTheNeededOne) {
  const std::string link = "delay = '300ns'\n";
  const std::string refused = testing::refusal(incast("buffer = '2kB'\n", link, 1000));
  const Bytes needed = needed_buffer(refused);
  ASSERT_GT(needed, 2000) << refused;
  EXPECT_EQ(testing::refusal(incast(fmt::format("buffer = '{}B'\n", needed), link, 1000)), "no error");
  EXPECT_NE(testing::refusal(incast(fmt::format("buffer = '{}B'\n", needed - 1), link, 1000)), "no error");
  EXPECT_NE(testing::refusal(incast("buffer = '20kB'\npause_stop = '19kB'\n", link, 1000)), "no error");
  EXPECT_NE(testing::refusal(incast("buffer = '20kB'\npause_stop = '5kB'\npause_go = '6kB'\n", link, 1000)),
            "no error");
}

// Whatever the thresholds, nothing overflows (the engine would abort), everything arrives, and no buffer exceeds its
// size.
TEST(Pause, NeverLosesAnythingUnderRandomThresholds) {
  RandomStream random(5, Purpose::test, 0);
  const std::size_t count = scaled_count(30, 150, 1000);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t delay = random.below(600), route = random.chance(0.2) ? random.below(3000) : random.below(50);
    const auto payload = static_cast<Bytes>(100 + random.below(1900));
    const std::string link = fmt::format("delay = '{}ns'\n", delay);
    const char* organisation[] = {"voq-input", "fifo-in-out", "output-queued"};
    const std::string common =
        fmt::format("organisation = '{}'\nswitching = '{}'\nroute_delay = '{}ns'\ncredit_delay = '{}ns'\n",
                    organisation[random.below(3)], random.chance(0.5) ? "cut-through" : "store-and-forward", route,
                    random.below(100));
    const Bytes least =
        needed_buffer(testing::refusal(incast(common + fmt::format("buffer = '{}B'\n", payload), link, payload)));
    ASSERT_GT(least, 0);
    const Bytes headroom = least - payload;
    const Bytes buffer = least + static_cast<Bytes>(random.below(5000));
    const Bytes stop = static_cast<Bytes>(random.below(static_cast<std::uint64_t>(buffer - headroom) + 1));
    const Bytes go = random.chance(0.3) ? stop : static_cast<Bytes>(random.below(static_cast<std::uint64_t>(stop) + 1));
    const std::string text =
        incast(common + fmt::format("buffer = '{}B'\npause_stop = '{}B'\npause_go = '{}B'\n", buffer, stop, go),
               link, payload);
    const Outcome run = run_text(text);
    ASSERT_EQ(run.measurements.ending, Ending::finished) << run.measurements.ending_text << "\n" << text;
    for (const PortResult& port : run.measurements.ports)
      ASSERT_LE(port.peak_input_bytes, static_cast<std::uint64_t>(buffer)) << text;
  }
}

TEST(Pause, StopsTheSenderAndCountsItsWait) {
  const Outcome run =
      run_text(incast("organisation = 'output-queued'\nbuffer = '12kB'\n", "delay = '20ns'\n", 1000, ""));
  const Topology& topology = run.network->topology;
  Time waited{};
  for (std::uint32_t h = 0; h < 3; ++h) waited += run.measurements.ports[topology.host_port({h}).index].wait;
  EXPECT_GT(waited.ps, 50'000 * kNs) << "three flows that share a link must be stopped";
  // The receiver's link never idles: 240 kB at 10 Gb/s take 192 us.
  EXPECT_LT(run.measurements.end.ps, 192'000 * kNs * 101 / 100);
}

TEST(Pause, ThresholdsWithoutPauseAreRefused) {
  EXPECT_TRUE(says(testing::refusal(long_link(1, "pause_stop = '1kB'\n").text()), "pause"));
}

}  // namespace
}  // namespace weir
