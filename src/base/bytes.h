// Values as bytes, for another process of the same program. Plain values go as they lie in memory, lists with their
// length before them, and everything else field by field: a class that is not plain has each_field(visit), which calls
// visit(field) for each of its fields.
#pragma once
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace weir {

template <class T>
inline constexpr bool kIsList = false;
template <class T, class A>
inline constexpr bool kIsList<std::vector<T, A>> = true;
template <>
inline constexpr bool kIsList<std::string> = true;

template <class T>
concept HasFields = requires(T& value) { value.each_field([](auto&) {}); };

// Lists of them, too.
template <class T>
inline constexpr bool kBecomesBytes = std::is_trivially_copyable_v<T> || HasFields<T>;
template <class T, class A>
inline constexpr bool kBecomesBytes<std::vector<T, A>> = kBecomesBytes<T>;
template <>
inline constexpr bool kBecomesBytes<std::string> = true;

class BytesOut {
 public:
  BytesOut() = default;
  explicit BytesOut(std::string&& room) : bytes_(std::move(room)) { bytes_.clear(); }  // keeps its memory

  template <class T>
  void put(const T& value) {
    static_assert(kBecomesBytes<T>);
    if constexpr (kIsList<T>) {
      put(value.size());
      put_all(value.data(), value.size());
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      put_all(&value, 1);
    } else {
      const_cast<T&>(value).each_field([this](auto& field) { this->put(std::as_const(field)); });
    }
  }
  template <class T>
  void put_all(const T* values, std::size_t count) {
    if constexpr (!std::is_trivially_copyable_v<T>) {
      for (std::size_t i = 0; i < count; ++i) put(values[i]);
    } else if (count > 0) {
      bytes_.append(reinterpret_cast<const char*>(values), count * sizeof(T));
    }
  }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// Whoever reads them knows what was put, and in which order.
class BytesIn {
 public:
  explicit BytesIn(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void get(T& value) {
    static_assert(kBecomesBytes<T>);
    if constexpr (kIsList<T>) {
      const auto count = get<std::size_t>();
      if (count > rest_.size()) cut_short();  // an item takes a byte at least
      value.resize(count);
      get_all(value.data(), count);
    } else if constexpr (std::is_trivially_copyable_v<T>) {
      get_all(&value, 1);
    } else {
      value.each_field([this](auto& field) { this->get(field); });
    }
  }
  template <class T>
  T get() {
    T value;
    get(value);
    return value;
  }
  template <class T>
  void get_all(T* values, std::size_t count) {
    if constexpr (!std::is_trivially_copyable_v<T>) {
      for (std::size_t i = 0; i < count; ++i) get(values[i]);
    } else if (count > 0) {
      std::memcpy(static_cast<void*>(values), take(count * sizeof(T)).data(), count * sizeof(T));
    }
  }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) cut_short();
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  [[noreturn]] static void cut_short() { throw InputError("what another process sent is cut short"); }

  std::string_view rest_;
};

}  // namespace weir
