// Programs that take a served fabric for a device: the environment that they need, and one that runs in it.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <set>
#include <string>

namespace weir {

class SimTool {
 public:
  // By the shell, in a process group of its own. An InputError where the library is not installed.
  SimTool(const std::string& command, const std::string& socket);
  ~SimTool();  // ends it, if it still runs
  SimTool(const SimTool&) = delete;
  SimTool& operator=(const SimTool&) = delete;

  bool has_ended();
  int exit_code() const { return code_; }

  // Lines for the shell of users who start tools themselves; weir is in PATH then, which share/weir-read-counters asks.
  static std::string environment_text(const std::string& socket);
  // What tools take if nobody names one; or one that nobody else has.
  static std::string usual_socket(bool own);
  // libumad2sim.so of Debian's package ibsim-utils; empty where it is not installed.
  static std::string library();
  // libweir-umad.so (live/preload/), beside the program or in lib/weir; empty where it is not.
  static std::string own_library();

 private:
  // Both, weir's own behind the other, separated as LD_PRELOAD wants it.
  static std::string libraries();

  pid_t pid_ = -1;
  int code_ = 0;
  bool ended_ = false;
  std::filesystem::path scratch_;  // opensm's cache and the files that the library makes
  std::set<std::filesystem::path> devices_;  // sys-PID in the working directory, from before
};

}  // namespace weir
