// Who goes first: the three arbitrations with known arrivals, head-of-line blocking with and without speedup, and the
// congested network of Zdornov & Birk's first figure.
#include <gtest/gtest.h>

#include "run/lab.h"

namespace weir {
namespace {

using testing::completion;
using testing::kNs;
using testing::run_text;
using testing::Star;

// Sources on links ten times as fast as the one to D, so that packets pile up at the switch; a packet takes 1 us to D.
std::string funnel(const std::string& switches, const std::string& rows, const std::string& b_delay = "0ns") {
  return fmt::format(
      "[topology]\nkind = \"graph\"\nhosts = [\"A\", \"B\", \"C\", \"D\"]\nswitches = [\"S\"]\n"
      "links = [[\"A\", \"S:1\", \"80Gbps\"], [\"B\", \"S:2\", \"80Gbps\", \"{}\"], [\"C\", \"S:3\", \"80Gbps\"], "
      "[\"D\", \"S:4\", \"8Gbps\"]]\n[link]\ndelay = \"0ns\"\n[packet]\npayload = [1000]\n"
      "[switch]\nroute_delay = \"0ns\"\nswitch_delay = \"0ns\"\nbuffer_packets = 20\n{}[run]\nuntil = \"flows\"\n{}",
      b_delay, switches, testing::flows(rows));
}

constexpr const char* kArrivals =
    "[\"A\", \"D\", 4000], [\"B\", \"D\", 2000, \"0.35us\"], [\"C\", \"D\", 1000, \"0.36us\"]";

TEST(Arbitration, FirstComeFirstServed) {
  for (const char* organisation : {"voq-input", "output-queued"}) {
    const Outcome run = run_text(funnel(fmt::format("organisation = \"{}\"\n", organisation), kArrivals));
    EXPECT_EQ(completion(run, 0), 4000 * kNs);
    EXPECT_EQ(completion(run, 2), 6000 * kNs) << "after the first packet of B";
    EXPECT_EQ(completion(run, 1), 7000 * kNs);
  }
}

TEST(Arbitration, RoundRobinTakesTurnsByInput) {
  const Outcome run = run_text(funnel("arbitration = \"round-robin\"\n", kArrivals));  // A B C A B A A
  EXPECT_EQ(completion(run, 2), 3000 * kNs);
  EXPECT_EQ(completion(run, 1), 5000 * kNs);
  EXPECT_EQ(completion(run, 0), 7000 * kNs);
}

TEST(Arbitration, OldestFirstGoesByBirth) {
  // B's packet is born at 50 ns, before A's second one, but is on its way for half a microsecond.
  const char* rows = "[\"A\", \"D\", 4000], [\"B\", \"D\", 1000, \"50ns\"]";
  const Outcome oldest = run_text(funnel("arbitration = \"oldest-first\"\n", rows, "500ns"));
  EXPECT_EQ(completion(oldest, 1), 2000 * kNs);
  EXPECT_EQ(completion(oldest, 0), 5000 * kNs);
  const Outcome fcfs = run_text(funnel("arbitration = \"fcfs\"\n", rows, "500ns"));
  EXPECT_EQ(completion(fcfs, 0), 4000 * kNs);
  EXPECT_EQ(completion(fcfs, 1), 5000 * kNs);
}

TEST(Arbitration, AnOutputQueuedSwitchHasNoChoice) {
  const std::string refused =
      testing::refusal(funnel("organisation = \"output-queued\"\narbitration = \"round-robin\"\n", kArrivals));
  EXPECT_NE(refused.find("fcfs"), std::string::npos);
}

// Host 0 sends four packets to host 2, then one to host 3; host 1 keeps host 2 busy.
Star blocking(const std::string& switches) {
  Star star;
  star.switches = switches + "buffer_packets = 30\n";
  star.adapter = "organisation = \"fifo\"\n";
  star.traffic = testing::flows("[0, 2, 4000], [0, 3, 1000], [1, 2, 8000]");
  return star;
}

TEST(HeadOfLine, AFifoHoldsUpWhatCouldGo) {
  EXPECT_EQ(completion(run_text(blocking("organisation = \"voq-input\"\n").text()), 1), 5000 * kNs);
  EXPECT_EQ(completion(run_text(blocking("organisation = \"output-queued\"\n").text()), 1), 5000 * kNs);
  // Host 0's fourth packet crosses from 6 to 7 us, and only then the one behind it.
  EXPECT_EQ(completion(run_text(blocking("organisation = \"fifo-in-out\"\nspeedup = 1\n").text()), 1), 8000 * kNs);
  // At twice the speed two inputs are no match for an output: packets cross as fast as they come.
  EXPECT_EQ(completion(run_text(blocking("organisation = \"fifo-in-out\"\nspeedup = 2\n").text()), 1), 5000 * kNs);
}

TEST(HeadOfLine, AFullOutputBufferHoldsUpAtAnySpeed) {
  const Outcome run =
      run_text(blocking("organisation = \"fifo-in-out\"\nspeedup = 8\noutput_buffer = \"1kB\"\n").text());
  EXPECT_GE(completion(run, 1), 7000 * kNs);
}

TEST(HeadOfLine, WhatBelongsToAnotherOrganisationIsRefused) {
  EXPECT_NE(testing::refusal(blocking("organisation = \"voq-input\"\nspeedup = 3\n").text()).find("fifo-in-out"),
            std::string::npos);
  EXPECT_NE(testing::refusal(blocking("organisation = \"fifo-in-out\"\nrelease = \"head\"\n").text()).find("no effect"),
            std::string::npos);
}

// Six flows, two switches: flows 1 and 2 leave to D1, the others to D2. The link between the switches carries 2/3,
// although D1 could take more: congestion at D2 spreads to it.
TEST(CongestionSpreads, AsInTheFirstFigureOfTheThesis) {
  const Outcome run = run_text(
      "[topology]\nkind = \"graph\"\nhosts = [\"F1\", \"F2\", \"F3\", \"F4\", \"F5\", \"F6\", \"D1\", \"D2\"]\n"
      "switches = [\"SW1\", \"SW2\"]\n"
      "links = [[\"F1\", \"SW1\"], [\"F2\", \"SW1\"], [\"F3\", \"SW1\"], [\"F4\", \"SW1\"], [\"SW1\", \"SW2\"], "
      "[\"F5\", \"SW2\"], [\"F6\", \"SW2\"], [\"SW2\", \"D1\"], [\"SW2\", \"D2\"]]\n"
      "[link]\nrate = \"8Gbps\"\ndelay = \"10ns\"\n[packet]\npayload = [2048]\n"
      "[switch]\narbitration = \"round-robin\"\nbuffer_packets = 8\n[run]\nuntil = \"flows\"\nmax_time = \"20ms\"\n" +
      testing::flows("[\"F1\", \"D1\", 1000000], [\"F2\", \"D1\", 1000000], [\"F3\", \"D2\", 1000000], "
                     "[\"F4\", \"D2\", 1000000], [\"F5\", \"D2\", 1000000], [\"F6\", \"D2\", 1000000]"));
  // A flow of 1 MB at the full rate takes 1 ms: the unit. Flows 5 and 6 get 1/3 until they end at 3 units.
  EXPECT_NEAR(static_cast<double>(completion(run, 4)), 3e9, 0.02 * 3e9);
  EXPECT_NEAR(static_cast<double>(completion(run, 5)), 3e9, 0.02 * 3e9);
  EXPECT_NEAR(static_cast<double>(run.measurements.end.ps), 5e9, 0.02 * 5e9);
}

}  // namespace
}  // namespace weir
