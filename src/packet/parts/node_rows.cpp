#include "packet/parts/node_rows.h"

#include <algorithm>

namespace weir {
namespace {

template <class Row, class IsUsed>
void pack_some(BytesOut& out, const std::vector<Row>& rows, const IsUsed& is_used) {
  const auto count = static_cast<std::uint64_t>(std::count_if(rows.begin(), rows.end(), is_used));
  out.put(count);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!is_used(rows[i])) continue;
    out.put(static_cast<std::uint32_t>(i));
    out.put(rows[i]);
  }
}
template <class Row, class Add>
void add_some(BytesIn& in, std::vector<Row>& rows, const Add& add) {
  for (auto count = in.get<std::uint64_t>(); count > 0; --count) {
    const auto i = in.get<std::uint32_t>();
    add(rows.at(i), in.get<Row>());
  }
}

bool is_used(const FlowResult& f) { return f.start != kNever || f.delivered > 0; }
bool is_used(const HostResult& h) { return h.injected + h.received + h.peak_backlog_packets > 0; }
bool is_used(const PortResult& p) {
  return p.xmit_packets != 0 || p.rcv_packets != 0 || p.rcv_bytes != 0 || p.wait.ps != 0 || p.busy.ps != 0 ||
         p.peak_input_bytes != 0 || p.peak_output_bytes != 0 || p.tick_ps != 0;
}
bool is_used(const PauseResult& p) { return p.stops > 0; }
bool is_used(std::uint8_t share) { return share != 0; }

constexpr auto kIsUsed = [](const auto& row) { return is_used(row); };
constexpr auto kReplace = [](auto& row, const auto& other) { row = other; };

// Its source and its destination may be in two processes.
void add(FlowResult& a, const FlowResult& b) {
  a.start = std::min(a.start, b.start);
  a.delivered += b.delivered;
  a.delivered_in_window += b.delivered_in_window;
  a.first_delivery = std::min(a.first_delivery, b.first_delivery);
  a.completion = std::min(a.completion, b.completion);
}
// Each field is one of the sender or one of the receiver, and 0 elsewhere. What is received without being known to be
// sent is below 0, and becomes right in the end.
void add(PortResult& a, const PortResult& b) {
  a.xmit_bytes += b.xmit_bytes;
  a.xmit_packets += b.xmit_packets;
  a.rcv_bytes += b.rcv_bytes;
  a.rcv_packets += b.rcv_packets;
  a.busy += b.busy;
  a.wait += b.wait;
  a.peak_input_bytes += b.peak_input_bytes;
  a.mean_input_bytes += b.mean_input_bytes;
  a.peak_output_bytes += b.peak_output_bytes;
  a.mean_output_bytes += b.mean_output_bytes;
  a.tick_ps += b.tick_ps;
}

}  // namespace

void pack_rows(BytesOut& out, const Measurements& all) {
  pack_some(out, all.flows, kIsUsed);
  pack_some(out, all.hosts, kIsUsed);
  pack_some(out, all.ports, kIsUsed);
  pack_some(out, all.pauses, kIsUsed);
  for (const FabricFrame& frame : all.frames)
    for (const auto* shares : {&frame.load, &frame.occupancy, &frame.wait}) pack_some(out, *shares, kIsUsed);
}

void add_rows(BytesIn& in, Measurements& all) {
  const auto sum = [](auto& row, const auto& other) { add(row, other); };
  add_some(in, all.flows, sum);
  add_some(in, all.hosts, kReplace);
  add_some(in, all.ports, sum);
  add_some(in, all.pauses, kReplace);
  for (FabricFrame& frame : all.frames)
    for (auto* shares : {&frame.load, &frame.occupancy, &frame.wait}) add_some(in, *shares, kReplace);
}

}  // namespace weir
