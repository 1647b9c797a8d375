#include "packet/parts/rank_mail.h"

#include <algorithm>

#include "base/bytes.h"

namespace weir {

RankMail::RankMail(const Topology& topology, const Cut& cut, Mail& mail, Ranks& ranks, SchemeState& scheme)
    : cut_(cut), mail_(mail), ranks_(ranks), scheme_(scheme) {
  // Also where cables lead one way only: credits go the other way.
  std::vector<bool> next_to(cut.ranks, false);
  for (PortId p{0}; p.index < topology.ports(); ++p.index) {
    if (!topology.to(p).valid()) continue;
    const std::uint32_t sender = cut.rank_of(topology.node_of(p)),
                        receiver = cut.rank_of(topology.node_of(topology.to(p)));
    if (sender == ranks.rank()) next_to[receiver] = true;
    if (receiver == ranks.rank()) next_to[sender] = true;
  }
  for (std::uint32_t rank = 0; rank < cut.ranks; ++rank)
    if (next_to[rank] && rank != ranks.rank()) neighbours_.push_back(rank);
  sent_.resize(neighbours_.size());
  received_.resize(neighbours_.size());
}

void RankMail::exchange(bool odd_window) {
  for (std::size_t i = 0; i < neighbours_.size(); ++i) pack(neighbours_[i], odd_window, sent_[i]);
  ranks_.exchange(neighbours_, sent_, received_);
  for (const std::string& message : received_) unpack(message);
}

void RankMail::pack(std::uint32_t rank, bool odd_window, std::string& message) {
  BytesOut out(std::move(message));
  for (std::uint32_t from = mail_.first(); mail_.is_here(from); ++from)
    for (std::uint32_t to = cut_.first_of(rank); to < cut_.first_of(rank + 1); ++to) {
      Mail::Box& box = mail_.box(from, to, odd_window);
      if (box.packets.empty() && box.events.empty()) continue;
      out.put(Header{to, static_cast<std::uint32_t>(box.packets.size()),
                     static_cast<std::uint32_t>(box.events.size())});
      out.put_all(box.packets.data(), box.packets.size());
      out.put_all(box.events.data(), box.events.size());
      for (const Packet& p : box.packets) scheme_.send_along(p, out);
      box.packets.clear();
      box.events.clear();
    }
  message = std::move(out.bytes());
}

void RankMail::unpack(const std::string& message) {
  const auto append = [](BytesIn& in, auto& list, std::uint32_t count) {
    const std::size_t before = list.size();
    list.resize(before + count);
    in.get_all(list.data() + before, count);
  };
  BytesIn in(message);
  while (!in.empty()) {
    const auto header = in.get<Header>();
    Mail::Box& box = mail_.arrived(header.to);
    append(in, box.packets, header.packets);
    append(in, box.events, header.events);
    for (auto p = box.packets.end() - header.packets; p != box.packets.end(); ++p) scheme_.take_along(*p, in);
  }
}

}  // namespace weir
