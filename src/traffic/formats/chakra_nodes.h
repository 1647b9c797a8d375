// The nodes of one of Chakra's files.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

enum class ChakraType : std::uint8_t { invalid, metadata, load, store, compute, send, receive, collective };

struct ChakraNode {
  std::uint64_t id = 0;
  ChakraType type = ChakraType::invalid;
  std::uint64_t microseconds = 0;
  std::vector<std::uint64_t> control, data;  // ids of nodes that it depends on
  std::size_t place = 0;                     // byte of the file
  std::optional<std::int64_t> operation, bytes, source, destination;
  std::int64_t tag = 0;
  std::string_view group;             // name of the process group
  bool only_some_dimensions = false;  // of the network, which the trace does not describe
};

// A WireError has the byte. The bytes must outlive the nodes.
std::vector<ChakraNode> parse_chakra_nodes(std::string_view bytes);

// What a file packed by gzip holds; other bytes as they are.
std::string unpacked(std::string bytes);

}  // namespace weir
