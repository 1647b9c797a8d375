// What a scenario may say: the tables of all layers, gathered.
#pragma once
#include <cstdint>
#include <string_view>

#include "scenario/spec.h"

namespace weir {

const Vocabulary& vocabulary();

enum class EngineKind : std::uint8_t { packet, fluid };
inline constexpr std::string_view kEngines[] = {"packet", "fluid"};

}  // namespace weir
