// Mail between parts of different processes: after a window, all that goes to one rank goes there as one message.
#pragma once
#include <string>
#include <vector>

#include "network/topology.h"
#include "packet/parts/part.h"
#include "packet/parts/ranks.h"
#include "packet/scheme/scheme_state.h"

namespace weir {

class RankMail {
 public:
  RankMail(const Topology& topology, const Cut& cut, Mail& mail, Ranks& ranks, SchemeState& scheme);

  // Sends what the parts of this process have posted in a window, and brings what came for them. No part is at work.
  void exchange(bool odd_window);

 private:
  struct Header {  // of the contents of a box
    std::uint32_t to = 0, packets = 0, events = 0;
  };
  void pack(std::uint32_t rank, bool odd_window, std::string& message);
  void unpack(const std::string& message);

  const Cut& cut_;
  Mail& mail_;
  Ranks& ranks_;
  SchemeState& scheme_;
  std::vector<std::uint32_t> neighbours_;  // ranks to which cables lead
  std::vector<std::string> sent_, received_;
};

}  // namespace weir
