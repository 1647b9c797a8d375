// What belongs to the process as a whole: its standard streams and its signals.
#pragma once
#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

// First of all in main(), before there are threads. A closed pipe and the limit on the size of files become errors of
// the write; SIGINT, SIGTERM and SIGHUP are taken by a thread of their own, which ends the process (see below).
void begin_process();
// Last of all: the exit code. Standard output that could not be written is 2, with a message.
int end_process(int code);
int report_error(const std::exception& error);  // "weir: ..." on standard error; returns 2

std::string own_program();                 // path of this executable
std::vector<std::string> own_arguments();  // as it was called
// mpirun starts the program once per rank. What talks MPI is a program of its own, so that weir also runs where there
// is no MPI: under mpirun it takes the place of this one, with the same arguments. Otherwise nothing happens.
void become_rank();

// Standard output. Failures are thrown where they are met; most are met when what is buffered goes out at the end.
void put(std::string_view text);
bool terminal_shows_utf8();
void show(std::string_view text);  // for people: with characters that their terminal has
void flush_output();  // in the midst of long work: so that a full disk ends it

// Names and words of others may hold control characters, which a terminal would obey: each becomes a question mark.
std::string without_controls(std::string text);

// Standard error, if anybody takes it.
template <class... T>
void note(fmt::format_string<T...> format, T&&... values) {
  std::fputs(without_controls(fmt::format(format, std::forward<T>(values)...)).c_str(), stderr);
}

// What Ctrl-C says about the work so far, after "weir: interrupted; ". Nothing at all if it is empty.
void when_interrupted(std::function<std::string()> words);

// The signal, once there was one after watch_for_interruption(): the work under way stops by itself, and a second
// signal ends the process. Without the watch, or after it, the first one does, and scratch files vanish.
std::atomic<int>& interruption();
void watch_for_interruption(bool watch = true);
// For a child process, or before exec: signals come through again.
void release_signals();

}  // namespace weir
