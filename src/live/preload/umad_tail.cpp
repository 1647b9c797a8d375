// A library for LD_PRELOAD, to stand behind Debian's libumad2sim (ibsim 0.10), of which it mends one thing: a buffer of
// 288 bytes is made for a datagram that is handed on with 320, header included. So the last 32 of the 256 bytes of
// every answer are lost, and what lies behind the buffer is taken for them. The PortXmitWait of 64 bits is among them.
//
// The thread that receives makes the buffer, and reads the datagram next. The buffer gets the bytes that it lacks when
// it is made, and their values when the datagram is read. Where libumad2sim makes larger buffers, nothing happens here.
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

constexpr std::size_t kMessage = 288, kMadAt = 32, kLengthAt = 24, kMad = 256;  // as they travel (live/sim_protocol.h)
constexpr std::size_t kHandedOn = 320, kTail = kHandedOn - kMessage;

thread_local std::uint8_t* buffer [[gnu::tls_model("initial-exec")]] = nullptr;  // the last one of this size

bool is_datagram(const std::uint8_t* message) {
  constexpr std::uint8_t kLength[8] = {0, 0, 0, 0, 0, 0, kMad >> 8, kMad & 0xff};
  return std::memcmp(message + kLengthAt, kLength, sizeof kLength) == 0 && message[kMadAt] == 1;
}

}  // namespace

extern "C" {

// NOLINTBEGIN: names of the C library
void* __libc_malloc(std::size_t size) noexcept;
ssize_t __read(int file, void* to, std::size_t size);
// NOLINTEND

// Programs can ask whether all bytes arrive.
[[gnu::visibility("default")]] extern const char weir_umad_tail = 1;

[[gnu::visibility("default")]] void* malloc(std::size_t size) noexcept {
  if (size != kMessage) return __libc_malloc(size);
  return buffer = static_cast<std::uint8_t*>(__libc_malloc(kHandedOn));
}

[[gnu::visibility("default")]] ssize_t read(int file, void* to, std::size_t size) {
  const ssize_t got = __read(file, to, size);
  if (size != kMessage || got != static_cast<ssize_t>(kMessage) || buffer == nullptr) return got;
  const auto* message = static_cast<const std::uint8_t*>(to);
  if (is_datagram(message)) std::memcpy(buffer + kMessage, message + kMessage - kTail, kTail);
  buffer = nullptr;
  return got;
}
}
