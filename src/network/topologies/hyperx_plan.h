// Where the switches of a HyperX stand, and which ports lead where. Switches are numbered along the first dimension
// first. A switch has the ports of its hosts, then for every dimension one to each other switch of its row.
#pragma once
#include <cstdint>
#include <vector>

#include "network/topology.h"

namespace weir {

class HyperXPlan {
 public:
  HyperXPlan(std::vector<std::uint32_t> sizes, std::uint32_t hosts)
      : sizes_(std::move(sizes)), hosts_(hosts), ports_(hosts) {
    for (const std::uint32_t size : sizes_) {
      first_port_.push_back(ports_);
      ports_ += size - 1;
      stride_.push_back(switches_);
      switches_ *= size;
    }
  }
  explicit HyperXPlan(const Topology& t)
      : HyperXPlan({t.sizes().begin(), t.sizes().end()}, static_cast<std::uint32_t>(t.hosts() / t.switches())) {}

  std::uint32_t dimensions() const { return static_cast<std::uint32_t>(sizes_.size()); }
  std::uint32_t size(std::uint32_t i) const { return sizes_[i]; }
  std::uint32_t hosts_per_switch() const { return hosts_; }
  std::uint32_t switches() const { return switches_; }
  std::uint32_t ports() const { return ports_; }  // of a switch
  std::uint32_t coordinate(SwitchId s, std::uint32_t i) const { return s.index / stride_[i] % sizes_[i]; }
  SwitchId moved(SwitchId s, std::uint32_t i, std::uint32_t to) const {
    return {s.index + (to - coordinate(s, i)) * stride_[i]};
  }
  // The local port of a switch at `from` in dimension i to the one at `to`.
  std::uint32_t port(std::uint32_t i, std::uint32_t from, std::uint32_t to) const {
    return first_port_[i] + (to < from ? to : to - 1);
  }

 private:
  std::vector<std::uint32_t> sizes_, first_port_, stride_;
  std::uint32_t hosts_, ports_, switches_ = 1;
};

}  // namespace weir
