#include "reproduce/ferrer/adapter_memory.h"

#include <array>
#include <bit>
#include <string>

#include "base/error.h"

namespace weir {

namespace {

constexpr double kKiB = 1024.0;

struct Point {
  double kib, mm2;
};
// Size (table 8.5, packets of 256 bytes) and area (table 8.6) for 512, 256 and 64 hosts.
constexpr std::array<std::array<Point, 3>, 3> kPrinted{{
    {{{256, 57.39}, {128, 28.72}, {32, 7.21}}},
    {{{32, 6.71}, {16, 3.38}, {4, 0.88}}},
    {{{25, 5.24}, {12, 2.51}, {3, 0.63}}},
}};

struct Line {
  double base, slope;
};

// Least squares.
Line fit(const std::array<Point, 3>& points) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& p : points) {
    x += p.kib;
    y += p.mm2;
    xx += p.kib * p.kib;
    xy += p.kib * p.mm2;
  }
  constexpr double n = 3;
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  return {(y - slope * x) / n, slope};
}

void require(bool condition, const std::string& what) {
  if (!condition) throw InputError("adapter: " + what);
}

}  // namespace

AdapterCost adapter_memory(const AdapterShape& shape) {
  require(shape.hosts > 0, "there must be a destination");
  require(shape.window > 0, "the window must be above 0");
  AdapterCost cost;
  if (shape.organisation == AdapterMemory::sb) {
    require(shape.buffer > 0, "the shared buffer must be above 0 bytes");
    cost.storage = shape.buffer;
  } else {
    require(shape.packet > 0, "packets must be above 0 bytes");
    const bool full = shape.organisation == AdapterMemory::fvoq;
    require(full || (shape.queues > 0 && shape.queues <= shape.hosts),
            "there must be 1 to " + std::to_string(shape.hosts) + " queues, one per destination at most");
    cost.storage = full ? Bytes{shape.hosts} * shape.window * shape.packet : Bytes{shape.queues} * shape.packet;
  }
  if (shape.organisation == AdapterMemory::fvoq) return cost;
  const Bytes bits = Bytes{shape.hosts} * std::bit_width(shape.window);  // a counter counts from 0 to the window
  cost.counters = (bits + 7) / 8;
  return cost;
}

double memory_saved(const AdapterCost& cost, const AdapterCost& reference) {
  return 1.0 - static_cast<double>(cost.storage) / static_cast<double>(reference.storage);
}

double silicon_area_mm2(AdapterMemory organisation, Bytes storage) {
  const Line line = fit(kPrinted[static_cast<std::size_t>(organisation)]);
  return line.base + line.slope * static_cast<double>(storage) / kKiB;
}

}  // namespace weir
