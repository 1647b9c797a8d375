// Where the flows of a source may go.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace weir {

// Who may be the destination of a flow. Groups are hosts of consecutive numbers.
struct DestinationChoice {
  enum class Where : std::uint8_t { anywhere, own_group, other_groups };
  Where where = Where::anywhere;
  std::uint32_t group = 1;       // hosts of a group
  std::vector<HostId> allowed;   // sorted
};

// Destinations of one source: places in the list of those allowed, without those of a gap.
class Destinations {
 public:
  // Places [from, to) of the list.
  struct Range {
    std::size_t from, to;
  };

  // The choice must outlive this.
  Destinations(const DestinationChoice& choice, HostId source) : allowed_(choice.allowed) {
    const std::uint32_t first = source.index / choice.group * choice.group;
    const std::size_t low = place({first}), high = place({first + choice.group}), own = place(source);
    const std::size_t is_allowed = own < allowed_.size() && allowed_[own] == source ? 1 : 0;
    switch (choice.where) {
      case DestinationChoice::Where::anywhere: use(0, allowed_.size() - is_allowed, own, is_allowed); break;
      case DestinationChoice::Where::own_group: use(low, high - low - is_allowed, own, is_allowed); break;
      case DestinationChoice::Where::other_groups: use(0, allowed_.size() - (high - low), low, high - low); break;
    }
  }

  std::size_t count() const { return count_; }
  HostId at(std::size_t i) const {
    const std::size_t place = first_ + i;
    return allowed_[place < gap_ ? place : place + gap_length_];
  }
  Range before_gap() const { return {first_, gap_}; }
  Range behind_gap() const { return {gap_ + gap_length_, first_ + count_ + gap_length_}; }

 private:
  std::size_t place(HostId host) const {
    return static_cast<std::size_t>(std::lower_bound(allowed_.begin(), allowed_.end(), host) - allowed_.begin());
  }
  void use(std::size_t first, std::size_t count, std::size_t gap, std::size_t gap_length) {
    first_ = first;
    count_ = count;
    gap_ = gap;
    gap_length_ = gap_length;
  }
  const std::vector<HostId>& allowed_;
  std::size_t first_ = 0, count_ = 0, gap_ = 0, gap_length_ = 0;
};

}  // namespace weir
