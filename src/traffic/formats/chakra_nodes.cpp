#include "traffic/formats/chakra_nodes.h"

#include <zlib.h>

#include "base/file_text.h"
#include "traffic/formats/wire.h"

namespace weir {

namespace {

constexpr std::size_t kMostNodes = 10'000'000;

// Numbers of any of the types that an attribute may have; other values are none.
std::optional<std::int64_t> whole_number(const WireField& f) {
  switch (f.number) {
    case 7:   // int32
    case 9:   // int64
    case 11:  // uint32
    case 13:  // uint64
    case 27:  // bool
    case 21:  // fixed64
    case 25:  // sfixed64
      return static_cast<std::int64_t>(f.value);
    case 19:  // fixed32
      return static_cast<std::int64_t>(f.value);
    case 23:  // sfixed32
      return static_cast<std::int32_t>(f.value);
    case 15:  // sint32
    case 17:  // sint64
      return static_cast<std::int64_t>(f.value >> 1 ^ (~(f.value & 1) + 1));
    default:
      return std::nullopt;
  }
}

bool has_false(const WireField& list) {
  bool found = false;
  for (WireReader r(list.bytes, list.bytes_place); !r.at_end();) {
    const WireField f = r.field();
    if (f.number != 1) continue;
    if (f.type == 0) found = found || f.value == 0;
    for (WireReader packed(f.bytes, f.bytes_place); !packed.at_end();) found = packed.varint() == 0 || found;
  }
  return found;
}

void read_attribute(const WireField& attribute, ChakraNode& node) {
  std::string_view name;
  std::optional<WireField> value;
  for (WireReader r(attribute.bytes, attribute.bytes_place); !r.at_end();) {
    const WireField f = r.field();
    if (f.number == 1)
      name = f.bytes;
    else if (f.number > 2)
      value = f;
  }
  if (!value) return;
  const auto number = [&] {
    const std::optional<std::int64_t> whole = whole_number(*value);
    if (!whole) throw WireError(value->place, std::string(name) + ": must be a whole number");
    return *whole;
  };
  if (name == "comm_type") node.operation = number();
  if (name == "comm_size") node.bytes = number();
  if (name == "comm_src") node.source = number();
  if (name == "comm_dst") node.destination = number();
  if (name == "comm_tag") node.tag = number();
  if (name == "pg_name" && value->number == 29) node.group = value->bytes;
  if (name == "involved_dim" && value->number == 28) node.only_some_dimensions = has_false(*value);
}

void read_dependencies(const WireField& f, std::vector<std::uint64_t>& ids) {
  if (f.type == 0) ids.push_back(f.value);
  for (WireReader packed(f.bytes, f.bytes_place); !packed.at_end();) ids.push_back(packed.varint());
}

ChakraNode read_node(std::string_view bytes, std::size_t place) {
  ChakraNode node;
  node.place = place;
  for (WireReader r(bytes, place); !r.at_end();) {
    const WireField f = r.field();
    const bool is_number = f.number == 1 || f.number == 3 || f.number == 7;
    if ((is_number && f.type != 0) || (f.number == 10 && f.type != 2))
      throw WireError(f.place, "field " + std::to_string(f.number) + " of a node has another type");
    if (f.number == 1) node.id = f.value;
    if (f.number == 3) {
      if (f.value > static_cast<std::uint64_t>(ChakraType::collective))
        throw WireError(f.place, "unknown type of a node: " + std::to_string(f.value));
      node.type = static_cast<ChakraType>(f.value);
    }
    if (f.number == 4) read_dependencies(f, node.control);
    if (f.number == 5) read_dependencies(f, node.data);
    if (f.number == 7) node.microseconds = f.value;
    if (f.number == 10) read_attribute(f, node);
  }
  return node;
}

// Version and attributes. A node in its place has numbers where the version is a text.
void check_metadata(std::string_view bytes, std::size_t place) {
  for (WireReader r(bytes, place); !r.at_end();) {
    const WireField f = r.field();
    if (f.number > 2 || f.type != 2)
      throw WireError(place, "a trace begins with its GlobalMetadata, and this is something else");
  }
}

}  // namespace

std::vector<ChakraNode> parse_chakra_nodes(std::string_view bytes) {
  WireReader messages(bytes, 0);
  if (messages.at_end()) throw WireError(0, "the file is empty");
  const std::string_view metadata = messages.block();
  check_metadata(metadata, messages.place() - metadata.size());
  std::vector<ChakraNode> nodes;
  while (!messages.at_end()) {
    const std::size_t place = messages.place();
    const std::string_view node = messages.block();
    if (nodes.size() == kMostNodes) throw WireError(place, "more than 10,000,000 nodes in one file");
    nodes.push_back(read_node(node, messages.place() - node.size()));
  }
  return nodes;
}

std::string unpacked(std::string bytes) {
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  z_stream stream{};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) throw WireError(0, "not enough memory to unpack the file");
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());  // a file has 2^30 bytes at most
  std::string result;
  int status = Z_OK;
  char piece[1 << 16];
  while (status == Z_OK && result.size() <= kLargestFile) {
    stream.next_out = reinterpret_cast<Bytef*>(piece);
    stream.avail_out = sizeof piece;
    status = inflate(&stream, Z_NO_FLUSH);
    result.append(piece, sizeof piece - stream.avail_out);
  }
  const std::size_t at = bytes.size() - stream.avail_in;
  inflateEnd(&stream);
  if (result.size() > kLargestFile) throw WireError(at, "unpacked, it is larger than 1024 MiB");
  if (status != Z_STREAM_END) throw WireError(at, "cannot be unpacked, as if it were damaged or cut short");
  return result;
}

}  // namespace weir
