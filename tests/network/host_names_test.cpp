// Hosts by name and pattern: what a text means, and what is said where it means nothing or too much.
#include "network/host_names.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "says.h"
#include "scenario/parse.h"

namespace weir {
namespace {

const std::vector<std::string> kNames{"stage1 mlx4_0", "stage2 mlx4_0", "tank1 mlx5_0", "tank1 mlx5_1", "7", "x[1]"};

std::vector<std::uint32_t> found(std::string_view text) {
  const HostNames names(kNames);
  std::vector<std::uint32_t> numbers;
  for (const HostId host : names.find(text)) numbers.push_back(host.index);
  return numbers;
}

using Numbers = std::vector<std::uint32_t>;

TEST(HostNames, AreFoundByNameHostPatternAndNumber) {
  EXPECT_EQ(found("stage2 mlx4_0"), Numbers{1});
  EXPECT_EQ(found("stage2"), Numbers{1});
  EXPECT_EQ(found("tank1"), (Numbers{2, 3}));
  EXPECT_EQ(found("stage*"), (Numbers{0, 1}));
  EXPECT_EQ(found("tank1 mlx5_?"), (Numbers{2, 3}));
  EXPECT_EQ(found("*"), (Numbers{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(found("2"), Numbers{2});
  EXPECT_EQ(found("7"), Numbers{4});  // the name wins, though there is no eighth host either
  EXPECT_EQ(found("x[1]"), Numbers{5});
  EXPECT_EQ(found("x[*"), Numbers{5});  // a bracket is a letter like any other
  EXPECT_EQ(found("stage"), Numbers{});
  EXPECT_EQ(found("6"), Numbers{});
}

TEST(HostNames, APatternDescribesTheNodeToo) {
  EXPECT_EQ(found("stage?"), (Numbers{0, 1}));
  EXPECT_EQ(found("stage? mlx4_?"), (Numbers{0, 1}));
  EXPECT_EQ(found("*1"), (Numbers{0, 2, 3}));  // stage1, tank1, and the adapter mlx5_1 of tank1
  EXPECT_EQ(found("?"), Numbers{4});
  EXPECT_EQ(found("mlx*"), Numbers{});
}

TEST(HostNames, SeveralStandWithCommas) {
  EXPECT_EQ(found("tank1,stage?"), (Numbers{0, 1, 2, 3}));
  EXPECT_EQ(found("stage2 mlx4_0, 2, stage*"), (Numbers{0, 1, 2}));
  EXPECT_EQ(found("stage?,node*"), Numbers{});  // each must mean a host
  EXPECT_EQ(found("stage1,"), Numbers{});
  const HostNames names(kNames);
  EXPECT_TRUE(says(names.no_such_host("stage?,node*"), R"(no host matches "node*")"));
  EXPECT_TRUE(says(names.no_such_host("stage3,stage1"), R"("stage3" is no host)"));
  EXPECT_TRUE(says(names.no_such_host("stage1,"), R"("" is no host)"));
  const std::vector<std::string> with_comma{"a,b", "a", "b"};
  EXPECT_EQ(HostNames(with_comma).find("a,b"), std::vector<HostId>{{0}});
}

TEST(HostNames, RangesGoByTheNumberAtTheEnd) {
  std::vector<std::string> names;
  for (int h = 0; h < 12; ++h) names.push_back("H" + std::to_string(h));
  for (const char* name : {"node-01 mlx5_0", "node-02 mlx5_0", "node-10 mlx5_0", "a1-a3"}) names.emplace_back(name);
  const HostNames hosts(names);
  const auto numbers = [&](std::string_view text) {
    Numbers found;
    for (const HostId host : hosts.find(text)) found.push_back(host.index);
    return found;
  };
  EXPECT_EQ(numbers("H2-H4"), (Numbers{2, 3, 4}));
  EXPECT_EQ(numbers("H9-H11,H1"), (Numbers{1, 9, 10, 11}));
  EXPECT_EQ(numbers("node-02-node-10"), (Numbers{13, 14}));
  EXPECT_EQ(numbers("a1-a3"), Numbers{15});  // a host has this name
  EXPECT_EQ(numbers("H4-H2"), Numbers{});
  EXPECT_EQ(numbers("H2-G4"), Numbers{});
  EXPECT_TRUE(hosts.means_several("H2-H4"));
  EXPECT_TRUE(hosts.means_several("H*"));
  EXPECT_FALSE(hosts.means_several("a1-a3"));
  EXPECT_FALSE(hosts.means_several("node-01"));
}

TEST(HostNames, SayWhatIsNear) {
  const HostNames names(kNames);
  EXPECT_EQ(names.no_such_host("stage3"), R"("stage3" is no host; did you mean "stage1 mlx4_0", "stage2 mlx4_0"?)");
  EXPECT_EQ(names.no_such_host("9"), R"("9" is no host; this network has 6 hosts, numbered 0 to 5)");
  EXPECT_EQ(names.no_such_host("node*"),
            R"(no host matches "node*"; this network has 6 hosts, for example "stage1 mlx4_0" and "x[1]"; )"
            "`weir topo FILE --hosts '*'` lists all");
  EXPECT_EQ(names.several_hosts("tank1", names.find("tank1")),
            R"("tank1" means 2 hosts, and one is needed: "tank1 mlx5_0" (2), "tank1 mlx5_1" (3); )"
            "give the full name or the number in brackets");
}

// Two hosts with one name can only be told apart by number.
TEST(HostNames, MayBeShared) {
  const std::vector<std::string> twice{"a", "b", "a"};
  const HostNames names(twice);
  EXPECT_EQ(names.find("a").size(), 2u);
  EXPECT_TRUE(says(names.several_hosts("a", names.find("a")), R"("a" (0), "a" (2))"));
}

constexpr ParamSpec kKeys[] = {{"target", ParamType::host, kUnset, "one", 0, 1e9},
                               {"hosts", ParamType::hosts, kUnset, "some", 0, 1e9}};

Section section(const std::string& keys) {
  Vocabulary v;
  v.sections.push_back({.name = "traffic", .summary = "t", .common = {kKeys[0], kKeys[1]}});
  return parse_scenario_text("[traffic]\n" + keys, "s.toml", v).section("traffic");
}

Topology eight_hosts() {
  TopologyBuilder builder;
  for (int h = 0; h < 8; ++h) builder.add_host("node" + std::to_string(h));
  const SwitchId s = builder.add_switch("S", 8);
  for (std::uint32_t h = 0; h < 8; ++h) builder.connect(builder.at(HostId{h}), builder.at(s, h), {{1000}, {}, 0});
  return std::move(builder).build();
}

std::vector<std::int64_t> numbers_of(const std::string& keys) {
  return with_host_numbers(section(keys), eight_hosts()).at("hosts").integers;
}

using Integers = std::vector<std::int64_t>;

TEST(HostNumbers, TakeThePlaceOfNames) {
  EXPECT_EQ(with_host_numbers(section("target = 'node5'\n"), eight_hosts()).integer("target"), 5);
  EXPECT_EQ(with_host_numbers(section("target = 5\n"), eight_hosts()).integer("target"), 5);
  EXPECT_EQ(numbers_of("hosts = ['node3', 1]\n"), (Integers{3, 1}));
  EXPECT_EQ(numbers_of("hosts = 'node4'\n"), Integers{4});
  EXPECT_EQ(numbers_of("hosts = 6\n"), Integers{6});
  EXPECT_EQ(numbers_of("hosts = ['node1', 'node?']\n"), (Integers{1, 0, 2, 3, 4, 5, 6, 7}));
}

TEST(HostNumbers, OfSeveralInOneText) {
  EXPECT_EQ(numbers_of("hosts = 'node3,1'\n"), (Integers{3, 1}));
  EXPECT_EQ(numbers_of("target = 'node5'\nhosts = 'node1, node?'\n"), (Integers{1, 0, 2, 3, 4, 6, 7}));
  EXPECT_EQ(numbers_of("target = 5\nhosts = 'node5,node?'\n").front(), 5);  // named: refused later, not left out
}

TEST(HostNumbers, OfAPatternLeaveOutTheTarget) {
  EXPECT_EQ(numbers_of("target = 'node5'\nhosts = '*'\n"), (Integers{0, 1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(numbers_of("target = 5\nhosts = ['node?']\n"), (Integers{0, 1, 2, 3, 4, 6, 7}));
  EXPECT_EQ(numbers_of("target = 5\nhosts = ['node5']\n"), Integers{5});  // listed, so the pattern's reader refuses it
}

TEST(HostNumbers, RefuseWithTheLine) {
  const auto error = [](const std::string& keys) {
    return error_of([&] { numbers_of(keys); });
  };
  EXPECT_TRUE(says(error("target = 'nod5'\n"), R"(s.toml:2: target: "nod5" is no host; did you mean "node5")"));
  EXPECT_TRUE(says(error("target = 'node*'\n"), R"(s.toml:2: target: "node*" means 8 hosts)"));
  EXPECT_TRUE(says(error("hosts = ['node1',\n'tank*']\n"), R"(s.toml:3: hosts: no host matches "tank*")"));
  EXPECT_TRUE(says(error("hosts = ['']\n"), "s.toml:2: `hosts` needs a host's name or number, not an empty text"));
  EXPECT_TRUE(says(error("target = -1\n"), "s.toml:2: `target` is -1, but must be 0 to 1000000000"));
  EXPECT_TRUE(says(error("target = 1.5\n"), "s.toml:2: `target` needs a host's number or name"));
}

// Results know a scenario by this text: what was written, whether numbers or names.
TEST(HostNumbers, AreNotTheCanonicalText) {
  Vocabulary v;
  v.sections.push_back({.name = "traffic", .summary = "t", .common = {kKeys[0], kKeys[1]}});
  const auto canonical = [&](const std::string& keys) {
    const std::string text = parse_scenario_text("[traffic]\n" + keys, "s.toml", v).canonical();
    EXPECT_EQ(parse_scenario_text(text, "s.toml", v).canonical(), text);
    return text.substr(text.find("[traffic]\n"));
  };
  EXPECT_EQ(canonical("target = 3\nhosts = [0, 1]\n"), "[traffic]\ntarget = 3\nhosts = [0, 1]\n");
  EXPECT_EQ(canonical("target = 'a'\nhosts = ['b*', 1]\n"), "[traffic]\ntarget = \"a\"\nhosts = [\"b*\", 1]\n");
}

}  // namespace
}  // namespace weir
