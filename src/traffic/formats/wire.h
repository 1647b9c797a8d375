// The wire format of protocol buffers, as far as Chakra's traces need it: fields with a number and a wire type (0
// varint, 1 eight bytes, 2 bytes with their length, 5 four bytes).
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir {

// What is wrong, and at which byte of the file.
class WireError : public std::runtime_error {
 public:
  WireError(std::size_t byte, const std::string& what) : std::runtime_error(what), byte_(byte) {}
  std::size_t byte() const { return byte_; }

 private:
  std::size_t byte_;
};

struct WireField {
  std::uint32_t number = 0;
  std::uint32_t type = 0;
  std::uint64_t value = 0;     // varint and fixed ones
  std::string_view bytes;      // of type 2
  std::size_t place = 0;       // of the field
  std::size_t bytes_place = 0;
};

// Goes through a part of a file. Both are kept by whoever reads.
class WireReader {
 public:
  WireReader(std::string_view bytes, std::size_t place) : bytes_(bytes), origin_(place) {}

  bool at_end() const { return at_ == bytes_.size(); }
  std::size_t place() const { return origin_ + at_; }

  std::uint64_t varint() {
    const std::size_t from = place();
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_end()) throw WireError(place(), "the file ends within a number");
      const auto byte = static_cast<std::uint8_t>(bytes_[at_++]);
      value |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw WireError(from, "a number of more than ten bytes");
  }
  // A message or text behind its length.
  std::string_view block() {
    const std::size_t from = place();
    const std::uint64_t size = varint();
    if (size > bytes_.size() - at_)
      throw WireError(from, "a block of " + std::to_string(size) + " bytes, but only " +
                                std::to_string(bytes_.size() - at_) + " follow");
    const std::string_view result = bytes_.substr(at_, size);
    at_ += size;
    return result;
  }
  WireField field() {
    WireField f;
    f.place = place();
    const std::uint64_t key = varint();
    f.number = static_cast<std::uint32_t>(key >> 3);
    f.type = static_cast<std::uint32_t>(key & 7);
    if (f.number == 0 || key >> 3 > 0x1fffffff) throw WireError(f.place, "this is no field of a message");
    if (f.type == 0) {
      f.value = varint();
    } else if (f.type == 1 || f.type == 5) {
      f.value = fixed(f.type == 1 ? 8 : 4);
    } else if (f.type == 2) {
      f.bytes = block();
      f.bytes_place = place() - f.bytes.size();
    } else {
      throw WireError(f.place, "wire type " + std::to_string(f.type) + " does not occur in Chakra's traces");
    }
    return f;
  }

 private:
  std::uint64_t fixed(std::size_t size) {
    if (bytes_.size() - at_ < size) throw WireError(place(), "the file ends within a number");
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= std::uint64_t{static_cast<std::uint8_t>(bytes_[at_ + i])} << 8 * i;
    at_ += size;
    return value;
  }

  std::string_view bytes_;
  std::size_t origin_, at_ = 0;
};

class WireWriter {
 public:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
  }
  void block(std::uint32_t field, std::string_view bytes) {
    varint(std::uint64_t{field} << 3 | 2);
    message(bytes);
  }
  void message(std::string_view bytes) {  // behind its length
    varint(bytes.size());
    bytes_ += bytes;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

}  // namespace weir
