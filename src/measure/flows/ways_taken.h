// Which of the ways that the routes allow the packets of a flow take, as far as that is known without a run.
#pragma once
#include <cstdint>

namespace weir {

enum class WaysTaken : std::uint8_t {
  unknown,     // it depends on what happens under way
  by_default,  // the default one
  by_hash,     // one of several, by a hash of the flow (network/ecmp.h)
  all,         // each packet takes another one
};

}  // namespace weir
