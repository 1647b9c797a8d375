// Memory in pieces that stay where they are until all of them go. Each begins with a cache line, and they lie close to
// each other in blocks that grow, the large ones in huge pages: pieces that are used in turn do not cost an address
// translation each. Several threads may take pieces at the same time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "base/big_vector.h"

namespace weir {

class LastingMemory {
 public:
  static constexpr std::size_t kLine = 64;

  LastingMemory() = default;
  LastingMemory(const LastingMemory&) = delete;
  LastingMemory& operator=(const LastingMemory&) = delete;
  ~LastingMemory() {
    for (const auto& [block, bytes] : blocks_) allocator_.deallocate(block, bytes);
  }

  // What is in it is left over.
  std::byte* take(std::size_t bytes) {
    bytes = (bytes + kLine - 1) / kLine * kLine;
    const std::lock_guard lock(mutex_);
    if (blocks_.empty() || blocks_.back().second - used_ < bytes) add_block(bytes);
    return blocks_.back().first + std::exchange(used_, used_ + bytes);
  }

 private:
  static constexpr std::size_t kSmallest = std::size_t{1} << 16, kLargest = std::size_t{4} << 20;

  void add_block(std::size_t least) {
    const std::size_t wanted = blocks_.empty() ? kSmallest : std::min(kLargest, 2 * blocks_.back().second);
    const std::size_t bytes = std::max(least, wanted);
    blocks_.emplace_back(allocator_.allocate(bytes), bytes);
    used_ = 0;
  }

  std::mutex mutex_;
  HugePageAllocator<std::byte> allocator_;
  std::vector<std::pair<std::byte*, std::size_t>> blocks_;
  std::size_t used_ = 0;  // of the last one
};

}  // namespace weir
