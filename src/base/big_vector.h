// Vectors for large tables that are read at random. Memory of a megabyte and more is asked for in huge pages, so that
// walking through a big fabric does not spend its time on address translation. Everything else is std::vector.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace weir {

template <class T>
struct HugePageAllocator {
  using value_type = T;
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static constexpr std::size_t kWorthIt = std::size_t{1} << 20;

  HugePageAllocator() = default;
  template <class U>
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    const bool large = bytes >= kWorthIt;
    const std::size_t alignment = large ? kPage : std::max(std::size_t{64}, alignof(T));
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    if (large) madvise(memory, rounded, MADV_HUGEPAGE);  // advice only: without huge pages all is well, but slower
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { std::free(memory); }

  template <class U>
  friend bool operator==(const HugePageAllocator&, const HugePageAllocator<U>&) { return true; }
};

template <class T>
using BigVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace weir
