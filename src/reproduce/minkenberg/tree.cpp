// What paper 004 announces as its next step: the same adaptive routing on a fat tree. What does it gain, and what does
// it cost in frames that arrive out of order?
#include <fmt/format.h>

#include "measure/derive.h"
#include "reproduce/minkenberg/minkenberg.h"

namespace weir {
namespace {

using namespace minkenberg;

struct TreeVariant {
  const char* name;
  std::vector<Override> overrides;
};

std::vector<TreeVariant> variants() {
  std::vector<Override> routed = adaptive();
  routed.push_back({"routing.snoop_timer", "50ms"});
  // What makes the difference under the permutation? The ways of notifications, what is learnt from afar, or the cuts.
  std::vector<Override> straight = routed, near = adaptive(), uncut = routed;
  straight.push_back({"routing.snoop_return", "default"});
  near.push_back({"routing.snoop_timer", "1ns"});
  uncut.push_back({"scheme.gd", "0"});
  return {{"none", {{"scheme.name", "none"}}},
          {"QCN", {}},
          {"QCN and adaptive routing", routed},
          {"the same, notifications on default ports", straight},
          {"the same, news from other switches forgotten at once", near},
          {"the same, notifications steer but cut no rates", uncut},
          {"none, shortest live queue", {{"scheme.name", "none"}, {"routing.choice", "live-queue"}}}};
}

double class_rate(const Measurements& m, std::string_view name) {
  for (std::uint32_t c = 0; c < m.classes.size(); ++c)
    if (m.classes[c].name == name) return summarize(m, ClassId{c}).window_throughput.value_or(0) / 1e9;
  return 0;
}

std::string disorder(const Measurements& m) {
  std::uint64_t received = 0;
  for (const ClassResult& c : m.classes) received += c.received;
  return fmt::format("{:.4f} % of frames out of order, buffer {:.3f} frames in the mean, {} at most",
                     100 * static_cast<double>(m.resequencing.out_of_order) / static_cast<double>(received),
                     m.resequencing.mean_packets, m.resequencing.peak_packets);
}

}  // namespace

void minkenberg_tree(Reproduction& r) {
  std::vector<Scenario> scenarios;
  for (const char* file : {"minkenberg/tree-permutation.toml", "minkenberg/tree-hotspot.toml"})
    for (const TreeVariant& v : variants()) scenarios.push_back(r.scenario(file, v.overrides));
  const std::vector<Outcome> outcomes = r.run(scenarios);
  const std::size_t count = variants().size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = variants()[i].name;
    const Measurements& permutation = outcomes[i].measurements;
    const Measurements& hotspot = outcomes[count + i].measurements;
    r.report("permutation, " + name + ": throughput, mean latency",
             fmt::format("{:.1f} of 608 Gb/s, {:.0f} us", class_rate(permutation, "all"),
                         summarize(permutation, ClassId{0}).latency->mean_ps / 1e6));
    r.report("hot spot, " + name + ": throughput of cold and hot flows",
             fmt::format("{:.1f}, {:.1f} Gb/s", class_rate(hotspot, "cold"), class_rate(hotspot, "hot")));
    if (i < 2) continue;
    r.report("permutation, " + name + ": cost", disorder(permutation));
    r.report("hot spot, " + name + ": cost", disorder(hotspot));
  }
  r.note(
      "4-ary 3-tree, 64 hosts. Permutation: load 95 %. Hot spot: 16 hosts send 64 Gb/s to one link of 10 Gb/s, the "
      "other 48 "
      "exchange 240 Gb/s. Routing timer 50 ms, runs of 150 ms.");
}

}  // namespace weir
