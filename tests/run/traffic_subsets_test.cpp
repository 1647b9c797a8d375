// Every pattern, among all hosts and among every kind of part of them: it runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "run/lab.h"
#include "traffic/workload.h"

namespace weir::testing {
namespace {

struct Entry {
  std::string_view pattern, keys;
};
constexpr Entry kEntries[] = {
    {"uniform", "load = 0.4\n"},
    {"uniform", "rate = '1Gbps'\n"},
    {"hotspot", "target = 7\nload = 0.4\n"},
    {"burst", "target = 7\npackets = 3\nspread = '5us'\n"},
    {"permutation", "bytes = '2kB'\n"},
    {"permutation", "load = 0.4\n"},
    {"permutation", "load = 0.4\ncount = 2\n"},
    {"permutation", "rate = '1Gbps'\nallow_self = true\n"},
    {"shift", "bytes = '2kB'\n"},
    {"shift", "load = 0.4\n"},
    {"shift", "total_rate = '1Gbps'\n"},
    {"random", "bytes = '2kB'\n"},
    {"incast", "target = 7\nbytes = '2kB'\n"},
    {"flow-arrivals", "sizes = 'fixed'\nbytes = '2kB'\nload = 0.4\nstop = '10us'\n"},
    {"incast-arrivals", "senders = 2\nbytes = '2kB'\nload = 0.4\nevents = 3\n"},
    {"all-to-all", "bytes = '2kB'\n"},
    {"phases", "bytes = '2kB'\nphases = 2\n"},
    {"collective", "bytes = '2kB'\n"},
    {"training", "data = 3\ngradient_bytes = '2kB'\n"},
};
constexpr std::string_view kSubsets[] = {
    "hosts = [1, 2, 3]\n", "hosts = [0, 1, 2, 4, 5, 6]\n", "share = 0.5\n", "share = 0.5\nplacement = 'random'\n",
    "range = [2, 6]\n", "except = 'other'\n"};

bool has_key(const KindSpec& kind, std::string_view line) {
  const std::string_view key = line.substr(0, line.find(' '));
  return std::any_of(kind.params.begin(), kind.params.end(), [&](const ParamSpec& p) { return p.name == key; });
}

std::string scenario(const Entry& entry, std::string_view subset) {
  Star star;
  star.hosts = 8;
  star.run = "duration = '20us'\n";
  star.traffic = fmt::format(
      "[[traffic]]\npattern = '{}'\n{}{}"
      "[[traffic]]\nname = 'other'\npattern = 'incast'\ntarget = 0\nfan_in = 2\nbytes = '1kB'\n",
      entry.pattern, entry.keys, subset);
  return star.text();
}

TEST(TrafficSubsets, EveryPatternRunsAmongPartOfTheHosts) {
  std::set<std::string_view> left;
  for (const KindSpec& kind : traffic_kinds()) {
    if (has_key(kind, "hosts") && kind.name != "trace") left.insert(kind.name);
    for (const Entry& entry : kEntries) {
      if (entry.pattern != kind.name) continue;
      left.erase(kind.name);
      EXPECT_EQ(refusal_of_run(scenario(entry, "")), "no error") << scenario(entry, "");
      for (const std::string_view subset : kSubsets) {
        if (!has_key(kind, subset)) continue;
        EXPECT_EQ(refusal_of_run(scenario(entry, subset)), "no error") << scenario(entry, subset);
      }
    }
  }
  EXPECT_TRUE(left.empty()) << *left.begin();
}

}  // namespace
}  // namespace weir::testing
