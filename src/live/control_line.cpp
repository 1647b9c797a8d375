#include "live/control_line.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace weir::live {

namespace {

constexpr std::size_t kLongestLine = 4096;

sockaddr_un line_address(const std::string& base, socklen_t& length) {
  const std::string name = base + ":weir";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof address.sun_path) throw InputError("the name of a socket is too long: " + name);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

}  // namespace

ControlLine::ControlLine(const std::string& base)
    : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
  socklen_t length = 0;
  const sockaddr_un address = line_address(base, length);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), length) != 0 ||
      ::listen(listener_, 16) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw InputError("cannot open the control line `" + base + ":weir`: " + why);
  }
}

ControlLine::~ControlLine() {
  for (const auto& [client, text] : clients_) ::close(client);
  ::close(listener_);
}

void ControlLine::add_to(std::vector<pollfd>& polls) const {
  polls.push_back({listener_, POLLIN, 0});
  for (const auto& [client, text] : clients_) polls.push_back({client, POLLIN, 0});
}

std::vector<ControlLine::Command> ControlLine::take() {
  for (int client; (client = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;)
    clients_.emplace(client, "");
  std::vector<Command> commands;
  std::vector<int> gone;
  for (auto& [client, text] : clients_) {
    char piece[1024];
    ssize_t got = 0;
    while ((got = ::recv(client, piece, sizeof piece, 0)) > 0) text.append(piece, static_cast<std::size_t>(got));
    if (got == 0 || (got < 0 && errno != EAGAIN) || text.size() > kLongestLine) gone.push_back(client);
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.erase(0, end + 1))
      commands.push_back({client, text.substr(0, end)});
  }
  for (const int client : gone) {
    ::close(client);
    clients_.erase(client);
    std::erase_if(commands, [&](const Command& c) { return c.client == client; });
  }
  return commands;
}

void ControlLine::answer(int client, const std::string& text) {
  if (!clients_.contains(client)) return;
  const std::string line = text + "\n";
  (void)::send(client, line.data(), line.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

ControlClient::ControlClient(const std::string& base) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  socklen_t length = 0;
  const sockaddr_un address = line_address(base, length);
  if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    const std::string why = std::strerror(errno);
    if (socket_ >= 0) ::close(socket_);
    throw InputError("no fabric listens at `" + base + ":weir`: " + why + "; start one with `weir fabric`");
  }
}

ControlClient::~ControlClient() { ::close(socket_); }

std::string ControlClient::ask(const std::string& command) {
  const std::string line = command + "\n";
  const bool sent = ::send(socket_, line.data(), line.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(line.size());
  std::size_t end = rest_.npos;
  while (sent && (end = rest_.find('\n')) == rest_.npos) {
    char piece[1024];
    const ssize_t got = ::recv(socket_, piece, sizeof piece, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    rest_.append(piece, static_cast<std::size_t>(got));
  }
  if (end == rest_.npos) throw InputError("the fabric has gone");
  std::string answer = rest_.substr(0, end);
  rest_.erase(0, end + 1);
  if (answer.starts_with("error: ")) throw InputError(answer.substr(7));
  return answer;
}

}  // namespace weir::live
