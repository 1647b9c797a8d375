// A served fabric and its clock: between two stretches of simulated time the datagrams and commands that have come are
// served, while everything stands still.
//
// lockstep   time moves only when somebody says `advance` or `until` on the control line
// clock      time follows the wall at a ratio; where the simulation cannot keep up it is late, and says so
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "live/control_line.h"
#include "live/sim_server.h"

namespace weir::live {

class Session;

struct SessionOptions {
  std::string socket = "sim";
  bool lockstep = false;
  double ratio = 1;  // simulated seconds per second of the wall
  Time end = kNever;  // of the run; then time stands still
  std::function<std::int64_t()> wall_ns;
  std::function<bool()> stopped;  // by a signal, or since the command that was started has ended
  std::function<void(const std::string&)> say;         // what its user should know
  std::function<void(const Session&)> after_serving = {};  // whenever the outside was looked at
};

class Session {
 public:
  Session(const SessionOptions& options, Subnet& subnet, Machine& machine)
      : options_(options), subnet_(subnet), machine_(machine), server_(options.socket, subnet, machine),
        line_(options.socket) {}

  // Serves at `now` until time may go on. Returns when to be called again; kNever: the run is to end.
  Time turn(Time now);
  // The run is over: serves until somebody says stop.
  void stand(Time now);
  Time end() const { return options_.end; }
  bool ended() const { return ended_; }
  bool has_stood() const { return has_stood_; }  // the run was over before it was ended

  SimServer& server() { return server_; }
  const SimServer& server() const { return server_; }
  const Subnet& subnet() const { return subnet_; }
  const Machine& machine() const { return machine_; }
  // Simulated time per time of the wall, so far, where a clock was asked for.
  double held_ratio() const { return held_ratio_; }

 private:
  void wait(int milliseconds);
  void serve_all();
  void say_what_has_no_effect();
  void obey(const ControlLine::Command& command, Time now);
  std::string act(const std::string& text, Time now, int client);
  std::string link(std::string_view rest);
  bool must_stop() { return ended_ = ended_ || options_.stopped(); }
  Time lockstep_turn(Time now);
  Time clock_turn(Time now);
  void answer_waiting(Time now);

  SessionOptions options_;
  Subnet& subnet_;
  Machine& machine_;
  SimServer server_;
  ControlLine line_;
  std::optional<Time> target_;  // of the advance that was asked for
  int waiting_client_ = -1;     // who asked
  bool ended_ = false, has_stood_ = false;
  bool said_arbitration_ = false;
  std::int64_t began_ns_ = -1;
  double held_ratio_ = 0;
};

}  // namespace weir::live
