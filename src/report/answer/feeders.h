// Which of the ports that are held back carry traffic into the root themselves, and which are innocent. Both wait, but
// only the innocent suffer for what others send.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "store/run_record.h"

namespace weir {

class Feeders {
 public:
  explicit Feeders(const AnalysedRun& run);

  // False where nobody knows what saturates the roots, or on which ways. Then nothing feeds them.
  bool known() const { return known_; }
  // What saturates the root crosses this port before.
  bool feeds(PortId port, PortId root) const;
  // Of all ports that are held back by some root: those that feed none of the roots that hold them back.
  std::size_t innocent(const CongestionReport& congestion) const;

 private:
  bool known_ = false;
  std::unordered_map<std::uint32_t, std::unordered_set<std::uint32_t>> feeders_;  // by port of the root
};

// "of the 50 ports held back, 43 are held back by a root (13 of them are only victims: they do not feed this root); the
// other 7 are held back although no link ahead of them is saturated"; only where that is known.
std::string innocent_clause(const AnalysedRun& run, const Feeders& feeders);

}  // namespace weir
