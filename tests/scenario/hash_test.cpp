// The hash that names configurations: sensitive to every bit, and never changed by accident.
#include "base/hash.h"

#include <gtest/gtest.h>

#include <bitset>
#include <set>

namespace weir {
namespace {

std::string hash_of(std::string_view text) {
  Hash128 hash;
  hash.add(text);
  return hash.hex();
}

TEST(Hash128, PiecesKeepTheirBounds) {
  Hash128 a, b, c;
  a.add("ab");
  a.add("c");
  b.add("a");
  b.add("bc");
  c.add("abc");
  EXPECT_NE(a.hex(), b.hex());
  EXPECT_NE(a.hex(), c.hex());
  EXPECT_NE(hash_of(""), Hash128().hex());
  EXPECT_NE(hash_of(std::string_view("\0", 1)), hash_of(std::string_view("\0\0", 2)));
}

TEST(Hash128, ManyNearTextsDiffer) {
  std::set<std::string> seen;
  for (int i = 0; i < 100'000; ++i) seen.insert(hash_of("value = " + std::to_string(i)));
  EXPECT_EQ(seen.size(), 100'000u);
}

// Each input bit changes about half of the 128 output bits.
TEST(Hash128, EveryBitMatters) {
  const auto bits = [](const std::string& hex) {
    return std::bitset<128>(std::stoull(hex.substr(0, 16), nullptr, 16)) << 64 |
           std::bitset<128>(std::stoull(hex.substr(16), nullptr, 16));
  };
  const std::string text = "seed = 1\nload = 0.5\n";
  const auto base = bits(hash_of(text));
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    std::string changed = text;
    changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << (bit % 8)));
    const auto distance = (bits(hash_of(changed)) ^ base).count();
    EXPECT_GT(distance, 32u) << bit;
    EXPECT_LT(distance, 96u) << bit;
  }
}

// Results are stored under this hash, so it must not change by accident.
TEST(Hash128, StaysTheSame) {
  EXPECT_EQ(hash_of(""), "2c0a8a99dc147d5445c3b49d035665b2");
  EXPECT_EQ(hash_of("weir, the same on every machine"), "cd25b15797f4a9263aa2483c0fd5c33f");
}

}  // namespace
}  // namespace weir
