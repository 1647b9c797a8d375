// The hash that the recorded fingerprints were made with. Nothing else uses it: with another one, all of them would
// have to be recorded again, and could no longer be compared with those of older versions.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::testing {

class FingerprintHash {
 public:
  // Each piece enters with its length: add("ab"), add("c") differs from add("a"), add("bc").
  void add(std::string_view bytes) {
    add_word(bytes.size());
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) add_word(load(bytes.substr(at, 8)));
    if (at < bytes.size()) add_word(load(bytes.substr(at)));
  }

  std::string hex() const {
    const std::uint64_t high = mix(high_ + std::rotl(low_, 17));
    const std::uint64_t low = mix(low_ ^ high);
    std::string digits;
    for (const std::uint64_t half : {high, low}) {
      for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(half >> shift) & 15];
    }
    return digits;
  }

 private:
  // Byte by byte, so that the order of bytes in memory does not matter.
  static constexpr std::uint64_t load(std::string_view bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = bytes.size(); i > 0; --i) word = word << 8 | static_cast<unsigned char>(bytes[i - 1]);
    return word;
  }
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 32)) * 0xd6e8feb86659fd93ull;
    z = (z ^ (z >> 29)) * 0xa0761d6478bd642full;
    return z ^ (z >> 32);
  }
  void add_word(std::uint64_t word) {
    high_ = mix(high_ ^ word) + 0x9e3779b97f4a7c15ull;
    low_ = std::rotl(low_, 23) * 5 + mix(word + high_);
  }

  std::uint64_t high_ = 0x243f6a8885a308d3ull;
  std::uint64_t low_ = 0x13198a2e03707344ull;
};

}  // namespace weir::testing
