// Memory and silicon of adapters against what tables 8.5 and 8.6 of paper 001 print.
#include "reproduce/ferrer/adapter_memory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace weir {
namespace {

constexpr Bytes kKiB = 1024;

struct Row {
  std::uint32_t hosts;
  Bytes fvoq_kib;
  std::uint32_t queues;
  Bytes packet, pvoq_kib;  // of packets of this size
  int pvoq_percent;
  Bytes sb_kib;
  int sb_percent;
};
// Fixed packets of 256 bytes, then half 64 and half 512 bytes with slots for the larger ones.
constexpr Row kTable85[] = {
    {512, 256, 128, 256, 32, 87, 25, 90}, {512, 256, 128, 512, 64, 75, 25, 90}, {64, 32, 16, 256, 4, 87, 3, 90},
    {256, 128, 64, 256, 16, 87, 12, 90},  {256, 128, 64, 512, 32, 75, 12, 90},
};

int percent(double share) { return static_cast<int>(std::floor(100 * share)); }  // the table cuts off

TEST(AdapterMemory, table_8_5) {
  for (const Row& row : kTable85) {
    SCOPED_TRACE(row.hosts);
    const AdapterCost fvoq = adapter_memory({AdapterMemory::fvoq, row.hosts, 256, 2, 0, 0});
    const AdapterCost pvoq = adapter_memory({AdapterMemory::pvoq, row.hosts, row.packet, 2, row.queues, 0});
    const AdapterCost sb = adapter_memory({AdapterMemory::sb, row.hosts, 256, 2, 0, row.sb_kib * kKiB});
    EXPECT_EQ(fvoq.storage, row.fvoq_kib * kKiB);
    EXPECT_EQ(pvoq.storage, row.pvoq_kib * kKiB);
    EXPECT_EQ(percent(memory_saved(pvoq, fvoq)), row.pvoq_percent);
    EXPECT_EQ(percent(memory_saved(sb, fvoq)), row.sb_percent);
  }
}

TEST(AdapterMemory, a_full_window_of_whole_packets_is_278_kib) {
  const AdapterCost with_headers = adapter_memory({AdapterMemory::fvoq, 512, 256 + 22, 2, 0, 0});
  EXPECT_EQ(with_headers.storage, 278 * kKiB);
  EXPECT_EQ(adapter_memory({AdapterMemory::pvoq, 512, 256 + 22, 2, 512, 0}).storage, 139 * kKiB);
}

TEST(AdapterMemory, counters_are_as_wide_as_the_window_needs) {
  const auto counters = [](std::uint32_t window) {
    return adapter_memory({AdapterMemory::sb, 512, 256, window, 0, 1000}).counters;
  };
  EXPECT_EQ(counters(1), 64);
  EXPECT_EQ(counters(2), 128);
  EXPECT_EQ(counters(3), 128);
  EXPECT_EQ(counters(4), 192);
  EXPECT_EQ(adapter_memory({AdapterMemory::fvoq, 512, 256, 2, 0, 0}).counters, 0);
  EXPECT_EQ(adapter_memory({AdapterMemory::sb, 512, 256, 2, 0, 1000}).total(), 1128);
}

TEST(AdapterMemory, table_8_6) {
  struct Area {
    Bytes fvoq, pvoq, sb;
    double fvoq_mm2, pvoq_mm2, sb_mm2, pvoq_percent, sb_percent;
  };
  for (const Area& a :
       {Area{256, 32, 25, 57.39, 6.71, 5.24, 88.3, 90.9}, Area{128, 16, 12, 28.72, 3.38, 2.51, 88.2, 91.3},
        Area{32, 4, 3, 7.21, 0.88, 0.63, 87.8, 91.3}}) {
    const double fvoq = silicon_area_mm2(AdapterMemory::fvoq, a.fvoq * kKiB);
    const double pvoq = silicon_area_mm2(AdapterMemory::pvoq, a.pvoq * kKiB);
    const double sb = silicon_area_mm2(AdapterMemory::sb, a.sb * kKiB);
    EXPECT_NEAR(fvoq, a.fvoq_mm2, 0.01 * a.fvoq_mm2);
    EXPECT_NEAR(pvoq, a.pvoq_mm2, 0.01 * a.pvoq_mm2);
    EXPECT_NEAR(sb, a.sb_mm2, 0.01 * a.sb_mm2);
    EXPECT_NEAR(100 * (1 - pvoq / fvoq), a.pvoq_percent, 0.2);
    EXPECT_NEAR(100 * (1 - sb / fvoq), a.sb_percent, 0.2);
  }
}

TEST(AdapterMemory, refuses_the_impossible) {
  EXPECT_THROW(adapter_memory({AdapterMemory::fvoq, 0, 256, 2, 0, 0}), InputError);
  EXPECT_THROW(adapter_memory({AdapterMemory::fvoq, 8, 0, 2, 0, 0}), InputError);
  EXPECT_THROW(adapter_memory({AdapterMemory::fvoq, 8, 256, 0, 0, 0}), InputError);
  EXPECT_THROW(adapter_memory({AdapterMemory::pvoq, 8, 256, 2, 9, 0}), InputError);
  EXPECT_THROW(adapter_memory({AdapterMemory::pvoq, 8, 256, 2, 0, 0}), InputError);
  EXPECT_THROW(adapter_memory({AdapterMemory::sb, 8, 256, 2, 0, 0}), InputError);
}

}  // namespace
}  // namespace weir
