// Throws arbitrary bytes at the reader of forwarding tables, and what it accepts at a small fabric. Both may refuse
// only with an InputError; routes that are accepted must lead from every host to every other.
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "network/fabric/forwarding_dump.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace {

using namespace weir;

const Topology& fabric() {
  static const LinkProperties link{Rate{8'000'000'000}, Time{1000}, 0};
  static const Topology topology = k_ary_n_tree({2, 2, 0}, link, link);
  return topology;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const Gaps gaps : {Gaps::refuse, Gaps::min_hop}) {
    try {
      const RouteTable routes = forwarding_routes(fabric(), parse_forwarding("fuzz.lfts", text), gaps);
      for (std::uint32_t a = 0; a < fabric().hosts(); ++a)
        for (std::uint32_t b = 0; b < fabric().hosts(); ++b) default_path(fabric(), routes, {a}, {b});
    } catch (const InputError&) {
    }
  }
  return 0;
}
