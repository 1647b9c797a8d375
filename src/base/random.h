// Random streams keyed by (seed, purpose, entity). Each entity draws from its own stream, so a result never depends on
// the order in which entities happen to be served, nor on the number of threads. The distributions are our own: the
// standard library's differ between implementations.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace weir {

enum class Purpose : std::uint32_t {
  destination = 1, arrival, size, placement, permutation, marking, routing, jitter, start, backoff, test, failure
};

class RandomStream {
 public:
  RandomStream() = default;
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t entity)
      : state_(mix(mix(seed + kGolden) ^ mix((static_cast<std::uint64_t>(purpose) << 56) + entity))) {}

  std::uint64_t next() { return mix(state_ += kGolden); }

  // Uniform in [0, n); n > 0. Multiplication instead of division, with rejection: no bias.
  std::uint64_t below(std::uint64_t n) {
    auto product = static_cast<unsigned __int128>(next()) * n;
    auto low = static_cast<std::uint64_t>(product);
    if (low < n) {
      const std::uint64_t threshold = (0 - n) % n;
      while (low < threshold) {
        product = static_cast<unsigned __int128>(next()) * n;
        low = static_cast<std::uint64_t>(product);
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }
  // Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return unit() < probability; }
  // Exponential with mean 1; never 0 and never infinite.
  double exponential() { return -std::log((static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53); }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ull;
  static constexpr std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 0;
};

// Fisher-Yates with our own draws, so that every compiler gives the same permutation.
template <class Range>
void shuffle(Range& items, RandomStream& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.below(i)]);
}

}  // namespace weir
