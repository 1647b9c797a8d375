// The fabric's own line, beside the sockets of umad2sim: text in, text out, one command per line. It moves the clock of
// a fabric in lockstep, takes links down and up, and ends the run. A stream socket with the abstract name `base`:weir.
#pragma once
#include <map>
#include <string>
#include <vector>

struct pollfd;

namespace weir::live {

class ControlLine {
 public:
  explicit ControlLine(const std::string& base);
  ~ControlLine();
  ControlLine(const ControlLine&) = delete;
  ControlLine& operator=(const ControlLine&) = delete;

  struct Command {
    int client;
    std::string text;
  };
  void add_to(std::vector<pollfd>& polls) const;
  std::vector<Command> take();  // what has come
  void answer(int client, const std::string& text);

 private:
  int listener_ = -1;
  std::map<int, std::string> clients_;  // by descriptor: what has come of a line
};

// A client of such a line: the manager in lockstep, and `weir fabric --tell`.
class ControlClient {
 public:
  explicit ControlClient(const std::string& base);  // an InputError if nobody listens
  ~ControlClient();
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;
  // Waits for the answer. An InputError where the command was refused or the fabric has gone.
  std::string ask(const std::string& command);

 private:
  int socket_ = -1;
  std::string rest_;
};

}  // namespace weir::live
