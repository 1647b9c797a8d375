#include "app/process.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/memory.h"
#include "report/terminal/terminal_text.h"
#include "store/files/scratch.h"

namespace weir {
namespace {

constexpr int kPipeClosed = 128 + SIGPIPE;  // by `head`, say: as a program ends that does not ignore the signal

// Never destroyed: the thread that takes signals outlives main().
struct Process {
  std::mutex mutex;
  std::function<std::string()> words;
  std::atomic<bool> watched{false}, ending{false};
  std::atomic<int> interruption{0};
  sigset_t signals{};
};

Process& process() {
  static auto* const the = new Process;
  return *the;
}

// A file that is opened later must not become a standard stream. What nobody takes is then an error of the write.
void fill_closed_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1 && ::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
}

std::string kept_words() {
  const std::unique_lock lock(process().mutex, std::try_to_lock);
  return lock.owns_lock() && process().words ? process().words() : "";
}

[[noreturn]] void end_by(int signal) {
  process().ending = true;
  remove_scratch();
  if (const std::string words = kept_words(); !words.empty()) note("weir: interrupted; {}\n", words);
  ::signal(signal, SIG_DFL);
  release_signals();
  ::raise(signal);
  ::_exit(128 + signal);
}

void take_signals() {
  for (;;) {
    int signal = 0;
    if (sigwait(&process().signals, &signal) != 0) continue;
    int none = 0;
    if (process().watched && process().interruption.compare_exchange_strong(none, signal)) continue;
    end_by(signal);
  }
}

// Whoever fails because of what end_by() does has nothing to say about it.
void wait_for_end() {
  while (process().ending) ::pause();
}

}  // namespace

void begin_process() {
  fill_closed_streams();
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  sigset_t& signals = process().signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaddset(&signals, signal);  // nohup has said what it wants
  }
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread(take_signals).detach();
}

std::string without_controls(std::string text) {
  for (char& c : text)
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n') || c == '\x7f') c = '?';
  return text;
}

int report_error(const std::exception& error) {
  wait_for_end();
  const auto* of_system = dynamic_cast<const std::system_error*>(&error);
  if (of_system != nullptr && std::ferror(stdout) != 0) {
    if (of_system->code().value() == EPIPE) return kPipeClosed;
    note("weir: cannot write to standard output: {}\n", of_system->code().message());
  } else {
    note("weir: {}\n", error_text(error));
  }
  return 2;
}

int end_process(int code) {
  wait_for_end();
  if (code == kPipeClosed) return code;
  const bool said = std::ferror(stdout) != 0 && code == 2;
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  if (errno == EPIPE) return kPipeClosed;
  if (!said)
    note("weir: cannot write to standard output: {}\n",
         errno != 0 ? std::generic_category().message(errno) : "the output is incomplete");
  return 2;
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

std::vector<std::string> own_arguments() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

void become_rank() {
  const auto number = [](const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? 0 : std::atoi(text);
  };
  const bool srun = std::getenv("PMIX_RANK") != nullptr && number("SLURM_STEP_NUM_TASKS") > 1;
  if (number("OMPI_COMM_WORLD_SIZE") <= 1 && number("PMI_SIZE") <= 1 && !srun) return;
  const std::string program = own_program() + "-mpi";
  std::vector<std::string> words = own_arguments();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  release_signals();
  ::execv(program.c_str(), arguments.data());
  throw InputError("started by mpirun, but this weir was built without MPI (there is no " + program +
                   "); run tools/install-packages mpi, remove build/release and build again");
}

bool terminal_shows_utf8() {
  static const bool utf8 = shows_utf8(std::getenv("LC_ALL"), std::getenv("LC_CTYPE"), std::getenv("LANG"));
  return utf8;
}

void show(std::string_view text) {
  if (terminal_shows_utf8()) put(text);
  else put(in_ascii(text));
}

void put(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size())
    throw std::system_error(errno, std::generic_category(), "standard output");
}

void flush_output() {
  if (std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category(), "standard output");
}

void when_interrupted(std::function<std::string()> words) {
  const std::lock_guard lock(process().mutex);
  process().words = std::move(words);
}

std::atomic<int>& interruption() { return process().interruption; }

void watch_for_interruption(bool watch) { process().watched = watch; }

void release_signals() { pthread_sigmask(SIG_UNBLOCK, &process().signals, nullptr); }

}  // namespace weir
