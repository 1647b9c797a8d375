// Links with neighbouring numbers: what a part of a fabric has is a few ranges of them.
#pragma once
#include <cstdint>
#include <vector>

namespace weir {

struct LinkRange {
  std::uint32_t begin, end;
};

// In rising order.
class LinkRanges {
 public:
  void add(std::uint32_t link) {
    ++size_;
    if (!ranges_.empty() && ranges_.back().end == link) ++ranges_.back().end;
    else ranges_.push_back({link, link + 1});
  }
  std::size_t size() const { return size_; }  // links
  // visit(link, how many come before it)
  template <class Visit>
  void each(const Visit& visit) const {
    std::size_t place = 0;
    for (const LinkRange& range : ranges_)
      for (std::uint32_t l = range.begin; l < range.end; ++l) visit(l, place++);
  }

 private:
  std::vector<LinkRange> ranges_;
  std::size_t size_ = 0;
};

}  // namespace weir
