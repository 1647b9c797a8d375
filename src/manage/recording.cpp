#include "manage/recording.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <set>

#include "base/error.h"
#include "base/text_cursor.h"

namespace weir::manage {

namespace {

constexpr std::string_view kFirstLine = "weir recording 1";

}  // namespace

std::string shown_counter(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : "-"; }

// Lines of the fabric begin with a bar, so that nothing in them can be taken for telemetry.
Recorder::Recorder(const std::string& path, const Fabric& fabric, const Topology& topology,
                   std::optional<std::uint32_t> wait_bytes)
    : path_(path), identities_(topology), topology_(topology), file_(std::fopen(path.c_str(), "w")) {
  if (file_ == nullptr) throw InputError(path + ": cannot be written: " + std::strerror(errno));
  std::string text = std::string(kFirstLine) + "\n";
  if (wait_bytes) text += fmt::format("wait-bytes {}\n", *wait_bytes);
  for_each_line(write_ibnetdiscover(fabric),
                [&](std::string_view line, std::uint32_t) { text += fmt::format("|{}\n", line); });
  std::fputs(text.c_str(), file_);
}

Recorder::~Recorder() { std::fclose(file_); }

void Recorder::sweep(Time at, const std::vector<PortId>& asked, const Telemetry& telemetry) {
  std::string text = fmt::format("sweep {} {}\n", at.ps, asked.size());
  for (const PortReading& r : telemetry.readings)
    text += fmt::format("{:x} {} {}{} {} {}\n", identities_.guid(topology_.node_of(r.port)), identities_.number(r.port),
                        shown_counter(r.xmit_wait), r.wide_wait ? "x" : "", shown_counter(r.xmit_cong_time),
                        shown_counter(r.xmit_data));
  if (std::fputs(text.c_str(), file_) < 0 || std::fflush(file_) != 0)
    throw InputError(path_ + ": cannot be written: " + std::strerror(errno));
}

Recording parse_recording(const std::string& file, std::string_view text) {
  Recording recording;
  std::string fabric;
  const auto refuse = [&](std::uint32_t line, const std::string& what) {
    throw InputError(SourcePosition{file, line, 0}, what);
  };
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (number == 1) {
      if (line != kFirstLine) refuse(1, "a recording begins with the line `" + std::string(kFirstLine) + "`");
      return;
    }
    if (line.starts_with('|')) {
      fabric += std::string(line.substr(1)) + "\n";
      return;
    }
    TextCursor cursor(line);
    if (cursor.take("wait-bytes ")) {
      recording.wait_bytes = cursor.take_number<std::uint32_t>();
      if (recording.wait_bytes.value_or(0) == 0) refuse(number, "the unit of PortXmitWait is a number of bytes");
      return;
    }
    if (cursor.take("sweep ")) {
      const auto at = cursor.take_number<std::int64_t>();
      if (!at || *at < 0) refuse(number, "a sweep has its time in picoseconds: sweep 1075000000000 36");
      if (!recording.sweeps.empty() && recording.sweeps.back().at.ps > *at) refuse(number, "time goes backwards");
      recording.sweeps.push_back({{*at}, number, {}});
      return;
    }
    const auto guid = cursor.take_number<std::uint64_t>(16);
    cursor.skip_blanks();
    const auto port = cursor.take_number<std::uint32_t>();
    std::optional<std::uint64_t> values[3];
    bool good = guid && port && !recording.sweeps.empty(), wide = false;
    for (auto& value : values) {
      cursor.skip_blanks();
      if (!cursor.take("-")) {
        value = cursor.take_number<std::uint64_t>();
        good = good && value;
      }
      if (&value == values) wide = cursor.take("x");
    }
    if (!good)
      refuse(number,
             "a reading is: GUID of the switch, port, PortXmitWait (with an x behind it if it has 64 bits), "
             "PortXmitTimeCong, PortXmitData (- if missing)");
    recording.sweeps.back().readings.push_back({*guid, *port, values[0], values[1], values[2], wide});
  });
  if (fabric.empty()) refuse(0, "has no fabric; lines of it begin with |");
  recording.fabric = parse_ibnetdiscover(file, fabric);
  return recording;
}

namespace {

// As the manager carries them out: a port that was not lowered has nothing to give back.
std::vector<ReplayedDecision> within_bounds(const std::vector<DcmsController::Decision>& decisions,
                                            const Topology& topology, const Policy& policy) {
  Guard guard(in_full_names(policy.bounds, topology, [](const std::string&) {}));
  std::set<PortId> low;
  std::vector<ReplayedDecision> all;
  for (const DcmsController::Decision& d : decisions) {
    if (!d.low) {
      if (low.erase(d.root) > 0) all.push_back({d, ""});
      continue;
    }
    all.push_back({d, guard.refusal(d.at, topology.port_name(d.root), policy.controller.marking_low, low.size())});
    if (!all.back().refusal.empty()) continue;
    guard.acted(d.at);
    low.insert(d.root);
  }
  return all;
}

}  // namespace

std::vector<ReplayedDecision> replay(const Recording& recording, const Topology& topology, const Policy& policy) {
  DcmsController controller(topology, policy.controller);
  const Identities identities(topology);
  for (const Recording::Sweep& sweep : recording.sweeps) {
    // Whatever it would have waited for has passed.
    for (int i = 0; i < 3 && controller.step(sweep.at, {}).read.empty(); ++i) {
    }
    Telemetry telemetry;
    for (const auto& r : sweep.readings) {
      const NodeId node = identities.node_of_guid(r.guid);
      const PortId port = node.valid() ? identities.port(node, r.port) : PortId{};
      if (!port.valid()) continue;
      PortReading reading{port, r.wait, {}, r.data, r.wide_wait};
      if (r.wait && !r.wide_wait) reading.xmit_wait = std::min<std::uint64_t>(*r.wait, kCounterMax);
      if (r.congestion)
        reading.xmit_cong_time = static_cast<std::uint32_t>(std::min<std::uint64_t>(*r.congestion, kCounterMax));
      telemetry.readings.push_back(reading);
    }
    controller.step(sweep.at, telemetry);
  }
  return within_bounds(controller.decisions(), topology, policy);
}

}  // namespace weir::manage
