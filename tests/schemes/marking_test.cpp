// The marking family inside the engine: what each detection marks, presets, parameters from the network, refusals.
#include "schemes/marking/marking.h"

#include <gtest/gtest.h>

#include "run/calibrate.h"
#include "run/lab.h"

namespace weir {
namespace {

using testing::number_of;
using testing::run_text;
using testing::scenario_of;

// A small bidirectional MIN with a pulse to host 0.
std::string pulse(const std::string& scheme, const std::string& more_switch = "", const std::string& rate = "24Gbps") {
  return "[topology]\nkind = \"bmin\"\nk = 2\nn = 3\n[link]\nrate = \"8Gbps\"\ndelay = \"1ns\"\n[packet]\npayload = "
         "[256]\n"
         "header = \"22B\"\nack = \"22B\"\n[switch]\norganisation = \"fifo-in-out\"\narbitration = \"oldest-first\"\n"
         "buffer = \"1KiB\"\nbuffer_counts = \"payload-bytes\"\n" +
         more_switch +
         "[adapter]\norganisation = \"per-destination\"\n[[traffic]]\nname = \"cold\"\npattern = \"uniform\"\nclass = "
         "\"cold\"\n"
         "except = \"hot\"\ntotal_rate = \"" +
         rate +
         "\"\n[[traffic]]\nname = \"hot\"\npattern = \"hotspot\"\nclass = \"hot\"\n"
         "share = \"50%\"\ntarget = 0\nrate = \"6Gbps\"\nafter_received = 200\npackets = 200\n"
         "[run]\nuntil = \"class\"\nclass = \"hot\"\nmax_time = \"50ms\"\n[scheme]\n" +
         scheme;
}

const ClassResult& class_of(const Outcome& outcome, std::string_view name) {
  for (const ClassResult& c : outcome.measurements.classes)
    if (c.name == name) return c;
  throw InputError("no such class");
}
std::uint64_t with_bits(const Outcome& outcome, std::size_t bits) {
  std::uint64_t count = 0;
  for (const ClassResult& c : outcome.measurements.classes)
    if (!c.marks_by_bits.empty()) count += c.marks_by_bits[bits];
  return count;
}
std::string detect(const std::string& kind, const std::string& more = "") {
  return "name = \"marking\"\ndetection = \"" + kind + "\"\nwindow = \"none\"\ndelay = \"none\"\n" + more;
}
std::string refused(const std::string& scheme, const std::string& more_switch = "") {
  return weir::testing::refusal_of_run(pulse(scheme, more_switch));
}

TEST(Marking, EveryDetectionUsesItsBits) {
  const Outcome none = run_text(pulse(detect("none")));
  EXPECT_EQ(class_of(none, "hot").marked + class_of(none, "cold").marked, 0u);
  for (const char* kind : {"ipm", "rpm"}) {
    const Outcome outcome = run_text(pulse(detect(kind)));
    EXPECT_GT(with_bits(outcome, 1), 0u) << kind;
    EXPECT_EQ(with_bits(outcome, 2) + with_bits(outcome, 3), 0u) << kind;
  }
  const Outcome opm = run_text(pulse(detect("opm")));
  EXPECT_GT(with_bits(opm, 2), 0u);
  EXPECT_EQ(with_bits(opm, 1) + with_bits(opm, 3), 0u);
  const Outcome iopm = run_text(pulse(detect("iopm")));
  EXPECT_GT(with_bits(iopm, 2), 0u);  // marked at an output without having met a full input
  EXPECT_GT(with_bits(iopm, 3), 0u);
  const Outcome mvpm = run_text(pulse(detect("mvpm")));
  EXPECT_EQ(with_bits(mvpm, 2), 0u);  // validation needs the mark
  EXPECT_GT(with_bits(mvpm, 3), 0u);
}

// Without correction the packets are the same under every detection, so the marks can be compared one by one.
TEST(Marking, DetectionsRelateToEachOther) {
  const Outcome ipm = run_text(pulse(detect("ipm"))), iopm = run_text(pulse(detect("iopm"))),
                mvpm = run_text(pulse(detect("mvpm")));
  EXPECT_EQ(ipm.measurements.end, mvpm.measurements.end);
  EXPECT_EQ(with_bits(ipm, 1), with_bits(mvpm, 1) + with_bits(mvpm, 3));
  EXPECT_EQ(with_bits(ipm, 1), with_bits(iopm, 1) + with_bits(iopm, 3));
  EXPECT_LE(with_bits(mvpm, 3), with_bits(iopm, 3));
}

TEST(Marking, AThresholdOfZeroMarksAllAndAFullBufferFew) {
  const Outcome all = run_text(pulse(detect("ipm", "input_threshold = 0\n")));
  EXPECT_EQ(class_of(all, "cold").marked, class_of(all, "cold").received);
  EXPECT_EQ(class_of(all, "hot").marked, class_of(all, "hot").received);
  const Outcome high = run_text(pulse(detect("ipm", "input_threshold = \"99%\"\n")));
  const Outcome usual = run_text(pulse(detect("ipm")));
  EXPECT_LT(class_of(high, "hot").marked, class_of(usual, "hot").marked);
}

TEST(Marking, NothingIsMarkedWhereNothingWaits) {
  for (const char* kind : {"ipm", "rpm", "opm", "iopm", "mvpm"}) {
    const Outcome outcome = run_text(
        "[topology]\nkind = \"star\"\nhosts = 2\n[link]\nrate = \"8Gbps\"\n[packet]\npayload = [256]\n"
        "[switch]\norganisation = \"fifo-in-out\"\nbuffer = \"2KiB\"\n[[traffic]]\npattern = \"uniform\"\n"
        "load = 0.05\narrivals = \"constant\"\n[run]\nduration = \"200us\"\n[scheme]\n" +
        detect(kind));
    EXPECT_EQ(class_of(outcome, "all").marked, 0u) << kind;
    EXPECT_GT(class_of(outcome, "all").received, 10u);
  }
}

TEST(Marking, PresetsAreTheirParts) {
  const std::pair<const char*, const char*> pairs[] = {
      {"name = \"mvcm\"\n", "detection = \"mvpm\"\n"},
      {"name = \"iocm\"\n", "detection = \"iopm\"\n"},
      {"name = \"renato\"\n",
       "detection = \"rpm\"\nwindow = \"static\"\nwindow_packets = 1\ndelay = \"lipd\"\nrecovery = \"progressive\"\n"},
      {"name = \"pfister\"\n",
       "detection = \"opm\"\nwindow = \"none\"\ndelay = \"table\"\nrecovery = \"progressive\"\n"}};
  for (const auto& [preset, parts] : pairs) {
    const Outcome a = run_text(pulse(preset)), b = run_text(pulse(std::string("name = \"marking\"\n") + parts));
    EXPECT_EQ(a.measurements.end, b.measurements.end) << preset;
    EXPECT_EQ(a.measurements.totals.events, b.measurements.totals.events) << preset;
    EXPECT_EQ(class_of(a, "hot").marked, class_of(b, "hot").marked) << preset;
    // A window of one packet never fills an input of this small network.
    const bool never_full = std::string_view(preset).find("renato") != std::string_view::npos;
    EXPECT_EQ(class_of(a, "hot").marked == 0, never_full) << preset;
  }
}

TEST(Marking, ImmediateRecoveryResetsAndProgressiveDoesNot) {
  const Outcome immediate = run_text(pulse("name = \"mvcm\"\n")),
                progressive = run_text(pulse("name = \"mvcm\"\nrecovery = \"progressive\"\n"));
  EXPECT_GT(number_of(immediate, "resets by an empty queue"), 0);
  EXPECT_EQ(number_of(progressive, "resets by an empty queue"), 0);
}

TEST(Marking, ManagementHoldsHotPacketsBack) {
  const Outcome none = run_text(pulse("name = \"none\"\n")), mvcm = run_text(pulse("name = \"mvcm\"\n"));
  EXPECT_LT(class_of(mvcm, "hot").network_latency.mean(), class_of(none, "hot").network_latency.mean());
  EXPECT_EQ(class_of(mvcm, "hot").received, 200u);
}

// A source with packets for many destinations: a window per pair lets one of each go, a window per source one at all.
TEST(Marking, AWindowBelongsToThePairOrToTheSource) {
  const auto most_out = [](const std::string& per) {
    const Outcome outcome = run_text(
        "[topology]\nkind = \"star\"\nhosts = 8\n[link]\nrate = \"8Gbps\"\ndelay = \"2us\"\n[packet]\npayload = [256]\n"
        "[switch]\norganisation = \"fifo-in-out\"\nbuffer = \"64KiB\"\n[adapter]\norganisation = \"per-destination\"\n"
        "[[traffic]]\npattern = \"uniform\"\nload = 0.9\n[run]\nduration = \"400us\"\n[scheme]\nname = \"marking\"\n"
        "detection = \"none\"\nwindow = \"static\"\nwindow_packets = 1\ndelay = \"none\"\nwindow_per = \"" +
        per + "\"\n");
    return class_of(outcome, "all").received;
  };
  const auto per_pair = most_out("pair"), per_source = most_out("source");
  // A round trip takes 8 us and more: one packet of a source in that time, or one for each of seven destinations.
  EXPECT_LE(per_source, 8u * 400 / 8);
  EXPECT_GT(per_source, 8u * 400 / 12);
  EXPECT_GT(per_pair, 4 * per_source);
}

TEST(Marking, MessagesOfASourceShareItsWindow) {
  const auto end_of = [](const std::string& per) {
    return run_text(
               "[topology]\nkind = \"star\"\nhosts = 4\n[link]\nrate = \"8Gbps\"\ndelay = \"2us\"\n[packet]\npayload = "
               "[256]\n"
               "[switch]\norganisation = \"fifo-in-out\"\nbuffer = \"64KiB\"\n[adapter]\norganisation = \"per-flow\"\n"
               "[[traffic]]\npattern = \"flows\"\nlist = [[\"H0\", \"H1\", \"10KiB\"], [\"H0\", \"H2\", \"10KiB\"]]\n"
               "[run]\nuntil = \"flows\"\n[scheme]\nname = \"marking\"\ndetection = \"none\"\nwindow = \"static\"\n"
               "window_packets = 1\ndelay = \"none\"\nwindow_per = \"" +
               per + "\"\n")
        .measurements.end.seconds();
  };
  EXPECT_NEAR(end_of("source") / end_of("pair"), 2, 0.1);
}

TEST(Marking, PfisterMayHaveAWindow) {
  const Outcome free = run_text(pulse("name = \"pfister\"\n")),
                held = run_text(pulse("name = \"pfister\"\nwindow_packets = 1\n"));
  EXPECT_EQ(number_of(held, "largest window [packets]"), 1);
  EXPECT_LT(class_of(held, "hot").network_latency.mean(), class_of(free, "hot").network_latency.mean());
}

TEST(Marking, TheArrivingPacketCountsWhereItIsAskedTo) {
  const auto marked = [](const char* where) {
    const Outcome outcome =
        run_text(pulse("name = \"marking\"\ndetection = \"iopm\"\nwindow = \"none\"\ndelay = \"none\"\n"
                       "count_arriving = \"" +
                       std::string(where) + "\"\n"));
    return std::pair{number_of(outcome, "marks at inputs"), number_of(outcome, "marks at outputs")};
  };
  const auto everywhere = marked("everywhere"), outputs = marked("at-outputs"), nowhere = marked("nowhere");
  EXPECT_GT(everywhere.first, outputs.first);
  EXPECT_EQ(everywhere.second, outputs.second);
  EXPECT_EQ(outputs.first, nowhere.first);
  EXPECT_GT(outputs.second, nowhere.second);
}

TEST(Marking, SeriesOfActionsAddUp) {
  const Outcome outcome = run_text(pulse("name = \"mvcm\"\n[measure]\nbin = \"1us\"\n"));
  ASSERT_FALSE(outcome.measurements.scheme_series.empty());
  for (const SchemeSeries& s : outcome.measurements.scheme_series) {
    double sum = 0;
    for (const double v : s.values) sum += v;
    EXPECT_EQ(sum, number_of(outcome, s.name)) << s.name;
  }
}

TEST(Marking, RefusesWhatCannotWork) {
  EXPECT_NE(refused("name = \"mvcm\"\nwindow_packets = 0\n").find("window_packets"), std::string::npos);
  EXPECT_NE(refused("name = \"mvcm\"\ninput_threshold = \"150%\"\n").find("input_threshold"), std::string::npos);
  EXPECT_NE(refused("name = \"mvcm\"\noutput_threshold = \"100%\"\n").find("no occupancy is ever above"),
            std::string::npos);
  EXPECT_EQ(refused("name = \"mvcm\"\noutput_threshold = \"100%\"\ncomparison = \"at-or-above\"\n"), "");
  EXPECT_NE(refused("name = \"marking\"\nwindow = \"none\"\nwindow_packets = 2\n").find("no effect"),
            std::string::npos);
  EXPECT_NE(refused("name = \"marking\"\ndelay = \"none\"\nslot = \"1us\"\n").find("no effect"), std::string::npos);
  EXPECT_NE(refused("name = \"marking\"\ndetection = \"opm\"\ninput_threshold = 0.5\n").find("no effect"),
            std::string::npos);
  EXPECT_NE(refused("name = \"renato\"\ndelay = \"slots\"\n").find("delay"), std::string::npos);
  EXPECT_NE(refused("name = \"marking\"\ndetection = \"rpm\"\n[routing]\nchoice = \"live-queue\"\n").find("rpm"),
            std::string::npos);
}

RoundTrip trip_of(const std::string& topology, const std::string& payload) {
  const Scenario scenario = scenario_of(
      "[topology]\n" + topology + "[link]\nrate = \"8Gbps\"\ndelay = \"1ns\"\n[packet]\npayload = " + payload +
      "\nheader = \"22B\"\nack = \"22B\"\n[[traffic]]\npattern = \"uniform\"\nload = 0.1\n"
      "[run]\nduration = \"1us\"\n");
  const Topology t = build_topology(scenario);
  const RouteTable routes = build_routes(scenario, t);
  const Workload workload = build_workload(scenario, t);
  return round_trip({t, routes, workload, packet_config(scenario, t, workload), 1});
}

// The numbers of sections 5.3.1 and 8.2.2.
TEST(RoundTrip, WindowsOfThePaper) {
  const std::string bmin = "kind = \"bmin\"\nk = 4\nn = 5\nhosts = 512\n", fly = "kind = \"umin\"\nk = 8\nn = 3\n";
  const RoundTrip small = trip_of(bmin, "[256]");
  EXPECT_EQ(small.hops, 9u);
  EXPECT_EQ(small.shortest.ps, 354'000);
  EXPECT_NEAR(small.window, 354.0 / 278, 1e-9);
  EXPECT_EQ(small.whole_window, 2u);
  EXPECT_EQ(small.radix, 4u);
  EXPECT_EQ(small.stages, 5u);
  EXPECT_NEAR(trip_of(bmin, "[1024]").window, 1122.0 / 1046, 1e-9);
  EXPECT_NEAR(trip_of(fly, "[256]").window, 318.0 / 278, 1e-9);
  EXPECT_NEAR(trip_of(fly, "[1024]").window, 1086.0 / 1046, 1e-9);
  const RoundTrip mixed = trip_of(bmin, "[64, 512]");
  EXPECT_EQ(mixed.shortest.ps, (54 + 534 + 22) * 1000);
  EXPECT_NEAR(mixed.window, 162.0 / 86, 1e-9);  // of the smallest packets
  EXPECT_EQ(mixed.whole_window, 2u);
}

TEST(Calibrate, FindsTheSaturationOfASingleSwitch) {
  // Virtual output queues carry nearly everything; FIFO inputs with speedup 1 block below 0.6, a little earlier with
  // acknowledgements in the same FIFOs.
  const auto text = [](const char* organisation) {
    return std::string(
               "[topology]\nkind = \"star\"\nhosts = 16\n[link]\nrate = \"8Gbps\"\n[packet]\npayload = "
               "[512]\n[switch]\n") +
           organisation +
           "buffer = \"64KiB\"\n[[traffic]]\npattern = \"uniform\"\nload = 0.1\n[run]\nduration = \"1us\"\n";
  };
  CalibrationEffort effort;
  effort.settle_trips = effort.measured_trips = 300;
  const Calibration voq = calibrate(scenario_of(text("organisation = \"voq-input\"\n")), effort);
  const Calibration fifo = calibrate(
      scenario_of(text("organisation = \"fifo-in-out\"\nspeedup = 1\narbitration = \"round-robin\"\n")), effort);
  EXPECT_GT(voq.saturation, 0.85);
  EXPECT_GT(fifo.saturation, 0.45);
  EXPECT_LT(fifo.saturation, 0.62);
  EXPECT_EQ(fifo.search.size(), 7u);
  EXPECT_GT(fifo.near.round_trip, fifo.trip.shortest);
  EXPECT_FALSE(fifo.near.saturated());
  EXPECT_GE(fifo.near.outstanding, 1);
}

TEST(Calibrate, OccupancyGrowsWithTheLoad) {
  const Scenario scenario = scenario_of(pulse("name = \"none\"\n"));
  const UniformProbe low = probe_uniform(scenario, 0.1), high = probe_uniform(scenario, 0.5);
  EXPECT_LT(low.input_share, high.input_share);
  EXPECT_LT(low.output_share, high.output_share);
  EXPECT_NEAR(low.delivered, 0.1, 0.01);
  EXPECT_LT(high.input_share, 1);
}

}  // namespace
}  // namespace weir
