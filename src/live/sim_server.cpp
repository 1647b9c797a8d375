#include "live/sim_server.h"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "mad/smp_fields.h"

namespace weir::live {

namespace {

using mad::Mad;
using mad::Method;

constexpr std::uint32_t kTimedOut = 110;
// The upper bits of a transaction number are the server's: whom an answer that comes by another client is for.
constexpr unsigned kClientShift = 48;

// Abstract names have a zero in front, and here one behind, too.
sockaddr_un address_of(const std::string& name, socklen_t& length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() + 2 > sizeof address.sun_path) throw InputError("the name of a socket is too long: " + name);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size() + 2);
  return address;
}

int bound_socket(const std::string& name) {
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  socklen_t length = 0;
  const sockaddr_un address = address_of(name, length);
  if (socket < 0 || ::bind(socket, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    const std::string why = std::strerror(errno);
    if (socket >= 0) ::close(socket);
    throw InputError("cannot serve under the socket name `" + name + "`: " + why +
                     "; another fabric may use it: choose another one with --socket");
  }
  return socket;
}

std::uint16_t lid_of(std::uint32_t field) { return ntohs(static_cast<std::uint16_t>(field)); }
std::uint32_t lid_field(std::uint32_t lid) { return htons(static_cast<std::uint16_t>(lid)); }

}  // namespace

SimServer::SimServer(const std::string& base, Subnet& subnet, const Machine& machine)
    : base_(base), subnet_(subnet), machine_(machine), subnet_agent_(subnet), performance_(subnet, machine),
      congestion_(subnet, machine), control_(bound_socket(base + ":ctl")) {}

SimServer::~SimServer() {
  for (auto& [number, client] : clients_) ::close(client.socket);
  ::close(control_);
}

void SimServer::add_to(std::vector<pollfd>& polls) const {
  polls.push_back({control_, POLLIN, 0});
  for (const auto& [number, client] : clients_)
    polls.push_back({client.socket, static_cast<short>(POLLIN | (client.waiting.empty() ? 0 : POLLOUT)), 0});
}

bool SimServer::serve() {
  bool any = serve_control();
  for (auto& [number, client] : clients_) any = serve_client(number, client) || any;
  return any;
}

// ---- the control socket ----

bool SimServer::serve_control() {
  bool any = false;
  for (;;) {
    sim::Control message;
    sockaddr_un from{};
    socklen_t length = sizeof from;
    const ssize_t got = ::recvfrom(control_, &message, sizeof message, 0, reinterpret_cast<sockaddr*>(&from), &length);
    if (got < 0) return any;
    any = true;
    if (got != sizeof message || message.magic != sim::kMagic) continue;
    const auto type = static_cast<sim::Type>(message.type);
    const auto client = clients_.find(message.client);
    if (type == sim::Type::connect) {
      connect(message);
    } else if (client == clients_.end()) {
      message.type = 0;
    } else if (type == sim::Type::disconnect) {
      ::close(client->second.socket);
      clients_.erase(client);
    } else if (type == sim::Type::set_is_sm) {
      std::uint32_t is_sm = 0;
      std::memcpy(&is_sm, message.data.data(), sizeof is_sm);
      client->second.is_sm = is_sm != 0;
      mad::Field f = mad::port_info::kCapabilities;
      Attribute& info = subnet_.port(client->second.at).info;
      const auto can = static_cast<std::uint32_t>(mad::get(info, f));
      mad::put(info, f, is_sm != 0 ? can | mad::port_info::kCapIsSm : can & ~mad::port_info::kCapIsSm);
    } else {
      describe(client->second, message);
    }
    ::sendto(control_, &message, sizeof message, MSG_DONTWAIT, reinterpret_cast<sockaddr*>(&from), length);
  }
}

void SimServer::connect(sim::Control& message) {
  sim::Connect wish;
  std::memcpy(&wish, message.data.data(), sizeof wish);
  wish.node[sizeof wish.node - 1] = 0;
  const auto at = subnet_.named(wish.node);
  if (!at) {
    message.type = 0;
    return;
  }
  Client client;
  client.pid = wish.pid;
  client.at = *at;
  client.is_sm = wish.is_sm != 0;
  const std::uint32_t number = next_client_++;
  client.socket = bound_socket(base_ + ":out" + std::to_string(number));
  socklen_t length = 0;
  const sockaddr_un peer = address_of(base_ + ":in" + std::to_string(wish.pid), length);
  if (::connect(client.socket, reinterpret_cast<const sockaddr*>(&peer), length) != 0) {
    ::close(client.socket);
    message.type = 0;
    return;
  }
  const std::string& name = subnet_.node(*at).description;
  std::memset(wish.node, 0, sizeof wish.node);
  std::memcpy(wish.node, name.data(), std::min(name.size(), sizeof wish.node - 1));
  wish.pid = number;  // from now on it is known by this
  std::memcpy(message.data.data(), &wish, sizeof wish);
  message.client = number;
  clients_.emplace(number, std::move(client));
}

void SimServer::describe(const Client& client, sim::Control& message) {
  const auto type = static_cast<sim::Type>(message.type);
  const std::uint8_t asked = message.data[0];
  message.data.fill(0);
  const auto ask = [&](std::uint16_t attribute, std::uint32_t modifier, NodePort at) {
    Mad m;
    m.set_class(mad::Class::subnet_lid, 1);
    m.set_method(Method::get);
    m.set_attribute(attribute, modifier);
    subnet_agent_.answer(at, m);
    return m;
  };
  const Mad node = ask(mad::smp::kNodeInfo, 0, client.at);
  switch (type) {
    case sim::Type::get_port: {
      const auto lid = static_cast<std::uint16_t>(subnet_.lid(client.at));
      std::memcpy(message.data.data(), &lid, sizeof lid);
      message.data[2] = subnet_.state(client.at);
      break;
    }
    case sim::Type::get_vendor: {
      const std::uint32_t words[3] = {static_cast<std::uint32_t>(mad::get(node.data(), mad::node_info::kVendor)), 0, 1};
      std::memcpy(message.data.data(), words, sizeof words);
      break;
    }
    case sim::Type::get_gid:
      mad::put_bytes(message.data, 0, 8, mad::get(subnet_.port(client.at).info, mad::port_info::kGidPrefix));
      mad::put_bytes(message.data, 8, 8, mad::get(node.data(), mad::node_info::kPortGuid));
      break;
    case sim::Type::get_guid:
      mad::put_bytes(message.data, 0, 8, mad::get(node.data(), mad::node_info::kPortGuid));
      break;
    case sim::Type::get_node_info:
      std::copy(node.data().begin(), node.data().end(), message.data.begin());
      break;
    case sim::Type::get_port_info: {
      const Mad port = ask(mad::smp::kPortInfo, asked, client.at);
      std::copy(port.data().begin(), port.data().end(), message.data.begin());
      break;
    }
    case sim::Type::get_partitions: {
      const Mad table = ask(mad::smp::kPartitionTable, 0, client.at);
      std::copy(table.data().begin(), table.data().end(), message.data.begin());
      break;
    }
    default: message.type = 0;
  }
}

// ---- datagrams ----

bool SimServer::serve_client(std::uint32_t number, Client& client) {
  flush(client);
  bool any = false;
  for (;;) {
    sim::Data data;
    const ssize_t got = ::recv(client.socket, &data, sizeof data, 0);
    if (got < 0) return any;
    any = true;
    if (got != sizeof data) continue;
    ++served_;
    handle(number, client, data);
  }
}

void SimServer::handle(std::uint32_t number, Client& client, sim::Data& data) {
  Mad m;
  std::copy(data.mad.begin(), data.mad.end(), m.bytes().begin());
  const bool directed = m.is(mad::Class::subnet_directed);
  if (directed && m.is_response()) return;  // nobody sends these through the fabric here
  const auto at = directed ? subnet_.walk(client.at, m)
                           : subnet_.walk(client.at, lid_of(data.destination_lid), m.is_smp());
  if (data.source_lid == 0 && !directed) data.source_lid = lid_field(subnet_.lid(client.at));
  if (at && forward(number, client, *at, m, data)) return;
  if (m.is_response() || m.is(Method::trap_repress) || m.is(Method::send)) return;
  if (!at) return echo_unanswered(client, data);
  handle_request(client, *at, m, data);
}

void SimServer::handle_request(Client& client, NodePort at, Mad m, sim::Data& data) {
  Answer answer = Answer::reply;
  switch (m.mgmt_class()) {
    case mad::Class::subnet_lid:
    case mad::Class::subnet_directed: answer = subnet_agent_.answer(at, m); break;
    case mad::Class::performance: answer = performance_.answer(at, m); break;
    case mad::Class::congestion_control: answer = congestion_.answer(at, m); break;
    default: answer = Answer::silence;
  }
  if (answer == Answer::silence) return echo_unanswered(client, data);
  give_back(client, m, data);
  if (const auto changed = subnet_agent_.take_changed_ports(); !changed.empty()) send_traps(changed);
}

void SimServer::give_back(Client& client, Mad m, sim::Data& data) {
  if (m.is(mad::Class::subnet_directed)) {
    m.set_status(m.status() | mad::status::kDirectionBit);
  } else {
    std::swap(data.destination_lid, data.source_lid);
    std::swap(data.destination_pair, data.source_pair);
  }
  data.status = 0;
  std::copy(m.bytes().begin(), m.bytes().end(), data.mad.begin());
  send(client, data);
}

SimServer::Client* SimServer::manager_at(NodePort at) {
  for (auto& [number, client] : clients_)
    if (client.is_sm && client.at.node == at.node) return &client;
  return nullptr;
}

// What is for a program and not for an agent: requests to the subnet manager, and answers that come by a client.
bool SimServer::forward(std::uint32_t from, const Client& sender, NodePort at, const Mad& m, const sim::Data& data) {
  sim::Data copy = data;
  Mad changed = m;
  if (m.is_response()) {
    const std::uint64_t owner = m.transaction() >> kClientShift;
    const auto client = clients_.find(static_cast<std::uint32_t>(owner) - 1);
    if (owner == 0 || client == clients_.end()) return false;
    changed.set_transaction(m.transaction() & ((std::uint64_t{1} << kClientShift) - 1));
    std::copy(changed.bytes().begin(), changed.bytes().end(), copy.mad.begin());
    send(client->second, copy);
    return true;
  }
  const bool for_manager = m.is(mad::Class::subnet_administration) ||
                           (m.is_smp() && (m.attribute() == mad::smp::kSmInfo || m.attribute() == mad::kNotice));
  if (!for_manager || m.is(Method::trap_repress)) return false;
  Client* manager = manager_at(at);
  if (manager == nullptr || manager == &sender) return false;
  changed.set_transaction((m.transaction() & ((std::uint64_t{1} << kClientShift) - 1)) |
                          (std::uint64_t{from} + 1) << kClientShift);
  std::copy(changed.bytes().begin(), changed.bytes().end(), copy.mad.begin());
  send(*manager, copy);
  return true;
}

void SimServer::echo_unanswered(Client& client, sim::Data& data) {
  ++unanswered_;
  data.status = htonl(kTimedOut);
  send(client, data);
}

void SimServer::send(Client& client, const sim::Data& data) {
  client.waiting.push_back(data);
  std::uint64_t& length = client.waiting.back().length;  // of requests it is not always the whole
  mad::put_bytes({reinterpret_cast<std::uint8_t*>(&length), sizeof length}, 0, sizeof length, mad::kMadBytes);
  flush(client);
}

void SimServer::flush(Client& client) {
  while (!client.waiting.empty()) {
    if (::send(client.socket, &client.waiting.front(), sizeof(sim::Data), MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
      if (errno != EAGAIN && errno != ENOBUFS) client.waiting.clear();  // it is gone
      return;
    }
    client.waiting.pop_front();
  }
}

void SimServer::send_traps(const std::vector<NodePort>& ports) {
  namespace f = mad::notice;
  for (auto& [number, client] : clients_) {
    if (!client.is_sm) continue;
    for (const NodePort port : ports) {
      const std::uint32_t lid = subnet_.lid(port);
      if (lid == 0) continue;  // nobody can be told where it comes from
      Mad m;
      m.set_class(mad::Class::subnet_lid, 1);
      m.set_method(Method::trap);
      m.set_transaction(++traps_);
      m.set_attribute(mad::kNotice, 0);
      mad::put(m.data(), f::kGeneric, 1);
      mad::put(m.data(), f::kType, 1);
      mad::put(m.data(), f::kProducer, 2);  // a switch
      mad::put(m.data(), f::kNumber, f::kLinkStateChanged);
      mad::put(m.data(), f::kIssuerLid, lid);
      mad::put(m.data(), f::kDetailLid, lid);
      sim::Data data;
      data.destination_lid = lid_field(subnet_.lid(client.at));
      data.source_lid = lid_field(lid);
      std::copy(m.bytes().begin(), m.bytes().end(), data.mad.begin());
      send(client, data);
    }
  }
}

}  // namespace weir::live
