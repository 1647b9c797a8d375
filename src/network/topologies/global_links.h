// How the groups of a dragonfly or dragonfly+ are joined. A group has a number of global ports; every pair of groups is
// joined by the same number of cables, as many as the ports allow, and ports that are left over stay empty.
//
// `absolute`: the first ports of group i lead to groups 0, 1, 2, ... in their order, itself left out. `palmtree`: port
// k of group i leads to group i - k - 1, counted round. The second and further cables of a pair follow in the same
// order.
#pragma once
#include <cstdint>

namespace weir {

enum class Arrangement : std::uint32_t { absolute, palmtree };

class GlobalLinks {
 public:
  GlobalLinks(std::uint32_t groups, std::uint32_t ports_of_group, Arrangement arrangement)
      : groups_(groups), cables_(ports_of_group / (groups - 1)), arrangement_(arrangement) {}

  std::uint32_t groups() const { return groups_; }
  std::uint32_t cables_of_pair() const { return cables_; }
  std::uint32_t ports_used() const { return cables_ * (groups_ - 1); }

  // The group that a port of `group` leads to.
  std::uint32_t group_behind(std::uint32_t group, std::uint32_t port) const {
    const std::uint32_t k = port % (groups_ - 1);
    if (arrangement_ == Arrangement::absolute) return k < group ? k : k + 1;
    return (group + groups_ - 1 - k) % groups_;
  }
  // The port of `group` for one of the cables to `other`, which is another group.
  std::uint32_t port_to(std::uint32_t group, std::uint32_t other, std::uint32_t cable) const {
    const std::uint32_t k = arrangement_ == Arrangement::absolute ? (other < group ? other : other - 1)
                                                                  : (group + groups_ - 1 - other) % groups_;
    return cable * (groups_ - 1) + k;
  }
  std::uint32_t cable_of(std::uint32_t port) const { return port / (groups_ - 1); }

 private:
  std::uint32_t groups_, cables_;
  Arrangement arrangement_;
};

}  // namespace weir
