// All that can be reproduced, paper by paper.
#include "reproduce/entries.h"

namespace weir {

std::span<const Entry> entries() {
  static const std::vector<Entry> all = [] {
    std::vector<Entry> list;
    for (const auto& group :
         {theory_entries(), ferrer_entries(), mizero_entries(), minkenberg_entries(), zdornov_entries()})
      list.insert(list.end(), group.begin(), group.end());
    return list;
  }();
  return all;
}

}  // namespace weir
