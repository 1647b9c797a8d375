// What report/page/pack.h packed, as a browser would read it: for tests that look into a page.
#pragma once
#include <gtest/gtest.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <string>

namespace weir {

inline std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, value = 0;
  for (const char c : text) {
    if (c == '=') break;
    value = value << 6 | static_cast<unsigned>(digits.find(c));
    if ((bits += 6) >= 8) out += static_cast<char>(value >> (bits -= 8) & 255);
  }
  return out;
}

inline std::string unpacked(const nlohmann::ordered_json& packed_data) {
  const std::string deflated_bytes = from_base64(packed_data["z"]);
  std::string out(packed_data["n"].get<std::size_t>(), '\0');
  uLongf size = out.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                                reinterpret_cast<const Bytef*>(deflated_bytes.data()), deflated_bytes.size());
  EXPECT_EQ(status, Z_OK);
  EXPECT_EQ(size, out.size());
  return out;
}

}  // namespace weir
