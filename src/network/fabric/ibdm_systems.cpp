#include "network/fabric/ibdm_systems.h"

#include <algorithm>
#include <cctype>

namespace weir {

namespace {

using Kind = IbdmSystem::Kind;

constexpr IbdmSystem kSystems[] = {
    {"Cougar", Kind::adapter, 2},      {"MT23108", Kind::adapter, 2},     {"Lion", Kind::adapter, 2},
    {"MT25208", Kind::adapter, 2},     {"LionMini", Kind::adapter, 2},    {"MT25218", Kind::adapter, 2},
    {"Cheetah", Kind::adapter, 1},     {"MT25204", Kind::adapter, 1},     {"Eagle", Kind::adapter, 2},
    {"MT25408", Kind::adapter, 2},     {"MTS800", Kind::chip, 8},         {"Buffalo", Kind::chip, 8},
    {"MTS2400", Kind::chip, 24},       {"MTS2400-24", Kind::chip, 24},    {"Reindeer", Kind::chip, 24},
    {"MTS3600", Kind::chip, 36},       {"Shark", Kind::chip, 36},         {"IS4", Kind::chip, 36},
    {"SUNDCS36QDR", Kind::chip, 36},   {"NM2-36P", Kind::chip, 36},
    {"MTS14400", Kind::director, 24, 12, 2, 3}, {"Rhino", Kind::director, 24, 12, 2, 3},
    {"MTS3610", Kind::director, 36, 18, 9, 1},  {"Mammoth", Kind::director, 36, 18, 9, 1},
    {"IS5100", Kind::director, 36, 6, 3, 1},    {"IS5200", Kind::director, 36, 12, 6, 1},
    {"IS5300", Kind::director, 36, 18, 9, 1},   {"IS5600", Kind::director, 36, 36, 18, 1},
};

bool same_text(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

}  // namespace

const IbdmSystem* find_ibdm_system(std::string_view type) {
  const auto found = std::find_if(std::begin(kSystems), std::end(kSystems),
                                  [&](const IbdmSystem& s) { return same_text(s.type, type); });
  return found == std::end(kSystems) ? nullptr : &*found;
}

std::string known_ibdm_types() {
  std::string text;
  for (const Kind kind : {Kind::adapter, Kind::chip, Kind::director}) {
    text += kind == Kind::adapter ? "adapters " : kind == Kind::chip ? "; switches " : "; directors ";
    bool first = true;
    for (const IbdmSystem& system : kSystems) {
      if (system.kind != kind) continue;
      text += (first ? "" : ", ") + std::string(system.type);
      first = false;
    }
  }
  return text;
}

}  // namespace weir
