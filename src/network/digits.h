// Digit strings of structured networks. A host's address packs its base-k digits at a fixed number of bits each, so
// that DigitRule can compare a range of digits with one mask whether or not k is a power of two.
#pragma once
#include <bit>
#include <cstdint>

namespace weir {

constexpr std::uint32_t bits_per_digit(std::uint32_t k) { return static_cast<std::uint32_t>(std::bit_width(k - 1)); }

constexpr std::uint32_t power(std::uint32_t k, std::uint32_t n) {
  std::uint32_t result = 1;
  while (n-- > 0) result *= k;
  return result;
}

constexpr std::uint32_t digit(std::uint32_t number, std::uint32_t k, std::uint32_t position) {
  return number / power(k, position) % k;
}

constexpr std::uint32_t with_digit(std::uint32_t number, std::uint32_t k, std::uint32_t position, std::uint32_t value) {
  return number + (value - digit(number, k, position)) * power(k, position);
}

// The base-k digits of `number`, least significant first, each in bits_per_digit(k) bits.
constexpr std::uint32_t packed(std::uint32_t number, std::uint32_t k) {
  if (std::has_single_bit(k)) return number;
  std::uint32_t result = 0;
  for (std::uint32_t shift = 0; number > 0; number /= k, shift += bits_per_digit(k)) result |= number % k << shift;
  return result;
}

// All bits from `low` up to, not including, `high`.
constexpr std::uint32_t bit_range(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << high) - (std::uint64_t{1} << low));
}

// Between two stages of a perfect-shuffle network the line number is rotated left by one digit. For powers of two this
// formula is a rotation of log2(lines) bits by log2(k), also where log2(lines) is no multiple of log2(k).
constexpr std::uint32_t shuffled(std::uint32_t line, std::uint32_t k, std::uint32_t lines) {
  return line % (lines / k) * k + line / (lines / k);
}
constexpr std::uint32_t unshuffled(std::uint32_t line, std::uint32_t k, std::uint32_t lines) {
  return line / k + line % k * (lines / k);
}

}  // namespace weir
