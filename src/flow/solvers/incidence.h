// Which flow crosses which link, both ways, as flat arrays (compressed sparse rows): flow -> its links in path order,
// and link -> its flows in ascending order. All rate solvers work on it. Building costs two passes over the incidences
// and is reported apart from solving.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir {

// Rows of 32-bit numbers laid end to end; row r is items[start[r] .. start[r + 1]).
struct RowList {
  std::vector<std::uint32_t> start{0};
  std::vector<std::uint32_t> items;

  std::size_t rows() const { return start.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t row) const {
    return {items.data() + start[row], items.data() + start[row + 1]};
  }
  void push(std::uint32_t item) { items.push_back(item); }
  void close_row() { start.push_back(static_cast<std::uint32_t>(items.size())); }
  void add_row(std::span<const std::uint32_t> row) {
    items.insert(items.end(), row.begin(), row.end());
    close_row();
  }
};

class Incidence {
 public:
  Incidence() = default;
  // `paths`: per flow the links it crosses. More than 2^32 - 1 incidences, or a link number that is not below `links`,
  // is an InputError.
  Incidence(std::size_t links, RowList paths);

  std::size_t links() const { return by_link_.rows(); }
  std::size_t flows() const { return by_flow_.rows(); }
  std::size_t size() const { return by_flow_.items.size(); }
  std::span<const std::uint32_t> links_of(std::size_t flow) const { return by_flow_[flow]; }
  std::span<const std::uint32_t> flows_of(std::size_t link) const { return by_link_[link]; }
  const RowList& by_flow() const { return by_flow_; }
  const RowList& by_link() const { return by_link_; }

 private:
  RowList by_flow_, by_link_;
};

}  // namespace weir
