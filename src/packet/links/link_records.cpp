#include "packet/links/link_records.h"

#include <bit>
#include <limits>

#include "base/error.h"

namespace weir {

LinkRecords::LinkRecords(std::size_t links, std::uint32_t lanes, bool has_gaps)
    : gaps_(has_gaps ? links : 0),
      links_(static_cast<std::uint32_t>(links)),
      lanes_(lanes),
      lane_shift_(static_cast<std::uint32_t>(std::bit_width(lanes - 1))),
      record_shift_(lane_shift_ + 1) {  // a link, and as many channels as there are numbers for
  records_.resize(links << record_shift_);
  for (std::uint32_t c = 0; c < channels(); ++c) channel({c}) = {};
}

void LinkRecords::set_kind(Link& link, const LinkKind& kind) {
  const auto known = std::find(kinds_.rbegin(), kinds_.rend(), kind);  // neighbours are alike
  link.kind = static_cast<std::uint16_t>(known != kinds_.rend() ? kinds_.rend() - known - 1
                                                                : static_cast<std::ptrdiff_t>(kinds_.size()));
  if (known != kinds_.rend()) return;
  if (kinds_.size() > std::numeric_limits<std::uint16_t>::max())
    throw InputError("this fabric has more than 65,536 kinds of links that differ in rate or delay");
  kinds_.push_back(kind);
}

void LinkRecords::take_over(const LinkRecords& other, LinkId l) {
  link(l) = other.link(l);
  if (!gaps_.empty()) gaps_[l.index] = other.gaps_[l.index];
  if (const auto wrapped = other.wraps_.find(l.index); wrapped != other.wraps_.end()) wraps_[l.index] = wrapped->second;
  each_channel(l, [&](ChannelId c) {
    channel(c) = other.channel(c);
    channel(c).queue = {};  // those packets lie in the pool of the other
  });
}

}  // namespace weir
