// Fields of management datagrams. InfiniBand numbers the bits of an attribute from the most significant one of its
// first byte on; a field is a run of at most 64 bits that begins at such a number.
#pragma once
#include <cstdint>
#include <span>

#include "base/check.h"

namespace weir::mad {

struct Field {
  std::uint16_t bit = 0;
  std::uint16_t bits = 0;
};

// Whole bytes, wherever they lie: the form of almost all fields.
constexpr std::uint64_t get_bytes(std::span<const std::uint8_t> data, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value = value << 8 | data[at + i];
  return value;
}
constexpr void put_bytes(std::span<std::uint8_t> data, std::size_t at, std::size_t count, std::uint64_t value) {
  for (std::size_t i = count; i-- > 0; value >>= 8) data[at + i] = static_cast<std::uint8_t>(value);
}

constexpr std::uint64_t get(std::span<const std::uint8_t> data, Field f) {
  WEIR_CHECK(f.bits <= 64 && std::size_t{f.bit} + f.bits <= data.size() * 8);
  if (f.bit % 8 == 0 && f.bits % 8 == 0) return get_bytes(data, f.bit / 8u, f.bits / 8u);
  std::uint64_t value = 0;
  for (std::uint32_t b = f.bit; b < std::uint32_t{f.bit} + f.bits; ++b)
    value = value << 1 | (data[b / 8] >> (7 - b % 8) & 1);
  return value;
}
// A value that is too large loses its upper bits.
constexpr void put(std::span<std::uint8_t> data, Field f, std::uint64_t value) {
  WEIR_CHECK(f.bits <= 64 && std::size_t{f.bit} + f.bits <= data.size() * 8);
  if (f.bit % 8 == 0 && f.bits % 8 == 0) return put_bytes(data, f.bit / 8u, f.bits / 8u, value);
  for (std::uint32_t b = std::uint32_t{f.bit} + f.bits; b-- > f.bit; value >>= 1) {
    const auto mask = static_cast<std::uint8_t>(1u << (7 - b % 8));
    data[b / 8] = static_cast<std::uint8_t>((data[b / 8] & ~mask) | ((value & 1) != 0 ? mask : 0));
  }
}

}  // namespace weir::mad
