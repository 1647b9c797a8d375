// Serves a subnet to programs that were started with the library umad2sim in front: instead of a device they talk to
// datagram sockets. One control socket for all, one data socket per client. Nothing here blocks but poll(): what a
// client does not take yet waits in its queue.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "live/agents/agents.h"
#include "live/sim_protocol.h"
#include "live/subnet.h"

struct pollfd;

namespace weir::live {

class SimServer {
 public:
  // Sockets are named `base`:ctl and so on. An InputError if somebody serves under that name already.
  SimServer(const std::string& base, Subnet& subnet, const Machine& machine);
  ~SimServer();
  SimServer(const SimServer&) = delete;
  SimServer& operator=(const SimServer&) = delete;

  // Descriptors to poll for, and what to do when poll() has spoken.
  void add_to(std::vector<pollfd>& polls) const;
  // Serves what has come; true if there was anything.
  bool serve();
  // Tells the subnet manager, if one is attached, that links of these switches have changed.
  void send_traps(const std::vector<NodePort>& ports);

  std::uint64_t served() const { return served_; }        // datagrams
  std::uint64_t unanswered() const { return unanswered_; }  // that could not reach anybody
  std::size_t clients() const { return clients_.size(); }
  PerformanceAgent& performance() { return performance_; }

 private:
  struct Client {
    int socket = -1;
    std::uint32_t pid = 0;
    NodePort at;
    bool is_sm = false;
    std::deque<sim::Data> waiting;  // to be sent
  };

  bool serve_control();
  void connect(sim::Control& message);
  void describe(const Client& client, sim::Control& message);
  bool serve_client(std::uint32_t number, Client& client);
  void handle(std::uint32_t number, Client& client, sim::Data& data);
  void handle_request(Client& client, NodePort at, mad::Mad m, sim::Data& data);
  bool forward(std::uint32_t from, const Client& sender, NodePort at, const mad::Mad& m, const sim::Data& data);
  void give_back(Client& client, mad::Mad m, sim::Data& data);
  void echo_unanswered(Client& client, sim::Data& data);
  void send(Client& client, const sim::Data& data);
  void flush(Client& client);
  Client* manager_at(NodePort at);

  std::string base_;
  Subnet& subnet_;
  const Machine& machine_;
  SubnetAgent subnet_agent_;
  PerformanceAgent performance_;
  CongestionAgent congestion_;
  int control_ = -1;
  std::map<std::uint32_t, Client> clients_;
  std::uint32_t next_client_ = 0;
  std::uint64_t served_ = 0, unanswered_ = 0, traps_ = 0;
};

}  // namespace weir::live
