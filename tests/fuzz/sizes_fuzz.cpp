// Throws arbitrary bytes at the reader of size distributions. It may refuse them only with an InputError; what it
// accepts must give sizes of at least one byte, and a mean between the smallest and the largest.
#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "traffic/arrivals/size_distribution.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "{}\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir;
  try {
    const SizeDistribution sizes =
        parse_sizes("fuzz.cdf", std::string_view(reinterpret_cast<const char*>(data), size));
    const auto most = static_cast<double>(sizes.points().back().bytes);
    Bytes last = 1;
    for (int i = 1; i <= 64; ++i) {
      const Bytes drawn = sizes.at(i / 64.0);
      require(drawn >= last, "a larger share has a smaller size");
      last = drawn;
    }
    require(sizes.mean_bytes() >= 0.999 && sizes.mean_bytes() <= most * 1.001, "the mean lies outside");
    const double packets = sizes.mean_packets(1);
    require(packets >= 0.999 && packets <= most * 1.001, "the mean of packets lies outside");
  } catch (const InputError&) {
  }
  return 0;
}
