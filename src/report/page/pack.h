// Large tables inside the report's page: deflated, then base64. A fabric of 4096 hosts has 50,000 ports whose state is
// kept for 64 moments; as JSON numbers that would be tens of megabytes. Browsers inflate it by themselves.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

std::string base64(std::string_view bytes);
std::string deflated(std::string_view bytes);  // zlib format

// {"z": base64 of the deflated bytes, "n": their number before}
nlohmann::ordered_json packed(std::string_view bytes);
nlohmann::ordered_json packed(std::span<const std::int32_t> values);  // little endian

// Two values of 0..15 per byte, the first one in the low half.
std::string in_nibbles(std::span<const std::uint8_t> values);

}  // namespace weir
