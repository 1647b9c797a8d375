// Every file of scenarios/, and what makes it short enough for a test.
#pragma once
#include <string>
#include <vector>

#include "scenario/parse.h"
#include "source_dir.h"

namespace weir::testing {

struct ScenarioFile {
  std::string name, path;
  std::vector<Override> shorter;  // what makes it short
};
inline std::vector<ScenarioFile> scenario_files() {
  const std::string dir = source_dir() + "/scenarios/";
  const std::vector<Override> hotspot = {
      {"traffic.hot.after_received", "3000"}, {"traffic.hot.packets", "60"}, {"run.settle", "5us"}};
  return {
      {"distributed-rates",
       dir + "distributed-rates.toml",
       {{"traffic.exchange.bytes", "60kB"}, {"traffic.other exchange.bytes", "30kB"}}},
      {"dragonfly", dir + "dragonfly.toml", {{"run.duration", "80us"}}},
      {"every-scheme",
       dir + "every-scheme.toml",
       {{"traffic.hot.packets", "100"}, {"traffic.hot.start", "10us"}, {"run.settle", "0s"}, {"run.max_time", "60us"}}},
      {"hotspot", dir + "hotspot.toml", hotspot},
      {"incast", dir + "incast.toml", {{"traffic.incast.bytes", "20kB"}, {"traffic.neighbours.bytes", "20kB"}}},
      {"load", dir + "load.toml", {{"run.duration", "60us"}, {"run.warmup", "10us"}}},
      {"ring", dir + "ring.toml", {}},
      {"roce-incast", dir + "roce-incast.toml", {{"traffic.incast.bytes", "200kB"}, {"run.max_time", "200us"}}},
      {"torus", dir + "torus.toml", {}},
      {"training", dir + "training.toml", {}},
      {"two-applications",
       dir + "two-applications.toml",
       {{"traffic.background.repeat", "2"}, {"traffic.foreground.after_received", "500"}, {"run.max_time", "300us"}}},
      {"two-lanes", dir + "two-lanes.toml", {{"traffic.bulk.bytes", "200kB"}}},
      {"websearch", dir + "websearch.toml", {{"traffic.search.stop", "300us"}, {"traffic.incasts.stop", "300us"}}},
  };
}

}  // namespace weir::testing
