// What a flow control registers: flow_control.h says what it is, flow_controls.h has the list.
#pragma once
#include "packet/config/component.h"

namespace weir {

struct FlowControlKind {
  ComponentSpec spec;
  // The sender counts the space at the far end. Otherwise it sends until it is stopped.
  bool by_credits = false;
  // A key for the memory that all inputs of a switch share, where they do and have no `buffer` of their own.
  std::string_view memory_key = {};

  static std::span<const FlowControlKind* const> all();
};

}  // namespace weir
