// The systems that ibdm topology files name by type: adapters, switches of one chip, and directors, whose leaves and
// spines are chips of their own. Only what routing needs to know: how many ports, and which chips are wired to which.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

struct IbdmSystem {
  enum class Kind : std::uint8_t { adapter, chip, director };
  std::string_view type;
  Kind kind = Kind::adapter;
  std::uint32_t ports = 0;  // of an adapter, or of each chip
  // Director: half of a leaf's ports are on the front panel, the other half is spread evenly over all spine chips.
  std::uint32_t leaves = 0;
  std::uint32_t spine_boards = 0;
  std::uint32_t chips_per_board = 1;

  std::uint32_t front_ports() const { return ports / 2; }  // of a leaf
  std::uint32_t spine_chips() const { return spine_boards * chips_per_board; }
  std::uint32_t links_per_spine_chip() const { return front_ports() / spine_chips(); }
};

// Null where the type is unknown. Types are told apart whatever their case.
const IbdmSystem* find_ibdm_system(std::string_view type);
std::string known_ibdm_types();  // for messages

}  // namespace weir
