// How large flows are: a cumulative distribution, linear between its points. Sizes are whole bytes. Between two points
// with a and b bytes, every size from a + 1 to b is equally likely; two points of the same size are flows of exactly
// that size. So the mean is known exactly, and so is the load that a number of flows makes.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/units.h"

namespace weir {

class SizeDistribution {
 public:
  struct Point {
    Bytes bytes;
    double share;  // of the flows that are not larger
  };
  // Neither bytes nor shares go down; shares from 0 to 1; no flow is empty.
  explicit SizeDistribution(std::vector<Point> points);
  static SizeDistribution fixed(Bytes bytes) { return SizeDistribution({{bytes, 0}, {bytes, 1}}); }

  // The smallest size that a share `u` of the flows does not exceed; 0 < u <= 1.
  Bytes at(double u) const;
  Bytes draw(RandomStream& random) const;
  double mean_bytes() const;
  double mean_packets(Bytes payload) const;  // of the flows, cut into packets of `payload`
  const std::vector<Point>& points() const { return points_; }

 private:
  std::vector<Point> points_;
};

inline constexpr std::array<std::string_view, 3> kBuiltinSizes{"websearch", "fbhadoop", "alistorage"};
// Nothing if there is none of that name.
std::optional<SizeDistribution> builtin_sizes(std::string_view name);

// Two columns, bytes and the cumulative share of flows: up to 1, or up to 100 as percent. # begins a comment. A file
// that does not begin with a share of 0 begins at 0 bytes.
SizeDistribution parse_sizes(const std::string& file, std::string_view text);

}  // namespace weir
