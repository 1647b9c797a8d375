#include "app/serve/metrics_server.h"

#include <httplib.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "store/prometheus.h"

namespace weir {

namespace {

constexpr std::chrono::milliseconds kPatience{300};  // for a newer text

double seconds_of_the_day() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

struct MetricsServer::State {
  std::mutex mutex;
  std::condition_variable published;
  std::string text;
  std::uint64_t edition = 0;
  std::atomic<bool> wanted = false;
  const double began = seconds_of_the_day();
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
    std::unique_lock lock(s.mutex);
    const std::uint64_t before = s.edition;
    s.wanted = true;
    s.published.wait_for(lock, kPatience, [&] { return s.edition != before; });
    PrometheusPage page;
    page.gauge("process_start_time_seconds", "When the program started, in seconds since 1970.", s.began);
    response.set_content(s.text + page.take(), "text/plain; version=0.0.4");
  });
  if (!s.server.bind_to_port(host, static_cast<int>(number)))
    throw InputError("--metrics " + address + ": this address is not available; is another program using it?");
  s.thread = std::thread([&s] { s.server.listen_after_bind(); });
}

MetricsServer::~MetricsServer() {
  state_->server.stop();
  state_->thread.join();
}

void MetricsServer::publish(std::string text) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->text = std::move(text);
    ++state_->edition;
    state_->wanted = false;
  }
  state_->published.notify_all();
}

bool MetricsServer::is_wanted() const { return state_->wanted; }

}  // namespace weir
