// Strong index types and the tables they index. An id is a dense 32-bit index: tables are flat arrays, a wrong kind of
// index does not compile, and nothing ever depends on an address.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace weir {

template <class Tag>
struct Id {
  std::uint32_t index = kNone;

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  constexpr bool valid() const { return index != kNone; }
  friend constexpr auto operator<=>(Id, Id) = default;
};

using NodeId = Id<struct NodeTag>;    // hosts first: [0, hosts), then switches
using HostId = Id<struct HostTag>;    // same number as the host's NodeId
using SwitchId = Id<struct SwitchTag>;  // NodeId minus the number of hosts
using PortId = Id<struct PortTag>;    // global port number; also names the link direction that leaves this port
using Lane = Id<struct LaneTag>;      // virtual lane of a link
using FlowId = Id<struct FlowTag>;
using ClassId = Id<struct ClassTag>;  // traffic class: cold, hot, ...
using AppId = Id<struct AppTag>;

// A std::vector that takes only the right kind of index.
template <class I, class T>
class Table {
 public:
  Table() = default;
  explicit Table(std::size_t size, T value = T{}) : items_(size, std::move(value)) {}

  T& operator[](I id) { return items_[id.index]; }
  const T& operator[](I id) const { return items_[id.index]; }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  void reserve(std::size_t n) { items_.reserve(n); }
  void resize(std::size_t n) { items_.resize(n); }
  void assign(std::size_t n, const T& value) { items_.assign(n, value); }
  I push_back(T value) {
    items_.push_back(std::move(value));
    return I{static_cast<std::uint32_t>(items_.size() - 1)};
  }
  T& back() { return items_.back(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  const std::vector<T>& raw() const { return items_; }

 private:
  std::vector<T> items_;
};

}  // namespace weir
