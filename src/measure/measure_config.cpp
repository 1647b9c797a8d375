#include "measure/measure_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "network/host_names.h"
#include "scenario/quantity.h"

namespace weir {
namespace {

// "S7:4" is a port, "H1" the only port of a host; patterns mean several.
std::vector<PortId> named_ports(const Topology& topology, const HostNames& hosts, const std::string& name) {
  std::vector<PortId> ports;
  if (name.find_first_not_of("0123456789") != name.npos)  // a number alone names no port
    for (const HostId host : hosts.find(name)) ports.push_back(topology.host_port(host));
  if (!ports.empty()) return ports;
  const bool pattern = is_pattern(name);
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    const std::string port = topology.port_name({p});
    if (port == name || (pattern && topology.to({p}).valid() && matches_pattern(name, port))) ports.push_back({p});
  }
  return ports;
}

std::vector<PortId> read_watch(const Section& section, const Topology& topology) {
  std::vector<PortId> ports;
  if (!section.has("watch")) return ports;
  const HostNames hosts(topology.host_names());
  for (const std::string& name : section.at("watch").texts) {
    const std::vector<PortId> found = named_ports(topology, hosts, name);
    if (found.empty())
      section.refuse("watch",
                     fmt::format("watch: no port or host named \"{}\"; ports are named like \"{}\"; as a host, {}",
                                 name, topology.port_name(topology.from(topology.host_port({0}))),
                                 hosts.no_such_host(name)));
    for (const PortId port : found) {
      const bool twice = std::find(ports.begin(), ports.end(), port) != ports.end();
      if (twice && !is_pattern(name))
        section.refuse("watch", fmt::format("port {} is named twice; once is enough", topology.port_name(port)));
      if (!twice) ports.push_back(port);
    }
  }
  constexpr std::size_t kMostWatched = 4096;  // each is a series in the result
  if (ports.size() > kMostWatched)
    section.refuse("watch", fmt::format("watch: these are {} ports; at most {} can be watched", ports.size(),
                                        kMostWatched));
  return ports;
}

// A width that is given stays as it is, so too many bins are refused: each becomes a row in the result.
Time read_width(const Section& section, std::string_view key, const RunConfig& run) {
  const Time width = section.has(key) ? section.time(key) : Time{};
  if (width.ps == 0 || run.until != Until::duration) return width;
  const std::int64_t count = (run.duration.ps - 1) / width.ps + 1;
  if (count > kMostFixedBins)
    section.refuse(key, fmt::format("{} = {} makes {} bins in a run of {}, and {} are possible: give {} or more, or "
                                    "leave `{}` out",
                                    key, to_text(width), count, to_text(run.duration), kMostFixedBins,
                                    to_text(Time{(run.duration.ps - 1) / kMostFixedBins + 1}), key));
  return width;
}

}  // namespace

std::vector<ParamSpec> measure_params() {
  return {
      {"bin", ParamType::time, kUnset,
       "width of a bin of the time series, of which there are at most 1000000; default: grows with the run, so that "
       "there are at most `max_bins`",
       0, 1e6},
      ParamSpec{"max_bins", ParamType::integer, "2000",
                "largest number of bins of the time series, if their width grows with the run", 2, 1e6}
          .applying(unless_given({"bin"})),
      {"frames", ParamType::integer, kUnset,
       "snapshots of the whole fabric kept for the report; 0 = none. Default: 64, and fewer in fabrics of more than "
       "262144 ports",
       0, 100000},
      {"max_rows", ParamType::integer, "100000",
       "largest number of rows in the tables of ports, hosts and victims; if there are more, those that waited longest "
       "or carried the most are kept",
       1, 1e9},
      ParamSpec{"size_bins", ParamType::integer, "10",
                "slowdown is reported by flow size, in this many bins with equally many flows", 1, 1000}
          .applying(unless_given({"size_edges"})),
      {"size_edges", ParamType::bytes_list, kUnset,
       "instead of size_bins: bins with these upper limits, as in [\"10kB\", \"100kB\", \"1MB\"], and one for larger "
       "flows", 1, 1e15},
      {"watch", ParamType::texts, kUnset,
       "ports whose rate and queue are kept as time series, with the receivers' resequencing buffer: \"S7:4\", or a "
       "host's name; * matches any text, ? any character"},
      {"watch_bin", ParamType::time, "1ms", "width of the bins of these series, of which there are at most 1000000",
       1e-9, 1e6},
  };
}

SizeBins read_size_bins(const Section& section) {
  SizeBins bins;
  bins.count = static_cast<std::uint32_t>(section.integer("size_bins"));
  bins.edges = section.at("size_edges").integers;
  if (std::adjacent_find(bins.edges.begin(), bins.edges.end(), std::greater_equal<>()) != bins.edges.end())
    section.refuse("size_edges", "size_edges: each must be larger than the one before");
  return bins;
}

MeasureConfig read_measure(const Section& section, const RunConfig& run, const Topology& topology) {
  MeasureConfig c;
  read_size_bins(section);
  c.bin = read_width(section, "bin", run);
  c.bin_where = section.at("bin").where;
  c.max_bins = static_cast<std::uint32_t>(section.integer("max_bins"));
  // Three bytes per port and frame, in memory and in the result.
  constexpr std::size_t kMostCells = std::size_t{1} << 24;
  const std::size_t fitting = std::clamp<std::size_t>(kMostCells / std::max<std::size_t>(1, topology.ports()), 2, 64);
  c.frames = static_cast<std::uint32_t>(section.has("frames") ? section.integer("frames") : std::int64_t(fitting));
  c.watch = read_watch(section, topology);
  c.watch_bin = c.watch.empty() ? section.time("watch_bin") : read_width(section, "watch_bin", run);
  c.watch_where = section.at("watch_bin").where;
  return c;
}

}  // namespace weir
