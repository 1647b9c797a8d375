#include "report/page/pack.h"

#include <zlib.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace weir {

std::string base64(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? std::uint32_t{static_cast<std::uint8_t>(bytes[at])} : 0u;
    };
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    text += kDigits[group >> 18];
    text += kDigits[group >> 12 & 63];
    text += i + 1 < bytes.size() ? kDigits[group >> 6 & 63] : '=';
    text += i + 2 < bytes.size() ? kDigits[group & 63] : '=';
  }
  return text;
}

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw InputError("not enough memory to compress the report; run it with fewer measure.frames");
  out.resize(size);
  return out;
}

nlohmann::ordered_json packed(std::string_view bytes) { return {{"z", base64(deflated(bytes))}, {"n", bytes.size()}}; }

nlohmann::ordered_json packed(std::span<const std::int32_t> values) {
  std::string bytes;
  bytes.reserve(values.size() * 4);
  for (const std::int32_t value : values)
    for (int shift = 0; shift < 32; shift += 8)
      bytes += static_cast<char>(static_cast<std::uint32_t>(value) >> shift & 255);
  return packed(bytes);
}

std::string in_nibbles(std::span<const std::uint8_t> values) {
  std::string bytes((values.size() + 1) / 2, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    bytes[i / 2] = static_cast<char>(static_cast<std::uint8_t>(bytes[i / 2]) | (values[i] & 15) << (i % 2 * 4));
  return bytes;
}

}  // namespace weir
