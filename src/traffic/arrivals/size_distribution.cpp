// Measured distributions of flow sizes, and those of files.
#include "traffic/arrivals/size_distribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/check.h"
#include "base/error.h"
#include "base/text_cursor.h"

namespace weir {

namespace {

constexpr double kMostBytes = 1e15;

// Sum of ceil(s / payload) for s = 1 ... bytes.
double packets_up_to(Bytes bytes, Bytes payload) {
  const auto full = static_cast<double>(bytes / payload), rest = static_cast<double>(bytes % payload);
  return static_cast<double>(payload) * full * (full + 1) / 2 + rest * (full + 1);
}

using Point = SizeDistribution::Point;

std::vector<Point> from_percent(std::initializer_list<Point> points) {
  std::vector<Point> result{{0, 0}};
  for (const Point& p : points) result.push_back({p.bytes, p.share / 100});
  return result;
}

// Reads one line; nothing if it is blank or a comment.
class PointReader {
 public:
  PointReader(const std::string& file, std::string_view line, std::uint32_t number)
      : where_{file, number, 0}, rest_(line.substr(0, line.find('#'))) {}

  std::optional<Point> read() {
    const std::string_view bytes_text = word(), share_text = word(), more = word();
    if (bytes_text.empty()) return std::nullopt;
    if (share_text.empty()) refuse("the share is missing: two columns are needed, bytes and the cumulative share");
    if (!more.empty())
      refuse(fmt::format("more than two columns: bytes and the cumulative share are needed, and \"{}\" follows", more));
    const double bytes = number("bytes", bytes_text, kMostBytes);
    if (bytes != std::floor(bytes)) refuse(fmt::format("bytes: must be a whole number, not \"{}\"", bytes_text));
    return Point{static_cast<Bytes>(bytes), number("share", share_text, 100)};
  }
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(where_, what); }

 private:
  // Up to the next blank or comma.
  std::string_view word() {
    constexpr std::string_view kBetween = " \t\r,";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBetween), rest_.size()));
    const std::string_view found = rest_.substr(0, rest_.find_first_of(kBetween));
    rest_.remove_prefix(found.size());
    return found;
  }
  double number(std::string_view what, std::string_view text, double most) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool in_range = value >= 0 && value <= most;  // which nothing infinite is, and no NaN
    if (error != std::errc() || end != text.data() + text.size() || !in_range)
      refuse(fmt::format("{}: must be a number from 0 to {}, not \"{}\"", what, most, text));
    return value;
  }

  SourcePosition where_;
  std::string_view rest_;
};

void check_order(const PointReader& reader, const std::vector<Point>& points, const Point& next) {
  if (next.bytes == 0 && next.share > 0) reader.refuse("flows of 0 bytes; a flow has at least 1 byte");
  if (points.empty()) return;
  const Point& last = points.back();
  if (next.bytes < last.bytes)
    reader.refuse(fmt::format("bytes: {} after {}; sizes must not go down", next.bytes, last.bytes));
  if (next.share < last.share)
    reader.refuse(fmt::format("share: {} after {}; cumulative shares must not go down", next.share, last.share));
}

}  // namespace

SizeDistribution::SizeDistribution(std::vector<Point> points) : points_(std::move(points)) {
  WEIR_CHECK(points_.size() > 1 && points_.front().share == 0 && points_.back().share == 1);
}

Bytes SizeDistribution::at(double u) const {
  const auto above = std::lower_bound(points_.begin() + 1, points_.end() - 1, u,
                                      [](const Point& p, double share) { return p.share < share; });
  const Point &high = *above, &low = *(above - 1);
  if (high.bytes == low.bytes) return high.bytes;
  const double part = (u - low.share) / (high.share - low.share);
  const double within = std::ceil(part * static_cast<double>(high.bytes - low.bytes));
  return std::clamp(low.bytes + static_cast<Bytes>(within), low.bytes + 1, high.bytes);
}

Bytes SizeDistribution::draw(RandomStream& random) const {
  return at((static_cast<double>(random.next() >> 11) + 1) * 0x1.0p-53);
}

double SizeDistribution::mean_bytes() const {
  double mean = 0;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const auto low = static_cast<double>(points_[i - 1].bytes), high = static_cast<double>(points_[i].bytes);
    mean += (points_[i].share - points_[i - 1].share) * (low == high ? high : (low + high + 1) / 2);
  }
  return mean;
}

double SizeDistribution::mean_packets(Bytes payload) const {
  double mean = 0;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    const Bytes low = points_[i - 1].bytes, high = points_[i].bytes;
    const double packets = low == high ? static_cast<double>((high - 1) / payload + 1)
                                       : (packets_up_to(high, payload) - packets_up_to(low, payload)) /
                                             static_cast<double>(high - low);
    mean += (points_[i].share - points_[i - 1].share) * packets;
  }
  return mean;
}

std::optional<SizeDistribution> builtin_sizes(std::string_view name) {
  if (name == "websearch")
    return SizeDistribution(from_percent({{10'000, 15}, {20'000, 20}, {30'000, 30}, {50'000, 40}, {80'000, 53},
                                          {200'000, 60}, {1'000'000, 70}, {2'000'000, 80}, {5'000'000, 90},
                                          {10'000'000, 97}, {30'000'000, 100}}));
  if (name == "fbhadoop")
    return SizeDistribution(from_percent({{100, 1}, {200, 2}, {300, 5}, {350, 15}, {400, 20}, {500, 30}, {600, 40},
                                          {700, 50}, {1'000, 60}, {2'000, 67}, {7'000, 70}, {30'000, 72}, {50'000, 82},
                                          {80'000, 87}, {120'000, 90}, {300'000, 95}, {1'000'000, 97.5},
                                          {2'000'000, 99}, {10'000'000, 100}}));
  if (name == "alistorage")
    return SizeDistribution(from_percent({{4'000, 22.93}, {8'000, 69.21}, {16'000, 80.61}, {32'000, 90.47},
                                          {64'000, 93.53}, {128'000, 96.77}, {256'000, 97.53}, {2'000'000, 100}}));
  return std::nullopt;
}

SizeDistribution parse_sizes(const std::string& file, std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::vector<Point> points;
  std::uint32_t last_line = 1;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    PointReader reader(file, line, number);
    const std::optional<Point> point = reader.read();
    if (!point) return;
    check_order(reader, points, *point);
    points.push_back(*point);
    last_line = number;
  });
  const SourcePosition end{file, last_line, 0};
  if (points.empty())
    throw InputError(end,
                     "there is no point; two columns are needed, bytes and the cumulative share, as in \"1000 25\"");
  const double whole = points.back().share;
  if (whole != 1 && whole != 100)
    throw InputError(end, fmt::format("the last share is {}; it must be 100 (percent) or 1", whole));
  for (Point& p : points) p.share /= whole;
  if (points.front().share > 0) points.insert(points.begin(), {0, 0});
  return SizeDistribution(std::move(points));
}

}  // namespace weir
