// A fabric that is cut into parts, each of them executed by an engine of its own. An engine touches the state of its
// own nodes only. What passes from one part to another travels over wires, which takes time: so all parts can execute
// the same window of time side by side, and give each other their packets, credits and stops afterwards.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "packet/clock/clock.h"
#include "packet/packet.h"

namespace weir {

// Which part has which node, and which process (rank) which parts: those from first_of(rank) to first_of(rank + 1).
struct Cut {
  std::uint32_t parts = 1, ranks = 1;
  std::vector<std::uint16_t> owner;  // by node
  std::int64_t lookahead = 0;        // least time, in ps, that anything takes from one part to another
  std::int64_t to_hosts = 0;         // and that a packet is on the wire to its host
  std::string because;               // why so many parts, where nobody asked for them

  std::uint32_t first_of(std::uint32_t rank) const {
    return static_cast<std::uint32_t>(std::uint64_t{parts} * rank / ranks);
  }
  std::uint32_t rank_of(std::uint32_t part) const {
    return static_cast<std::uint32_t>(((std::uint64_t{part} + 1) * ranks - 1) / parts);
  }
  std::uint32_t rank_of(NodeId node) const { return rank_of(std::uint32_t{owner[node.index]}); }
};

// What parts of this process send within a window. A box is written by its sender in one window, and emptied by its
// receiver in the next one, in which the sender writes to the other of the two boxes that it has for that receiver.
// Boxes for other processes are sent there in between, and what comes from there has boxes of its own (rank_mail.h).
class Mail {
 public:
  struct alignas(64) Box {
    std::vector<Packet> packets;
    std::vector<TimedEvent> events;
  };

  explicit Mail(const Cut& cut, std::uint32_t rank = 0)
      : parts_(cut.parts),
        first_(cut.first_of(rank)),
        here_(cut.first_of(rank + 1) - first_),
        boxes_(std::size_t{2} * here_ * parts_),
        arrived_(here_) {}

  std::uint32_t first() const { return first_; }  // part of this process
  std::uint32_t here() const { return here_; }    // how many there are
  bool is_here(std::uint32_t part) const { return part - first_ < here_; }
  Box& box(std::uint32_t from, std::uint32_t to, bool odd_window) {
    return boxes_[(static_cast<std::size_t>(odd_window) * here_ + (from - first_)) * parts_ + to];
  }
  Box& arrived(std::uint32_t to) { return arrived_[to - first_]; }  // from other processes

 private:
  std::uint32_t parts_, first_, here_;
  std::vector<Box> boxes_, arrived_;
};

class Part {
 public:
  Part() = default;  // the whole fabric
  Part(const Cut& cut, Mail& mail, std::uint32_t number) : cut_(&cut), mail_(&mail), number_(number) {}

  bool is_whole() const { return cut_ == nullptr; }
  const Cut* cut() const { return cut_; }
  std::uint32_t number() const { return number_; }
  bool owns(NodeId node) const { return is_whole() || cut_->owner[node.index] == number_; }
  bool leads() const { return is_whole() || number_ == mail_->first(); }  // the first one of its process
  bool is_in_process(NodeId node) const { return is_whole() || mail_->is_here(cut_->owner[node.index]); }

  // A packet that will land at a node of another part.
  [[gnu::noinline]] Packet& post(const Packet& packet, std::int64_t time, ChannelId by, NodeId to) {
    std::vector<Packet>& packets = box_for(to).packets;
    packets.push_back(packet);
    packets.back().time = time;
    packets.back().came_by = by;
    ++posted_;
    first_ = std::min(first_, time);
    return packets.back();
  }
  // A credit, stop or go for a sender in another part.
  [[gnu::noinline]] void post(const TimedEvent& event, NodeId to) {
    box_for(to).events.push_back(event);
    posted_ += event.kind() != EventKind::credit;
    first_ = std::min(first_, event.time);
  }

  // ---- between windows ----
  std::uint64_t posted() const { return posted_; }  // in this window: what an undivided engine would have pending
  std::int64_t first() const { return first_; }     // the earliest of it
  void next_window() {
    odd_window_ = !odd_window_;
    posted_ = 0;
    first_ = std::numeric_limits<std::int64_t>::max();
  }
  // What the others have sent in the window before this one: visit(box), which empties it.
  template <class Visit>
  void each_box(const Visit& visit) {
    for (std::uint32_t from = mail_->first(); mail_->is_here(from); ++from)
      if (from != number_) visit(mail_->box(from, number_, !odd_window_));
    visit(mail_->arrived(number_));
  }

 private:
  Mail::Box& box_for(NodeId to) { return mail_->box(number_, cut_->owner[to.index], odd_window_); }

  const Cut* cut_ = nullptr;
  Mail* mail_ = nullptr;
  std::uint32_t number_ = 0;
  bool odd_window_ = false;
  std::uint64_t posted_ = 0;
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace weir
