// A large table of which a run may use only some rows. Its memory comes from the system as zeros, and rows that nobody
// touches take none. A row begins as zeros, whatever its type says: who uses it gives it its first value.
#pragma once
#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

namespace weir {

template <class T>
class ZeroTable {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ZeroTable() = default;
  explicit ZeroTable(std::size_t rows) : size_(rows) {
    if (rows == 0) return;
    // More than is needed, so that it can begin where a huge page does; the rest is given back.
    const std::size_t bytes = room();
    void* const memory = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    char* const begin = static_cast<char*>(memory);
    const std::size_t before = (kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage) % kPage;
    if (before > 0) munmap(begin, before);
    if (before < kPage) munmap(begin + before + bytes, kPage - before);
    rows_ = reinterpret_cast<T*>(begin + before);
    if (bytes >= kWorthHugePages) madvise(begin + before, bytes, MADV_HUGEPAGE);  // advice only
  }
  ZeroTable(ZeroTable&& other) noexcept
      : rows_(std::exchange(other.rows_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ZeroTable& operator=(ZeroTable&& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~ZeroTable() {
    if (rows_ != nullptr) munmap(rows_, room());
  }

  T& operator[](std::size_t row) { return rows_[row]; }
  const T& operator[](std::size_t row) const { return rows_[row]; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20, kWorthHugePages = std::size_t{1} << 20;
  static constexpr std::size_t kSmallPage = 4096;
  std::size_t room() const { return (size_ * sizeof(T) + kSmallPage - 1) / kSmallPage * kSmallPage; }

  T* rows_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace weir
