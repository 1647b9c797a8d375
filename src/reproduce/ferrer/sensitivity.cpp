// What paper 001 does not state: each choice varied alone, and what it does to the peak of cold latency without
// management and with MVCM (BMIN 4-ary 5-fly, 256 B, medium rate).
#include <fmt/format.h>

#include "reproduce/ferrer/ferrer.h"

namespace weir::ferrer {
namespace {

struct Choice {
  const char* what;
  std::vector<Override> settings;
  std::vector<Override> of_mvcm = {};  // concerns the scheme only
};

std::vector<Choice> choices() {
  return {
      {"as in all figures", {}},
      {"arbitration: round robin", {{"switch.arbitration", "round-robin"}}},
      {"arbitration: first come, first served", {{"switch.arbitration", "fcfs"}}},
      {"buffers count whole packets: three fit", {{"switch.buffer_counts", "packet-bytes"}}},
      {"plain reading: round robin and whole packets",
       {{"switch.arbitration", "round-robin"}, {"switch.buffer_counts", "packet-bytes"}}},
      {"buffers of 4 KiB", {{"switch.buffer", "4KiB"}}},
      {"acknowledgements on a lane of their own", {{"switch.lanes", "2"}, {"adapter.ack_lane", "1"}}},
      {"no acknowledgements without management", {{"adapter.acks", "false"}}},
      {"speedup 1", {{"switch.speedup", "1"}}},
      {"way up by source digits", {{"routing.kind", "digits"}, {"routing.up", "source"}}},
      {"way up by a hash", {{"routing.kind", "digits"}, {"routing.up", "hash"}}},
      {"40 hot senders", {{"traffic.hot.share", "7.8125%"}}},
      {"76 hot senders", {{"traffic.hot.share", "14.84375%"}}},
      {"hot starts spread over 200,000 cycles", {{"traffic.hot.spread", "200us"}}},
      {"hot senders at random places", {{"traffic.hot.placement", "random"}}},
      {"hot senders side by side", {{"traffic.hot.placement", "first"}}},
      {"constant intervals", {{"traffic.cold.arrivals", "constant"}, {"traffic.hot.arrivals", "constant"}}},
      {"the hot host is no uniform destination", {{"traffic.cold.avoid", "[0]"}}},
      {"rate per uniform host", {{"traffic.cold.per", "these-hosts"}}},
      {"rate counts payload", {{"traffic.cold.counts", "payload"}, {"traffic.hot.counts", "payload"}}},
      {"adapter serves the oldest packet", {{"adapter.service", "oldest-first"}}},
      {"bins of 1,000 cycles", {{"measure.bin", "1us"}}},
      {"bins of 50,000 cycles", {{"measure.bin", "50us"}}},
      {"arriving packet not counted", {}, {{"scheme.count_arriving", "false"}}},
      {"an occupancy equal to the threshold marks", {}, {{"scheme.comparison", "at-or-above"}}},
      {"waiting counts from the acknowledgement", {}, {{"scheme.wait_from", "ack"}}},
      {"one increase of waiting more", {}, {{"scheme.limit", "6"}}},
      {"one increase of waiting less", {}, {{"scheme.limit", "4"}}},
      {"a queue is empty when all is acknowledged", {}, {{"scheme.empty_queue", "nothing-outstanding"}}},
      {"5,000 packets in the pulse", {{"traffic.hot.packets", "5000"}}},
  };
}

}  // namespace

void sensitivity(Reproduction& r) {
  const std::vector<Choice> all = choices();
  const std::size_t seeds = r.full() ? 5 : r.quick() ? 1 : 3;
  std::vector<std::vector<double>> none(all.size(), std::vector<double>(seeds)), mvcm = none;
  r.parallel(all.size() * seeds * 2, [&](std::size_t i) {
    const std::size_t c = i / (2 * seeds), s = i / 2 % seeds;
    const bool managed = i % 2 == 1;
    if (!managed && c > 0 && all[c].settings.empty()) return;  // concerns MVCM only: the first line has it
    std::vector<Override> settings = all[c].settings;
    if (managed) settings.insert(settings.end(), all[c].of_mvcm.begin(), all[c].of_mvcm.end());
    settings.push_back({"seed", std::to_string(s + 1)});
    const Scenario scenario =
        pulse(r, kBmin45, kBmin45.bytes_per_cycle[1], scheme(managed ? "mvcm" : "none"), settings);
    (managed ? mvcm : none)[c][s] = read_pulse(simulate(scenario)).cold_peak;
  });
  for (std::size_t c = 1; c < all.size(); ++c)
    if (all[c].settings.empty()) none[c] = none[0];
  const auto mean = [&](const std::vector<double>& v) {
    double sum = 0;
    for (const double x : v) sum += x / static_cast<double>(v.size());
    return sum;
  };
  std::size_t lower = 0;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const double without = mean(none[c]), with = mean(mvcm[c]);
    lower += with < without ? 1 : 0;
    r.report(all[c].what,
             fmt::format("none {}, MVCM {} cycles, {:.0f}x", cycles(without), cycles(with), without / with));
  }
  r.statement("MVCM lowers the peak under every choice", lower == all.size(),
              fmt::format("{} of {}", lower, all.size()));
  r.note(
      fmt::format("Peaks of cold latency, mean of {} seed(s). Each line differs from the first in one choice.", seeds));
}

}  // namespace weir::ferrer
