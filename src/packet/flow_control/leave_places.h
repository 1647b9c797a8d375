// Places for departures from an input buffer that are known: when each leaves, how much, and what of it the sender has
// not counted yet. Times are kept as their low 32 bits, within 2^31 ps of a moment that the owner gives (`base`).
#pragma once
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace weir {

template <std::size_t N>
struct LeavePlaces {
  static_assert(N % 4 == 0 && std::endian::native == std::endian::little);

  std::uint32_t at[N] = {};
  std::uint16_t leaves[N] = {};   // what leaves then
  std::uint16_t returns[N] = {};  // what the sender will know of a while later; 0 once it was counted

  std::int32_t offset(std::size_t place, std::int64_t base) const {
    return static_cast<std::int32_t>(at[place] - static_cast<std::uint32_t>(base));
  }
  // What leaves after this moment, relative to `base`.
  [[gnu::always_inline]] std::int32_t leaves_after(std::int32_t moment, std::int64_t base) const {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < N; i += 4) sum += sum_of(four(leaves + i) & after(i, moment, base));
    return sum;
  }
  // Nobody needs to know any more what left by `moment`; N if there is no such place.
  [[gnu::always_inline]] std::size_t free(std::int64_t moment) const {
    for (std::size_t i = 0; i < N; i += 4)
      if (const std::uint64_t taken = after(i, 0, moment); taken != ~std::uint64_t{0})
        return i + static_cast<std::size_t>(std::countr_one(taken)) / 16;
    return N;
  }
  // Returns what was left there for the sender to count.
  [[gnu::always_inline]] std::uint16_t take(std::size_t place, std::int64_t when, std::int32_t cost,
                                            std::int32_t returned) {
    const std::uint16_t before = returns[place];
    at[place] = static_cast<std::uint32_t>(when);
    leaves[place] = static_cast<std::uint16_t>(cost);
    returns[place] = static_cast<std::uint16_t>(returned);
    return before;
  }
  // Empties places of what left by `moment`; returns what the sender has to count of it.
  std::int32_t forget(std::int64_t moment) {
    std::int32_t returned = 0;
    for (std::size_t i = 0; i < N; ++i)
      if (offset(i, moment) <= 0) returned += take(i, moment, 0, 0);
    return returned;
  }
  [[gnu::always_inline]] bool all_free(std::int64_t moment) const {
    std::uint64_t taken = 0;
    for (std::size_t i = 0; i < N; i += 4) taken |= after(i, 0, moment);
    return taken == 0;
  }
  // What the sender finds of departures up to `until`, relative to `base`.
  std::int32_t returned(std::int64_t until, std::int64_t base) const {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < N; ++i) sum += offset(i, base) <= until ? returns[i] : 0;
    return sum;
  }
  [[gnu::always_inline]] std::int32_t take_returned(std::int64_t until, std::int64_t base) {
    using Limits = std::numeric_limits<std::int32_t>;
    const auto last = static_cast<std::int32_t>(std::clamp<std::int64_t>(until, Limits::min(), Limits::max()));
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < N; i += 4) {
      const std::uint64_t costs = four(returns + i), later = after(i, last, base);
      const std::uint64_t left = costs & later;
      std::memcpy(returns + i, &left, sizeof left);
      sum += sum_of(costs & ~later);
    }
    return sum;
  }

 private:
  // The lower halves of four words that have all bits or none.
  template <class Words>
  [[gnu::always_inline]] static std::uint64_t halves(Words words) {
#ifdef __SSE2__
    const auto both = reinterpret_cast<__m128i>(words);
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_packs_epi32(both, both)));
#else
    using Halves [[gnu::vector_size(8)]] = std::int16_t;
    return std::bit_cast<std::uint64_t>(__builtin_convertvector(words, Halves));
#endif
  }
  [[gnu::always_inline]] static std::uint64_t four(const std::uint16_t* from) {
    std::uint64_t values;
    std::memcpy(&values, from, sizeof values);
    return values;
  }
  [[gnu::always_inline]] static std::int32_t sum_of(std::uint64_t four) {
    constexpr std::uint64_t kOthers = 0x0000ffff0000ffffu;
    const std::uint64_t pairs = (four & kOthers) + (four >> 16 & kOthers);
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(pairs) + static_cast<std::uint32_t>(pairs >> 32));
  }
  // Of four places, 16 bits for each: all bits of those that leave after this moment, relative to `base`.
  [[gnu::always_inline]] std::uint64_t after(std::size_t first, std::int32_t moment, std::int64_t base) const {
    using Times [[gnu::vector_size(16)]] = std::uint32_t;
    using Offsets [[gnu::vector_size(16)]] = std::int32_t;
    Times times;
    std::memcpy(&times, at + first, sizeof times);
    return halves(reinterpret_cast<Offsets>(times - static_cast<std::uint32_t>(base)) > moment);
  }
};

}  // namespace weir
