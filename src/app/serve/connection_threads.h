// A thread per open connection, as many as are open at a time up to a limit. The library's own pool has a handful of
// threads, and connections that say nothing would keep all others waiting. Where no more threads
// can be made, because memory is limited, connections wait for those that there are.
#pragma once
#include <httplib.h>
#include <pthread.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

namespace weir {

class ConnectionThreads : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  void enqueue(std::function<void()> connection) override {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(connection));
    if (idle_ >= waiting_.size() || threads_.size() == most_ || !start_thread()) wake_.notify_one();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
  }

 private:
  static constexpr std::size_t kStack = std::size_t{8} << 20;  // the library matches long paths recursively

  bool start_thread() {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    pthread_attr_setstacksize(&attributes, kStack);
    const auto run = [](void* self) -> void* {
      static_cast<ConnectionThreads*>(self)->work();
      return nullptr;
    };
    pthread_t thread;
    const bool started = pthread_create(&thread, &attributes, run, this) == 0;
    pthread_attr_destroy(&attributes);
    if (started) threads_.push_back(thread);
    return started;
  }
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
  std::vector<pthread_t> threads_;
  std::size_t idle_ = 0;
  bool ended_ = false;
};

}  // namespace weir
