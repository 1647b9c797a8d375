// Hands a text to whoever scrapes /metrics. Loopback unless another address is given; nothing can be changed through
// it. Counters of a program begin at 0 when it starts; when that was, Prometheus learns from
// process_start_time_seconds.
#pragma once
#include <memory>
#include <string>

namespace weir {

class MetricsServer {
 public:
  // "127.0.0.1:9683", or a port alone. An InputError if it cannot be had.
  explicit MetricsServer(const std::string& address);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;
  void publish(std::string text);
  // Somebody scrapes, and waits for a moment: a text that is published now is as new as can be.
  bool is_wanted() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir
