// Transposition by counting sort: count per link, prefix sums, then place the flows in ascending order.
#include "flow/solvers/incidence.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace weir {

Incidence::Incidence(std::size_t links, RowList paths) : by_flow_(std::move(paths)) {
  const std::vector<std::uint32_t>& items = by_flow_.items;
  if (items.size() > std::numeric_limits<std::uint32_t>::max())
    throw InputError(fmt::format("{} crossings of a link by a flow are more than the 2^32 - 1 that fit", items.size()));
  std::vector<std::uint32_t>& start = by_link_.start;
  start.assign(links + 1, 0);
  for (const std::uint32_t link : items) {
    if (link >= links)
      throw InputError(fmt::format("a flow crosses link {}, but there are only {} links", link, links));
    ++start[link + 1];
  }
  for (std::size_t l = 0; l < links; ++l) start[l + 1] += start[l];
  by_link_.items.resize(items.size());
  // start[l] serves as the place of l's next flow; afterwards it has moved to start[l + 1], so shift back by one row.
  std::size_t i = 0;
  for (std::uint32_t f = 0; f < by_flow_.rows(); ++f)
    for (const std::size_t end = by_flow_.start[f + 1]; i < end; ++i) by_link_.items[start[items[i]]++] = f;
  for (std::size_t l = links; l > 0; --l) start[l] = start[l - 1];
  start[0] = 0;
}

}  // namespace weir
