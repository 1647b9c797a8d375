#include "app/sim_tools.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "app/process.h"
#include "app/report_file.h"
#include "base/error.h"

namespace weir {
namespace {

constexpr const char* kMissing =
    "libumad2sim.so, which connects tools to a simulated fabric, is not installed; it is in Debian's packages "
    "ibsim-utils and libumad2sim0";

std::filesystem::path own_directory() {
  std::error_code missing;
  return std::filesystem::read_symlink("/proc/self/exe", missing).parent_path();
}

// libumad2sim makes a directory sys-PID for each program, with the files of its device. One that is killed leaves it.
std::set<std::filesystem::path> devices_of_tools() {
  std::set<std::filesystem::path> found;
  std::error_code unreadable;
  for (const auto& entry : std::filesystem::directory_iterator(".", unreadable)) {
    const std::string name = entry.path().filename().string();
    const bool is_numbered = name.size() > 4 && name.find_first_not_of("0123456789", 4) == name.npos;
    if (name.starts_with("sys-") && is_numbered &&
        std::filesystem::exists(entry.path() / "sys" / "class" / "infiniband", unreadable))
      found.insert(entry.path());
  }
  return found;
}

bool tool_runs(const std::filesystem::path& device) {
  return ::kill(std::atoi(device.filename().c_str() + 4), 0) == 0 || errno != ESRCH;
}

// Commands call weir by its name, too, and mean this one.
std::string path_with_weir() {
  const char* path = std::getenv("PATH");
  return own_directory().string() + (path != nullptr && *path != 0 ? std::string(":") + path : "");
}

}  // namespace

std::string SimTool::library() {
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/lib", missing)) {
    const std::filesystem::path file = entry.path() / "umad2sim" / "libumad2sim.so";
    if (std::filesystem::exists(file, missing)) return file.string();
  }
  return "";
}

std::string SimTool::own_library() {
  std::error_code missing;
  const std::filesystem::path here = own_directory();
  for (const std::filesystem::path& place : {here, here.parent_path() / "lib" / "weir"})
    if (const auto tail = place / "libweir-umad.so"; std::filesystem::exists(tail, missing)) return tail.string();
  return "";
}

std::string SimTool::libraries() {
  const std::string file = library(), tail = own_library();
  if (file.empty()) throw InputError(kMissing);
  return tail.empty() ? file : file + ":" + tail;
}

std::string SimTool::usual_socket(bool own) {
  if (own) return fmt::format("weir-{}", ::getpid());
  const char* given = std::getenv("IBSIM_SOCKNAME");
  return given != nullptr && *given != 0 ? given : "sim";
}

std::string SimTool::environment_text(const std::string& socket) {
  return fmt::format("  export PATH={}:\"$PATH\"\n  export IBSIM_SOCKNAME={}\n  export LD_PRELOAD={}",
                     shell_word(own_directory().string()), shell_word(socket), shell_word(libraries()));
}

SimTool::SimTool(const std::string& command, const std::string& socket) {
  const std::string preloaded = libraries(), path = path_with_weir();
  std::string name = (std::filesystem::temp_directory_path() / "weir-fabric.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw InputError("cannot make a directory like " + name);
  scratch_ = name;
  devices_ = devices_of_tools();
  flush_output();
  pid_ = ::fork();
  if (pid_ < 0) throw InputError(std::string("cannot start a process: ") + std::strerror(errno));
  if (pid_ > 0) {
    ::setpgid(pid_, pid_);
    return;
  }
  ::setpgid(0, 0);
  release_signals();
  ::setenv("IBSIM_SOCKNAME", socket.c_str(), 1);
  ::setenv("OSM_CACHE_DIR", scratch_.c_str(), 1);
  ::setenv("OSM_TMP_DIR", scratch_.c_str(), 1);
  ::setenv("WEIR_UMAD2SIM", preloaded.c_str(), 1);
  ::setenv("PATH", path.c_str(), 1);
  // The libraries are for the tools, not for the shell that starts them.
  const std::string script = "export LD_PRELOAD=\"$WEIR_UMAD2SIM\"\n" + command;
  ::execl("/bin/sh", "sh", "-c", script.c_str(), static_cast<char*>(nullptr));
  ::_exit(127);
}

bool SimTool::has_ended() {
  int status = 0;
  if (!ended_ && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    ended_ = true;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return ended_;
}

SimTool::~SimTool() {
  // What the command has left running as well: without the fabric it could only hang, so there is no patience with it.
  const int patience = has_ended() ? 5 : 100;
  const auto runs = [&] { return !has_ended() || ::kill(-pid_, 0) == 0; };
  ::kill(-pid_, SIGTERM);
  for (int i = 0; i < patience && runs(); ++i) ::usleep(20'000);
  ::kill(-pid_, SIGKILL);
  if (!ended_) ::waitpid(pid_, nullptr, 0);
  std::error_code ignored;
  std::filesystem::remove_all(scratch_, ignored);
  for (const auto& device : devices_of_tools())
    if (!devices_.contains(device) && !tool_runs(device)) std::filesystem::remove_all(device, ignored);
}

}  // namespace weir
