#include "packet/flow_control/flow_controls.h"

namespace weir {
namespace {

template <class... Types>
std::span<const FlowControlKind* const> kinds_of(const std::variant<Types...>*) {
  static constexpr const FlowControlKind* kKinds[] = {&Types::kKind...};
  return kKinds;
}

}  // namespace

std::span<const FlowControlKind* const> FlowControlKind::all() {
  return kinds_of(static_cast<const FlowControls*>(nullptr));
}

}  // namespace weir
