// The 128-bit hash that names configurations: XXH3, the same on every machine. It tells configurations apart; it is no
// defence against somebody who looks for collisions.
#pragma once
#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace weir {

// Stored with results, so that a file whose hashes were made in another way is not taken for another scenario's.
inline constexpr std::string_view kHashName = "XXH3-128";

class Hash128 {
 public:
  Hash128() : state_(XXH3_createState()) {
    if (!state_) throw std::bad_alloc();
    XXH3_128bits_reset(state_.get());
  }

  // Each piece enters with its length: add("ab"), add("c") differs from add("a"), add("bc").
  void add(std::string_view bytes) {
    char length[8];
    for (int i = 0; i < 8; ++i) length[i] = static_cast<char>(std::uint64_t{bytes.size()} >> (8 * i));
    XXH3_128bits_update(state_.get(), length, sizeof length);
    XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
  }

  std::string hex() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(state_.get()));
    std::string digits;
    for (const unsigned char byte : canonical.digest) {
      digits += "0123456789abcdef"[byte >> 4];
      digits += "0123456789abcdef"[byte & 15];
    }
    return digits;
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

}  // namespace weir
