// When messages arrive over one ideal crossbar, calculated packet by packet without weir: every host has one link to
// the crossbar and one from it. A sender takes its messages in turn, packet by packet; the link to a receiver takes
// packets as their heads come, the lower sender first; buffers have no end.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <set>
#include <vector>

#include "run/workloads/collective_plan.h"

namespace weir::testing {

struct CrossbarTimes {
  std::int64_t payload = 500, header = 20;  // bytes
  std::int64_t byte_ps = 1000, cable_ps = 10'000;
};

class CrossbarReference {
 public:
  CrossbarReference(int hosts, const std::vector<PlannedMessage>& messages, CrossbarTimes times)
      : times_(times), messages_(messages), senders_(hosts), receivers_(hosts) {
    left_.reserve(messages.size());
    waits_.resize(messages.size());
    followers_.resize(messages.size());
    for (std::size_t m = 0; m < messages.size(); ++m) {
      left_.push_back(messages[m].bytes);
      const std::set<int> after(messages[m].after.begin(), messages[m].after.end());
      waits_[m] = after.size();
      for (const int before : after) followers_[before].push_back(static_cast<int>(m));
      if (after.empty()) starts_[0].push_back(static_cast<int>(m));
    }
    end_.assign(messages.size(), -1);
  }

  // The end of each message, in ps.
  const std::vector<std::int64_t>& run() {
    while (!starts_.empty() || !wake_.empty()) {
      std::int64_t now = wake_.empty() ? starts_.begin()->first : wake_.top();
      if (!starts_.empty()) now = std::min(now, starts_.begin()->first);
      while (!wake_.empty() && wake_.top() == now) wake_.pop();
      at(now);
    }
    return end_;
  }

 private:
  struct Packet {
    std::int64_t bytes, head;  // when its head is at the crossbar
    int from, message;
    bool is_last;
  };
  struct Sender {
    std::int64_t free = 0;
    std::deque<int> messages;
  };
  struct Receiver {
    std::int64_t free = 0;
    std::vector<Packet> packets;
  };

  void at(std::int64_t now) {
    if (const auto due = starts_.find(now); due != starts_.end()) {
      std::sort(due->second.begin(), due->second.end());
      for (const int m : due->second) senders_[messages_[m].from].messages.push_back(m);
      starts_.erase(due);
    }
    for (int h = 0; h < static_cast<int>(senders_.size()); ++h) {
      send(h, now);
      deliver(h, now);
    }
  }
  void send(int host, std::int64_t now) {
    Sender& s = senders_[host];
    if (s.free > now || s.messages.empty()) return;
    const int m = s.messages.front();
    s.messages.pop_front();
    const std::int64_t bytes = std::min(left_[m], times_.payload);
    left_[m] -= bytes;
    if (left_[m] > 0) s.messages.push_back(m);
    const Packet p{bytes + times_.header, now + times_.cable_ps, host, m, left_[m] == 0};
    s.free = now + p.bytes * times_.byte_ps;
    wake_.push(s.free);
    wake_.push(p.head);
    receivers_[messages_[m].to].packets.push_back(p);
  }
  void deliver(int host, std::int64_t now) {
    Receiver& r = receivers_[host];
    if (r.free > now) return;
    const auto first = std::min_element(r.packets.begin(), r.packets.end(), [](const Packet& a, const Packet& b) {
      return std::pair(a.head, a.from) < std::pair(b.head, b.from);
    });
    if (first == r.packets.end() || first->head > now) return;
    r.free = now + first->bytes * times_.byte_ps;
    wake_.push(r.free);
    if (first->is_last) finish(first->message, r.free + times_.cable_ps);
    r.packets.erase(first);
  }
  void finish(int message, std::int64_t when) {
    end_[message] = when;
    for (const int next : followers_[message]) {
      latest_[next] = std::max(latest_[next], when);
      if (--waits_[next] == 0) starts_[latest_[next]].push_back(next);
    }
  }

  CrossbarTimes times_;
  const std::vector<PlannedMessage>& messages_;
  std::vector<Sender> senders_;
  std::vector<Receiver> receivers_;
  std::vector<std::int64_t> left_, end_;
  std::vector<std::size_t> waits_;
  std::vector<std::vector<int>> followers_;
  std::map<int, std::int64_t> latest_;               // by message: the last end of those before it
  std::map<std::int64_t, std::vector<int>> starts_;  // by time
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> wake_;
};

}  // namespace weir::testing
