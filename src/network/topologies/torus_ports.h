// Where the switches of a torus stand, and which ports lead where: what its builder and its routing agree on. Switches
// are numbered along the first dimension first. A switch has the ports of its hosts, then for every dimension one
// upwards and one downwards; in a dimension of two both lead to the same switch, so there is one port for both.
#pragma once
#include <cstdint>
#include <vector>

#include "network/topology.h"

namespace weir {

class TorusPlan {
 public:
  TorusPlan(std::vector<std::uint32_t> sizes, std::uint32_t hosts_per_switch)
      : sizes_(std::move(sizes)), hosts_per_switch_(hosts_per_switch), ports_(hosts_per_switch) {
    for (const std::uint32_t size : sizes_) {
      first_port_.push_back(ports_);
      ports_ += size > 2 ? 2 : 1;
      stride_.push_back(switches_);
      switches_ *= size;
    }
  }
  explicit TorusPlan(const Topology& torus)
      : TorusPlan({torus.sizes().begin(), torus.sizes().end()},
                  static_cast<std::uint32_t>(torus.hosts() / torus.switches())) {}

  std::uint32_t dimensions() const { return static_cast<std::uint32_t>(sizes_.size()); }
  std::uint32_t size(std::uint32_t i) const { return sizes_[i]; }
  std::uint32_t hosts_per_switch() const { return hosts_per_switch_; }
  std::uint32_t switches() const { return switches_; }
  std::uint32_t ports() const { return ports_; }  // of a switch
  std::uint32_t up_port(std::uint32_t i) const { return first_port_[i]; }
  std::uint32_t down_port(std::uint32_t i) const { return first_port_[i] + (sizes_[i] > 2 ? 1 : 0); }

  std::uint32_t coordinate(SwitchId s, std::uint32_t i) const { return s.index / stride_[i] % sizes_[i]; }
  // The neighbour upwards in this dimension.
  SwitchId above(SwitchId s, std::uint32_t i) const {
    const bool wraps = coordinate(s, i) + 1 == sizes_[i];
    return {wraps ? s.index - (sizes_[i] - 1) * stride_[i] : s.index + stride_[i]};
  }

 private:
  std::vector<std::uint32_t> sizes_, first_port_, stride_;
  std::uint32_t hosts_per_switch_, ports_, switches_ = 1;
};

}  // namespace weir
