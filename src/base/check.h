// Assertions that hold in every run of ours. WEIR_CHECK stays on in test builds (WEIR_CHECKS) and costs nothing
// elsewhere; fail() is for what must never happen, in any build.
#pragma once
#include <cstdio>
#include <cstdlib>

namespace weir {

[[noreturn]] inline void fail(const char* file, int line, const char* what) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, what);
  std::abort();
}

#ifdef WEIR_CHECKS
inline constexpr bool kChecks = true;
#else
inline constexpr bool kChecks = false;
#endif

}  // namespace weir

#define WEIR_CHECK(condition)                                                              \
  do {                                                                                     \
    if (::weir::kChecks && !(condition)) ::weir::fail(__FILE__, __LINE__, #condition);     \
  } while (false)
