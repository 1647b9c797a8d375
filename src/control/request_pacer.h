// How many requests of a controller may be on their way at once. A sweep asks for every port of the fabric; sent all at
// the same moment, requests and answers queue on the manager's own link, where they hold up whatever comes by. Whoever
// carries the requests asks next() for what to send now, and says done() when an answer has come or is given up.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>

#include "control/dcms.h"

namespace weir {

struct ManagementRequest {
  enum class Kind : std::uint8_t { read, clear, set } kind = Kind::read;
  PortId port;
  Counter counter = Counter::xmit_wait;  // of a clear
  std::uint32_t rate = 0;                // of a set
};

class RequestPacer {
 public:
  explicit RequestPacer(std::uint32_t most) : most_(most) {}

  // Settings go before readings. Readings of an earlier sweep that have not been sent are forgotten when a new one
  // begins: their answers would come too late.
  void add(const Actions& actions) {
    using Kind = ManagementRequest::Kind;
    if (!actions.read.empty()) reads_.assign(actions.read.begin(), actions.read.end());
    for (const Actions::Clear& c : actions.clear) settings_.push_back({Kind::clear, c.port, c.counter, 0});
    for (const Actions::SetMarkingRate& s : actions.set) settings_.push_back({Kind::set, s.port, {}, s.rate});
  }
  std::optional<ManagementRequest> next() {
    if (under_way_ >= most_ || (settings_.empty() && reads_.empty())) return {};
    ++under_way_;
    ManagementRequest request;
    if (settings_.empty()) {
      request.port = reads_.front();
      reads_.pop_front();
    } else {
      request = settings_.front();
      settings_.pop_front();
    }
    return request;
  }
  void done() { --under_way_; }

 private:
  std::uint32_t most_, under_way_ = 0;
  std::deque<ManagementRequest> settings_;
  std::deque<PortId> reads_;
};

}  // namespace weir
