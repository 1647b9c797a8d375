// A thread per open connection, as many as are open at a time up to a limit. The library's own pool has a handful of
// threads, and connections that say nothing would keep all others waiting.
#pragma once
#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace weir {

class ConnectionThreads : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> connection) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(connection));
    if (idle_ < waiting_.size() && threads_.size() < most_) threads_.emplace_back([this] { work(); });
    else wake_.notify_one();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      wake_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
      --idle_;
      if (waiting_.empty()) return;
      const std::function<void()> connection = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      connection();
      lock.lock();
    }
  }

  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> waiting_;
  std::vector<std::thread> threads_;
  std::size_t idle_ = 0;
  bool ended_ = false;
};

}  // namespace weir
