// Ranks of a run that are threads of one process, so that tests need no mpirun: each has a set-up and engines of its
// own, and shares nothing with the others but what goes through here.
#pragma once
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "packet/parts/ranks.h"
#include "run/simulate.h"

namespace weir::testing {

class MemoryRanks {
 public:
  explicit MemoryRanks(std::uint32_t count) : count_(count) {}

  class Rank final : public Ranks {
   public:
    Rank(MemoryRanks& all, std::uint32_t rank) : all_(all), rank_(rank) {}
    std::uint32_t rank() const override { return rank_; }
    std::uint32_t count() const override { return all_.count_; }
    void exchange(const std::vector<std::uint32_t>& neighbours, const std::vector<std::string>& to,
                  std::vector<std::string>& from) override {
      for (std::size_t i = 0; i < neighbours.size(); ++i) all_.send(rank_, neighbours[i], to[i]);
      for (std::size_t i = 0; i < neighbours.size(); ++i) from[i] = all_.receive(neighbours[i], rank_);
    }
    void combine(std::span<std::int64_t> largest, std::span<std::int64_t> sums) override {
      const auto words = [](std::span<std::int64_t> values) {
        return std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes());
      };
      const auto values = [](const std::string& bytes) {
        return std::span(reinterpret_cast<const std::int64_t*>(bytes.data()), bytes.size() / sizeof(std::int64_t));
      };
      const std::string own_largest = words(largest), own_sums = words(sums);
      for (std::uint32_t other = 0; other < count(); ++other)
        if (other != rank_) {
          all_.send(rank_, other, own_largest);
          all_.send(rank_, other, own_sums);
        }
      for (std::uint32_t other = 0; other < count(); ++other)
        if (other != rank_) {
          const std::string their_largest = all_.receive(other, rank_), their_sums = all_.receive(other, rank_);
          for (std::size_t i = 0; i < largest.size(); ++i) largest[i] = std::max(largest[i], values(their_largest)[i]);
          for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += values(their_sums)[i];
        }
    }
    std::vector<std::string> share(const std::string& said) override {
      for (std::uint32_t other = 0; other < count(); ++other)
        if (other != rank_) all_.send(rank_, other, said);
      std::vector<std::string> result(count());
      for (std::uint32_t other = 0; other < count(); ++other)
        result[other] = other == rank_ ? said : all_.receive(other, rank_);
      return result;
    }
    std::vector<std::string> gather(const std::string& said) override {
      if (rank_ != 0) {
        all_.send(rank_, 0, said);
        return {};
      }
      std::vector<std::string> result{said};
      for (std::uint32_t other = 1; other < count(); ++other) result.push_back(all_.receive(other, 0));
      return result;
    }

   private:
    MemoryRanks& all_;
    std::uint32_t rank_;
  };

 private:
  void send(std::uint32_t from, std::uint32_t to, std::string message) {
    {
      const std::lock_guard lock(mutex_);
      on_their_way_[{from, to}].push_back(std::move(message));
    }
    came_.notify_all();
  }
  std::string receive(std::uint32_t from, std::uint32_t to) {
    std::unique_lock lock(mutex_);
    std::deque<std::string>& queue = on_their_way_[{from, to}];
    came_.wait(lock, [&] { return !queue.empty(); });
    std::string message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  std::uint32_t count_;
  std::mutex mutex_;
  std::condition_variable came_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<std::string>> on_their_way_;
};

// What rank 0 has measured. The first error of any rank is thrown on.
inline Measurements run_by_ranks(const Scenario& scenario, std::uint32_t count, std::uint32_t threads) {
  MemoryRanks all(count);
  Measurements measured;
  std::vector<std::exception_ptr> errors(count);
  const auto work = [&](std::uint32_t number) {
    try {
      MemoryRanks::Rank rank(all, number);
      RunSetup setup = set_up(scenario);
      setup.threads = threads;
      setup.ranks = &rank;
      Measurements m = run_simulation(setup);
      if (number == 0) measured = std::move(m);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> ranks;
    for (std::uint32_t number = 1; number < count; ++number) ranks.emplace_back(work, number);
    work(0);
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return measured;
}

}  // namespace weir::testing
