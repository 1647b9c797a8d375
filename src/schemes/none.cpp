// No congestion management: what every other scheme is compared with.
#include "schemes/packet_scheme.h"

namespace weir {
namespace {

ConfiguredScheme configure_none(const Section&, const RunInput& run) {
  return packet_scheme(run, [] { return SchemeHooks{}; });
}

}  // namespace

extern const SchemeInfo none_scheme{
    "none",
    SchemeTag::hardware,
    "no congestion management: only the link-level flow control that keeps the fabric lossless",
    {},
    "[scheme]\nname = \"none\"",
    configure_none};

}  // namespace weir
