// Telemetry in a text file, with the fabric that it belongs to: what was read when. From it the same controller decides
// again, offline, with the same or another policy.
#pragma once
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "control/dcms.h"
#include "manage/policy.h"
#include "network/fabric/fabric.h"
#include "network/fabric/identities.h"

namespace weir::manage {

// A counter in words: its value, or - where it is missing.
std::string shown_counter(const std::optional<std::uint64_t>& value);

class Recorder {
 public:
  // `wait_bytes`: the unit of PortXmitWait (wait_unit.h), where it is known.
  Recorder(const std::string& path, const Fabric& fabric, const Topology& topology,
           std::optional<std::uint32_t> wait_bytes = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  // A PortXmitWait of 64 bits is followed by an x.
  void sweep(Time at, const std::vector<PortId>& asked, const Telemetry& telemetry);

 private:
  std::string path_;
  Identities identities_;
  const Topology& topology_;
  std::FILE* file_ = nullptr;
};

struct Recording {
  Fabric fabric;
  std::optional<std::uint32_t> wait_bytes;
  struct Sweep {
    Time at;
    std::uint32_t line = 0;
    struct Reading {
      std::uint64_t guid;
      std::uint32_t port;
      std::optional<std::uint64_t> wait, congestion, data;
      bool wide_wait = false;  // of 64 bits
    };
    std::vector<Reading> readings;
  };
  std::vector<Sweep> sweeps;
};
Recording parse_recording(const std::string& file, std::string_view text);  // InputErrors with file and line

struct ReplayedDecision {
  DcmsController::Decision decision;
  std::string refusal;  // by the bounds of the policy; empty: it is carried out
};

// The decisions of a controller that sees these sweeps, in order, and whether the bounds allow them. Whether answers
// were missing or somebody else was at work is not known here.
std::vector<ReplayedDecision> replay(const Recording& recording, const Topology& topology, const Policy& policy);

}  // namespace weir::manage
