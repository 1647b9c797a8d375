// The buffered crossbar as a scenario has it; crossbar.cpp is the engine.
#include <fmt/format.h>

#include "packet/config/config.h"
#include "packet/engine_kinds.h"

namespace weir {
namespace {

constexpr ParamSpec kCrossbarParams[] = {
    {"output_buffer", ParamType::bytes, kUnset, "output buffer per port and lane; default: same as `buffer`", 1, 1e12},
    {"speedup", ParamType::number, "2", "crossbar rate over link rate", 1, 1000},
};

std::any read_crossbar(const ComponentRequest& request, SwitchConfig& c) {
  const Section& section = request.section;
  const Bytes largest = request.largest.any();
  c.speedup = section.number("speedup");
  if (!section.has("output_buffer")) return {};
  c.output_buffer = section.bytes("output_buffer");
  if (c.unit == BufferUnit::packets) c.output_buffer /= largest;
  if (c.output_buffer < (c.unit == BufferUnit::packets ? 1 : largest))
    section.refuse("output_buffer", fmt::format("an output buffer must hold the largest packet of {} B", largest));
  return {};
}

}  // namespace

extern const OrganisationKind fifo_in_out_organisation{
    .spec = {.name = "fifo-in-out",
             .help = "FIFO buffers at inputs and outputs around a crossbar of finite speedup",
             .params = kCrossbarParams,
             .read = read_crossbar},
    .run = run_crossbar,
    .crossbar = true};

}  // namespace weir
