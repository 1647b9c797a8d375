// What travels over the sockets between the library umad2sim and its server, as structures in the byte order of this
// machine, but where a name says otherwise.
#pragma once
#include <array>
#include <cstdint>

namespace weir::live::sim {

enum class Type : std::uint32_t {
  error = 0,
  connect = 1,
  disconnect = 2,
  get_port = 3,
  get_vendor = 4,
  get_gid = 5,
  get_guid = 6,
  get_node_info = 7,
  get_port_info = 8,
  set_is_sm = 9,
  get_partitions = 10,
};
inline constexpr std::uint32_t kMagic = 0xdeadbeef;

struct Control {
  std::uint32_t magic = kMagic;
  std::uint32_t client = 0;
  std::uint32_t type = 0;
  std::uint32_t length = 0;
  std::array<std::uint8_t, 64> data = {};
};
static_assert(sizeof(Control) == 80);

struct Connect {
  std::uint32_t pid = 0;  // in the answer: the number of the client
  std::uint32_t queue_pair = 0, is_sm = 0;
  char node[32] = {};
};
static_assert(sizeof(Connect) == 44);

struct Data {
  std::uint32_t destination_lid = 0, source_lid = 0;  // 16 bits, big-endian, then zeros
  std::uint32_t destination_pair = 0, source_pair = 0;  // big-endian
  std::uint32_t status = 0;
  std::uint32_t padding = 0;
  std::uint64_t length = 0;  // big-endian
  std::array<std::uint8_t, 256> mad = {};
};
static_assert(sizeof(Data) == 288);

}  // namespace weir::live::sim
