// What an action is refused with, for tests of messages; "no error" if it is not refused.
#pragma once
#include <string>

#include "base/error.h"

namespace weir {

inline std::string error_of(auto&& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace weir
