#include "manage/counter_reader.h"

#include "mad/performance.h"

namespace weir::manage {

namespace {

using mad::get;

std::uint32_t get_32(const mad::Mad& m, mad::Field f) { return static_cast<std::uint32_t>(get(m.data(), f)); }

}  // namespace

CounterReader::CounterReader(Transport& transport, const Topology& topology)
    : transport_(transport), topology_(topology), identities_(topology), wide_(topology.nodes(), false) {
  constexpr std::size_t kEndOfWait = mad::kDataAt + (mad::port_counters_ext::kXmitWait.bit + 64u) / 8;
  if (transport.carried_bytes() < kEndOfWait) return;
  std::vector<Request> requests;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    if (topology.identity({n}).lid == 0) continue;
    requests.push_back(performance_request(mad::Method::get, mad::kClassPortInfo, topology.identity({n}).lid, 0));
    nodes.push_back(n);
  }
  const std::vector<Reply> replies = transport.exchange(requests);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    wide_[nodes[i]] = is_answer(requests[i], replies[i]) &&
                      (get(replies[i]->data(), mad::class_port_info::kCapabilities2) &
                       mad::class_port_info::kExtendedErrors) != 0;
}

CounterReader::Result CounterReader::read(const std::vector<PortId>& ports, What what) {
  std::vector<std::uint16_t> attributes{mad::perf::kPortCounters, mad::perf::kPortCountersExtended};
  if (what == What::traffic_and_congestion) attributes.push_back(mad::perf::kTransmitCongestion);
  std::vector<Request> requests;
  for (const PortId port : ports)
    for (const std::uint16_t attribute : attributes)
      requests.push_back(performance_request(mad::Method::get, attribute, lid(port), number(port)));
  const std::vector<Reply> replies = transport_.exchange(requests);
  Result result;
  result.asked = requests.size();
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const auto answer = [&](std::size_t k) -> const mad::Mad* {
      const std::size_t n = attributes.size() * i + k;
      // An answer about another port is none.
      const bool good = is_answer(requests[n], replies[n]) && replies[n]->data()[1] == requests[n].mad.data()[1];
      result.missing += !good;
      return good ? &*replies[n] : nullptr;
    };
    PortReading r;
    r.port = ports[i];
    r.wide_wait = wide_[topology_.node_of(r.port).index];
    const mad::Mad *narrow = answer(0), *wide = answer(1);
    if (r.wide_wait && wide != nullptr) r.xmit_wait = get(wide->data(), mad::port_counters_ext::kXmitWait);
    if (!r.wide_wait && narrow != nullptr) r.xmit_wait = get_32(*narrow, mad::port_counters::kXmitWait);
    if (wide != nullptr) r.xmit_data = get(wide->data(), mad::port_counters_ext::kXmitWords);
    if (attributes.size() > 2)
      if (const mad::Mad* a = answer(2)) r.xmit_cong_time = get_32(*a, mad::congestion_counters::kXmitTimeCong);
    if (r.xmit_wait || r.xmit_data || r.xmit_cong_time) result.readings.push_back(r);
  }
  return result;
}

}  // namespace weir::manage
