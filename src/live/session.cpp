#include "live/session.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/text_cursor.h"
#include "network/short_names.h"
#include "scenario/quantity.h"

namespace weir::live {

namespace {

constexpr int kPatience = 20;              // ms between two looks at the outside
constexpr std::int64_t kClockStepNs = 1'000'000;  // of the wall, between two turns

}  // namespace

void Session::wait(int milliseconds) {
  std::vector<pollfd> polls;
  server_.add_to(polls);
  line_.add_to(polls);
  ::poll(polls.data(), polls.size(), milliseconds);
}

void Session::serve_all() {
  while (server_.serve()) {
  }
  say_what_has_no_effect();
  if (options_.after_serving) options_.after_serving(*this);
}

// Once, when a tool has written such tables.
void Session::say_what_has_no_effect() {
  const char* why = machine_.without_arbitration();
  if (!subnet_.arbitration_written || why == nullptr || !options_.say || std::exchange(said_arbitration_, true)) return;
  options_.say(fmt::format("note: arbitration tables were written; they are stored, but have no effect: {}", why));
}

Time Session::turn(Time now) {
  answer_waiting(now);
  const Time next = options_.lockstep ? lockstep_turn(now) : clock_turn(now);
  return must_stop() ? kNever : std::min(next, options_.end);
}

// An advance beyond the end reaches the end.
void Session::stand(Time now) {
  has_stood_ = true;
  options_.end = std::min(options_.end, now);
  for (answer_waiting(now); !must_stop(); wait(kPatience)) {
    serve_all();
    for (const auto& command : line_.take()) obey(command, now);
    if (target_) answer_waiting(now);
  }
}

// The client that asked for this moment is told that it has come.
void Session::answer_waiting(Time now) {
  if (!target_ || (now < *target_ && now < options_.end)) return;
  line_.answer(waiting_client_, fmt::format("at {}", std::min(now, options_.end).ps));
  target_.reset();
}

Time Session::lockstep_turn(Time now) {
  while (!must_stop()) {
    serve_all();
    for (const auto& command : line_.take()) obey(command, now);
    if (target_) {
      if (*target_ > now) return *target_;
      answer_waiting(now);
      continue;
    }
    wait(kPatience);
  }
  return kNever;
}

Time Session::clock_turn(Time now) {
  const auto simulated = [&](std::int64_t wall) {
    return Time{static_cast<std::int64_t>(static_cast<double>(wall) * 1000 * options_.ratio)};
  };
  if (began_ns_ < 0)
    began_ns_ = options_.wall_ns() - static_cast<std::int64_t>(static_cast<double>(now.ps) / options_.ratio / 1000);
  for (;;) {
    serve_all();
    for (const auto& command : line_.take()) obey(command, now);
    const std::int64_t passed = options_.wall_ns() - began_ns_;
    if (passed > 0) held_ratio_ = static_cast<double>(now.ps) / (static_cast<double>(passed) * 1000);
    const Time due = simulated(passed);
    if (must_stop() || due >= now) break;
    const double ms = static_cast<double>((now - due).ps) / options_.ratio / 1e9;
    wait(std::clamp(static_cast<int>(ms) + 1, 1, kPatience));
  }
  return now + std::max(simulated(kClockStepNs), Time{1});
}

void Session::obey(const ControlLine::Command& command, Time now) {
  std::string answer;
  try {
    answer = act(command.text, now, command.client);
  } catch (const InputError& error) {
    answer = std::string("error: ") + error.what();
  }
  if (!answer.empty()) line_.answer(command.client, answer);
}

// Empty: the answer comes when the time has come.
std::string Session::act(const std::string& text, Time now, int client) {
  TextCursor words(text);
  const std::string_view verb = words.take_word();
  words.skip_blanks();
  if (verb == "now") return fmt::format("at {}", now.ps);
  if (verb == "stop") {
    ended_ = true;
    return "stopping";
  }
  if (verb == "link") return link(words.rest());
  if (verb == "served") return fmt::format("served {} unanswered {}", server_.served(), server_.unanswered());
  if (verb == "advance" || verb == "until") {
    if (!options_.lockstep) throw InputError("this fabric follows wall-clock time; start it with --lockstep");
    if (target_) throw InputError("another client has moved the clock and is waiting");
    const Time time = parse_time(words.rest());
    target_ = verb == "advance" ? now + time : time;
    waiting_client_ = client;
    return "";
  }
  throw InputError(fmt::format("unknown command `{}`; the commands are now, advance TIME, until TIME, link down PORT, "
                               "link up PORT, served, stop",
                               verb));
}

// "down leaf1:3": the cable at this port.
std::string Session::link(std::string_view rest) {
  TextCursor words(rest);
  const std::string_view what = words.take_word();
  words.skip_blanks();
  if (what != "down" && what != "up")
    throw InputError("links go `link down PORT` or `link up PORT`, as in link down S1:3");
  const Topology& t = subnet_.topology();
  const PortId port = port_called(t, words.rest());
  if (!port.valid() || !t.to(port).valid())
    throw InputError(fmt::format("no port with a cable is called `{}`", words.rest()));
  server_.send_traps(subnet_.set_link(port, what == "up"));
  return fmt::format("link {} {}", t.port_name(port), what);
}

}  // namespace weir::live
