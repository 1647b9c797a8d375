// A management datagram: 256 bytes, of which the header says what is asked of whom. Pure data; who carries it and who
// answers is elsewhere.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "mad/fields.h"

namespace weir::mad {

inline constexpr std::size_t kMadBytes = 256;
inline constexpr std::size_t kDataAt = 64;            // of the attribute, in all classes but for the congestion log
inline constexpr std::size_t kSmpDataBytes = 64;      // of subnet management
inline constexpr std::size_t kGsDataBytes = 192;      // of performance and congestion control
inline constexpr std::size_t kCongestionLogAt = 32;
inline constexpr std::size_t kPathAt = 128, kReturnPathAt = 192;  // of directed routes
inline constexpr std::uint32_t kMostHops = 63;
inline constexpr std::uint16_t kPermissiveLid = 0xffff;

enum class Class : std::uint8_t {
  subnet_lid = 0x01,
  subnet_administration = 0x03,
  performance = 0x04,
  congestion_control = 0x21,
  subnet_directed = 0x81,
};

enum class Method : std::uint8_t {
  get = 0x01,
  set = 0x02,
  send = 0x03,
  trap = 0x05,
  report = 0x06,
  trap_repress = 0x07,
  get_response = 0x81,
};
inline constexpr std::uint8_t kResponseBit = 0x80;

namespace status {
inline constexpr std::uint16_t kOk = 0, kBadVersion = 0x04, kBadMethod = 0x08, kBadAttribute = 0x0c,
                               kBadValue = 0x1c, kDirectionBit = 0x8000;
}

// Attributes; each class has its own numbers from 0x10 on.
inline constexpr std::uint16_t kClassPortInfo = 0x0001, kNotice = 0x0002;
namespace smp {
inline constexpr std::uint16_t kNodeDescription = 0x10, kNodeInfo = 0x11, kSwitchInfo = 0x12, kGuidInfo = 0x14,
                               kPortInfo = 0x15, kPartitionTable = 0x16, kLaneMap = 0x17, kLaneArbitration = 0x18,
                               kLinearTable = 0x19, kMulticastTable = 0x1b, kSmInfo = 0x20, kLedInfo = 0x31,
                               kExtendedPortInfo = 0xff90;
}
namespace perf {
inline constexpr std::uint16_t kPortCounters = 0x12, kPortCountersExtended = 0x1d, kLaneCongestion = 0x30,
                               kReceivedMarks = 0x31, kTransmitCongestion = 0x34, kLaneTransmitCongestion = 0x35;
}
namespace cc {
inline constexpr std::uint16_t kCongestionInfo = 0x11, kKeyInfo = 0x12, kCongestionLog = 0x13, kSwitchSetting = 0x14,
                               kSwitchPortSetting = 0x15, kAdapterSetting = 0x16, kTable = 0x17, kTimeStamp = 0x18;
}

class Mad {
 public:
  Mad() { bytes_.fill(0); }

  Class mgmt_class() const { return static_cast<Class>(bytes_[1]); }
  bool is(Class c) const { return mgmt_class() == c; }
  bool is_smp() const { return is(Class::subnet_lid) || is(Class::subnet_directed); }
  std::uint8_t class_version() const { return bytes_[2]; }
  std::uint8_t method() const { return bytes_[3]; }
  bool is(Method m) const { return method() == static_cast<std::uint8_t>(m); }
  bool is_response() const { return (method() & kResponseBit) != 0; }
  std::uint16_t status() const { return static_cast<std::uint16_t>(get_bytes(bytes_, 4, 2)); }
  std::uint8_t hop_pointer() const { return bytes_[6]; }
  std::uint8_t hop_count() const { return bytes_[7]; }
  std::uint64_t transaction() const { return get_bytes(bytes_, 8, 8); }
  std::uint16_t attribute() const { return static_cast<std::uint16_t>(get_bytes(bytes_, 16, 2)); }
  std::uint32_t modifier() const { return static_cast<std::uint32_t>(get_bytes(bytes_, 20, 4)); }
  std::uint64_t key() const { return get_bytes(bytes_, 24, 8); }  // M_Key or CC_Key

  void set_class(Class c, std::uint8_t version) {
    bytes_[0] = 1;
    bytes_[1] = static_cast<std::uint8_t>(c);
    bytes_[2] = version;
  }
  void set_method(Method m) { bytes_[3] = static_cast<std::uint8_t>(m); }
  void set_method(std::uint8_t m) { bytes_[3] = m; }
  void set_status(std::uint16_t s) { put_bytes(bytes_, 4, 2, s); }
  void set_hops(std::uint8_t pointer, std::uint8_t count) {
    bytes_[6] = pointer;
    bytes_[7] = count;
  }
  void set_transaction(std::uint64_t t) { put_bytes(bytes_, 8, 8, t); }
  void set_attribute(std::uint16_t attribute, std::uint32_t modifier) {
    put_bytes(bytes_, 16, 2, attribute);
    put_bytes(bytes_, 20, 4, modifier);
  }
  void set_modifier(std::uint32_t modifier) { put_bytes(bytes_, 20, 4, modifier); }
  void set_key(std::uint64_t key) { put_bytes(bytes_, 24, 8, key); }
  // Of directed routes: the LIDs of a way that is directed from end to end.
  void set_permissive_lids() {
    put_bytes(bytes_, 32, 2, kPermissiveLid);
    put_bytes(bytes_, 34, 2, kPermissiveLid);
  }

  std::span<std::uint8_t, kMadBytes> bytes() { return bytes_; }
  std::span<const std::uint8_t, kMadBytes> bytes() const { return bytes_; }
  // The attribute.
  std::span<std::uint8_t> data() { return bytes().subspan(data_at(), data_bytes()); }
  std::span<const std::uint8_t> data() const { return bytes().subspan(data_at(), data_bytes()); }
  std::uint8_t& path(std::size_t hop) { return bytes_[kPathAt + hop]; }
  std::uint8_t path(std::size_t hop) const { return bytes_[kPathAt + hop]; }
  std::uint8_t& return_path(std::size_t hop) { return bytes_[kReturnPathAt + hop]; }

 private:
  bool is_log() const { return is(Class::congestion_control) && attribute() == cc::kCongestionLog; }
  std::size_t data_at() const { return is_log() ? kCongestionLogAt : kDataAt; }
  std::size_t data_bytes() const { return is_smp() ? kSmpDataBytes : kMadBytes - data_at(); }

  std::array<std::uint8_t, kMadBytes> bytes_;
};

}  // namespace weir::mad
