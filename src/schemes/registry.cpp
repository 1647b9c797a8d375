#include "schemes/registry.h"

#include "schemes/none.h"
#include "schemes/window.h"

namespace weir {
namespace {

const SchemeInfo kSchemes[] = {
    {"none", "no congestion management: only the link-level flow control that keeps the fabric lossless", {},
     "[scheme]\nname = \"none\"", run_none},
    {"window", "static window: at most so many packets of a flow (or pair of hosts) unacknowledged", kWindowParams,
     "[scheme]\nname = \"window\"\npackets = 2", run_window},
};

}  // namespace

std::span<const SchemeInfo> schemes() { return kSchemes; }

const SchemeInfo& scheme_named(std::string_view name) {
  for (const SchemeInfo& info : kSchemes)
    if (info.name == name) return info;
  fail(__FILE__, __LINE__, "a scheme that is not registered");
}

std::vector<KindSpec> scheme_kinds() {
  std::vector<KindSpec> kinds;
  for (const SchemeInfo& info : kSchemes) kinds.push_back({info.name, info.summary, info.params, info.example});
  return kinds;
}

}  // namespace weir
