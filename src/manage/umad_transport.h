// Datagrams through a device of this machine, by libibumad.
#pragma once
#include <map>
#include <memory>
#include <string>

#include "manage/transport.h"

namespace weir::manage {

// Was libibumad there when weir was built?
bool has_umad();

struct UmadOptions {
  std::string device;  // empty: the first one
  int port = 0;        // 0: the first one that is up
  int timeout_ms = 200;
  int retries = 2;
  std::uint32_t outstanding = 64;
};
// An InputError where there is no device, or no right to use it.
std::unique_ptr<Transport> open_umad(const UmadOptions& options);

}  // namespace weir::manage
