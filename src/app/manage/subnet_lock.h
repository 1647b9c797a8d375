// One acting manager per subnet and machine, whatever its --state: a socket name that the kernel gives to one process
// only, and takes back however that process ends. Managers on other machines are noticed by what they do
// (manage/manager.h).
#pragma once
#include <cstdint>
#include <string>

namespace weir {

class SubnetLock {
 public:
  // An InputError if somebody has it. `where`: the simulated fabric that stands for a device, if there is one.
  SubnetLock(std::uint64_t subnet, const std::string& where);
  ~SubnetLock();
  SubnetLock(const SubnetLock&) = delete;
  SubnetLock& operator=(const SubnetLock&) = delete;

 private:
  int socket_ = -1;
};

}  // namespace weir
