// Ids exist so that a port number cannot be used as a host number. What must not compile is checked as a type property.
#include "base/ids.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

namespace weir {
namespace {

TEST(Id, DefaultIsInvalid) {
  EXPECT_FALSE(PortId{}.valid());
  EXPECT_TRUE(PortId{0}.valid());
  EXPECT_EQ(PortId{}.index, PortId::kNone);
}

TEST(Id, OrderIsThatOfTheNumbers) {
  EXPECT_LT(PortId{3}, PortId{4});
  EXPECT_EQ(PortId{3}, PortId{3});
  EXPECT_NE(PortId{3}, PortId{4});
  EXPECT_GT(PortId{}, PortId{4'000'000'000}) << "no id sorts last";
}

static_assert(sizeof(PortId) == 4);
static_assert(!std::is_convertible_v<PortId, HostId>);
static_assert(!std::is_convertible_v<NodeId, HostId>);
static_assert(!std::is_convertible_v<std::uint32_t, PortId>, "a bare number is no id");
static_assert(!std::is_convertible_v<PortId, std::uint32_t>);

template <class T, class Index>
concept Indexable = requires(T table, Index index) { table[index]; };
static_assert(Indexable<Table<PortId, int>, PortId>);
static_assert(!Indexable<Table<PortId, int>, HostId>);
static_assert(!Indexable<Table<PortId, int>, std::size_t>);

TEST(Table, HoldsOneItemPerId) {
  Table<HostId, int> table(3, 7);
  EXPECT_EQ(table.size(), 3u);
  EXPECT_FALSE(table.empty());
  table[HostId{1}] = 9;
  EXPECT_EQ(table.raw(), (std::vector<int>{7, 9, 7}));
}

TEST(Table, PushBackTellsTheNewId) {
  Table<FlowId, std::string> table;
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.push_back("a"), FlowId{0});
  EXPECT_EQ(table.push_back("b"), FlowId{1});
  EXPECT_EQ(table[FlowId{1}], "b");
  table.back() = "c";
  EXPECT_EQ(table[FlowId{1}], "c");
}

TEST(Table, TakesItemsThatCanOnlyBeMoved) {
  Table<FlowId, std::unique_ptr<int>> table;
  const FlowId id = table.push_back(std::make_unique<int>(5));
  EXPECT_EQ(*table[id], 5);
}

TEST(Table, ResizeKeepsAndAssignReplaces) {
  Table<AppId, int> table(2, 4);
  table.resize(3);
  EXPECT_EQ(table.raw(), (std::vector<int>{4, 4, 0}));
  table.assign(2, 8);
  EXPECT_EQ(table.raw(), (std::vector<int>{8, 8}));
  table.reserve(100);
  EXPECT_EQ(table.size(), 2u);
}

TEST(Table, IteratesInOrderOfIds) {
  Table<ClassId, int> table(4);
  int next = 0;
  for (int& item : table) item = next++;
  const Table<ClassId, int>& read_only = table;
  EXPECT_EQ(std::vector<int>(read_only.begin(), read_only.end()), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(read_only[ClassId{2}], 2);
}

}  // namespace
}  // namespace weir
