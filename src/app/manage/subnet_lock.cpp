#include "app/manage/subnet_lock.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.h"

namespace weir {

SubnetLock::SubnetLock(std::uint64_t subnet, const std::string& where)
    : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  const std::string name = fmt::format("weir-manage-{:016x}-{}", subnet, where).substr(0, 100);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // behind a zero: it is no file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (socket_ >= 0 && ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), length) == 0) return;
  const int why = errno;
  if (socket_ >= 0) ::close(socket_);
  if (why == EADDRINUSE)
    throw InputError("another manager of this subnet acts on this machine, with another --state: stop it first, or "
                     "leave out --act");
  throw InputError(std::string("cannot make sure that no other manager acts on this machine: ") + std::strerror(why));
}

SubnetLock::~SubnetLock() { ::close(socket_); }

}  // namespace weir
