#include "app/serve/metrics_server.h"

#include <httplib.h>

#include <mutex>
#include <thread>

#include "base/error.h"

namespace weir {

struct MetricsServer::State {
  std::mutex mutex;
  std::string text;
  httplib::Server server;
  std::thread thread;
};

MetricsServer::MetricsServer(const std::string& address) : state_(std::make_unique<State>()) {
  const std::size_t colon = address.rfind(':');
  const std::string host = colon == address.npos ? "127.0.0.1" : address.substr(0, colon);
  const std::string port = colon == address.npos ? address : address.substr(colon + 1);
  char* end = nullptr;
  const long number = std::strtol(port.c_str(), &end, 10);
  if (port.empty() || *end != 0 || number < 1 || number > 65535)
    throw InputError("--metrics " + address + ": write an address and a port, as in 127.0.0.1:9683");
  State& s = *state_;
  s.server.new_task_queue = [] { return new httplib::ThreadPool(2); };
  s.server.Get("/metrics", [&s](const httplib::Request&, httplib::Response& response) {
    const std::lock_guard lock(s.mutex);
    response.set_content(s.text, "text/plain; version=0.0.4");
  });
  if (!s.server.bind_to_port(host, static_cast<int>(number)))
    throw InputError("--metrics " + address + ": this address cannot be had; is somebody else using it?");
  s.thread = std::thread([&s] { s.server.listen_after_bind(); });
}

MetricsServer::~MetricsServer() {
  state_->server.stop();
  state_->thread.join();
}

void MetricsServer::publish(std::string text) {
  const std::lock_guard lock(state_->mutex);
  state_->text = std::move(text);
}

}  // namespace weir
