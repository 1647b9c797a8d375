#include "network/short_names.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace weir {

namespace {

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || (byte & 0x80) != 0;
}

std::size_t common_head(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}
std::size_t common_tail(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
}

}  // namespace

ShortNames::ShortNames(const Topology& topology) : topology_(topology) {
  if (topology.switches() < 2) return;
  const std::string& first = topology.name(topology.node(SwitchId{0}));
  std::size_t shortest = first.size();
  head_ = tail_ = first.size();
  for (std::uint32_t s = 1; s < topology.switches(); ++s) {
    const std::string& name = topology.name(topology.node(SwitchId{s}));
    head_ = std::min(head_, common_head(first, name));
    tail_ = std::min(tail_, common_tail(first, name));
    shortest = std::min(shortest, name.size());
  }
  // Words are not cut: the head ends behind a separator, the tail begins with one.
  while (head_ > 0 && is_word(first[head_ - 1])) --head_;
  while (tail_ > 0 && is_word(first[first.size() - tail_])) --tail_;
  if (head_ + tail_ >= shortest) head_ = tail_ = 0;
  // Models ("ib7:SX6036/U1") differ; switches that are alone with what stands before theirs do not need them.
  const auto system = [&](SwitchId s) {
    const std::string_view name = topology.name(topology.node(s));
    const std::size_t colon = name.rfind(':');
    return colon != name.npos && name.find('/', colon) != name.npos ? name.substr(0, colon) : name;
  };
  std::unordered_map<std::string_view, std::size_t> times;
  for (std::uint32_t s = 0; s < topology.switches(); ++s) ++times[system({s})];
  for (std::uint32_t s = 0; s < topology.switches(); ++s)
    no_model_.push_back(times[system({s})] == 1 && system({s}).size() > head_ &&
                        system({s}).size() < topology.name(topology.node(SwitchId{s})).size());
}

std::string ShortNames::node(NodeId n) const {
  const std::string& name = topology_.name(n);
  if (topology_.is_host(n)) return name;
  const bool no_model = !no_model_.empty() && no_model_[topology_.switch_of(n).index];
  return name.substr(head_, (no_model ? name.rfind(':') : name.size() - tail_) - head_);
}

std::string ShortNames::port(PortId p) const {
  return node(topology_.node_of(p)) + ":" + std::to_string(topology_.port_label(p));
}

std::string ShortNames::link(PortId p) const {
  const PortId peer = topology_.to(p);
  return port(p) + " -> " + (peer.valid() ? node(topology_.node_of(peer)) : "nothing");
}

PortId port_called(const Topology& topology, std::string_view name) {
  const ShortNames names(topology);
  PortId found;
  std::size_t short_ones = 0;
  for (std::uint32_t p = 0; p < topology.ports(); ++p) {
    if (topology.port_name({p}) == name) return {p};
    if (names.port({p}) != name) continue;
    found = {p};
    ++short_ones;
  }
  return short_ones == 1 ? found : PortId{};
}

}  // namespace weir
