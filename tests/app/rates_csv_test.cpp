// Rate problems in files: what is read, what is refused and with which line, and that answers read back.
#include "app/rates/rates_csv.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "network/routings/routings.h"
#include "network/topologies/topologies.h"

namespace weir {
namespace {

constexpr std::string_view kLinks = "link,capacity,reserved\nup,10,0.5\n# a remark\ndown,4,25%\n";
constexpr std::string_view kPaths = "id,path,weight,app\na,up,1,x\nb,up down,1,x\nc,down,,y\n";

std::string refusal(std::string_view links, std::string_view paths) {
  try {
    read_links_and_paths({"L.csv", links}, {"P.csv", paths});
  } catch (const InputError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(RatesCsv, ReadsLinksAndPaths) {
  RateInput input = read_links_and_paths({"L.csv", kLinks}, {"P.csv", kPaths});
  EXPECT_EQ(input.app_names, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(input.weight.empty());
  const RateSolution s = solve(RateAlgorithm::ffa, input.problem());
  EXPECT_EQ(s.rate, (std::vector<double>{3.5, 1.5, 1.5}));
  EXPECT_EQ(rates_to_csv(input, s),
            "flow,app,rate,normalised_rate,bottleneck\na,x,3.5,3.5,up\nb,x,1.5,1.5,down\nc,y,1.5,1.5,down\n");
  read_priorities({"A.csv", "app,priority\ny,3\n"}, input);
  const RateSolution by_app = solve(RateAlgorithm::afa, input.problem());
  EXPECT_DOUBLE_EQ(by_app.rate[2], 2.25);
  const nlohmann::json json = nlohmann::json::parse(rates_to_json(RateAlgorithm::afa, input, by_app));
  EXPECT_EQ(json["algorithm"], "afa");
  EXPECT_EQ(json["flows"][1]["flow"], "b");
  EXPECT_EQ(json["flows"][1]["bottleneck"], "down");
  EXPECT_DOUBLE_EQ(json["flows"][2]["rate"], 2.25);
  EXPECT_DOUBLE_EQ(json["apps"][0]["rate"], 0.75);
}

TEST(RatesCsv, RatesInUnits) {
  const RateInput input = read_links_and_paths({"L.csv", "link,capacity\nup,10Gbps\n"}, {"P.csv", "path\nup\nup\n"});
  EXPECT_EQ(solve(RateAlgorithm::saa, input.problem()).rate, (std::vector<double>{5e9, 5e9}));
  EXPECT_EQ(input.flow_names, (std::vector<std::string>{"0", "1"}));
}

TEST(RatesCsv, CapacitiesHaveAllAUnitOrNone) {
  EXPECT_EQ(refusal("link,capacity\nup,10Gbps\ndown,4\n", kPaths),
            "L.csv:3: capacity \"4\" has no unit, but \"10Gbps\" in line 2 has one; write a unit behind all of them, "
            "or behind none");
  EXPECT_EQ(refusal("link,capacity\nup,10\nside,3\ndown,4Gbps\n", kPaths),
            "L.csv:4: capacity \"4Gbps\" has a unit, but \"10\" in line 2 has none; write a unit behind all of them, "
            "or behind none");
  EXPECT_EQ(refusal("link,capacity\nup,10Gbps\ndown,500 Mb/s\n", kPaths), "accepted");
  EXPECT_EQ(refusal("link,capacity\nup,10\ndown,4e-1\n", kPaths), "accepted");
}

TEST(RatesCsv, RefusesWithTheLine) {
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(refusal(kLinks, "id,path\na,up\nb,up donw\n"),
      "P.csv:3: flow \"b\" crosses link \"donw\", which L.csv does not have; did you mean `down`?");
  has(refusal(kLinks, "id,path,weight\na,up,0\n"), "P.csv:2: weight must be a positive number, not \"0\"");
  has(refusal(kLinks, "id,path,weight\na,up,1\nb,up,-2\n"), "P.csv:3: weight must be a positive number, not \"-2\"");
  has(refusal(kLinks, "id,path,weight\na,up,heavy\n"), "P.csv:2: weight");
  has(refusal(kLinks, "id,path,weight\na,up,nan\n"), "P.csv:2: weight");
  has(refusal(kLinks, "id,path,weight\na,up,inf\n"), "P.csv:2: weight");
  has(refusal("link,capacity\nup,0\n", kPaths), "L.csv:2: capacity must be a positive number, not \"0\"");
  has(refusal("link,capacity\nup,1\ndown,-3\n", kPaths), "L.csv:3: capacity");
  has(refusal("link,capacity\nup,0Gbps\n", kPaths), "L.csv:2: capacity");
  has(refusal("link,capacity\nup,fast\n", kPaths), "L.csv:2: capacity");
  has(refusal("link,capacity\nup,\n", kPaths), "L.csv:2: capacity is missing");
  has(refusal("link,capacity,reserved\nup,1,1\n", kPaths), "L.csv:2: reserved must be at least 0 and below 1");
  has(refusal("link,capacity\nup,1\nup,2\n", kPaths), "L.csv:3: link \"up\" appears twice");
  has(refusal(kLinks, "id,path\na,up down up\n"),
      "P.csv:2: the path of flow \"a\" has a loop: it crosses link \"up\" twice");
  has(refusal(kLinks, "id,path\na,up\na,down\n"), "P.csv:3: flow \"a\" appears twice");
  has(refusal(kLinks, "id,path\na,\n"), "P.csv:2: path is missing");
  has(refusal(kLinks, "id,weight\na,1\n"), "P.csv:1: column \"path\" is missing");
  has(refusal(kLinks, "id,path,wieght\na,up,1\n"), "P.csv:1: unknown column \"wieght\"; did you mean `weight`?");
  has(refusal(kLinks, "id,path\na,up,1\n"), "P.csv:2: 3 cells");
  has(refusal("", kPaths), "L.csv:1: is empty");
}

TEST(RatesCsv, RoutesFlowsOverATopology) {
  const LinkProperties link{Rate{8'000'000'000}, Time{}, 0};
  const Topology topology = star(4, link);
  const RouteTable routes = min_hop_routes(topology);
  const std::string name = topology.name(NodeId{3});
  const std::string text = "src,dst,bytes,weight\n0,3,1kB,1\n1," + name + ",1kB,3\n";
  const RateInput input = read_flows({"F.csv", text}, topology, routes, FlowRoutingPolicy::fixed(), 1);
  EXPECT_EQ(solve(RateAlgorithm::ffa, input.problem()).rate, (std::vector<double>{2e9, 6e9}));
  const auto refused = [&](std::string_view rows) {
    try {
      read_flows({"F.csv", rows}, topology, routes, FlowRoutingPolicy::fixed(), 1);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refused("src,dst\n0,4\n").find("F.csv:2: dst \"4\" is no host"), std::string::npos);
  EXPECT_NE(refused("src,dst\n0,1\n2,2\n").find("F.csv:3: a flow from a host to itself"), std::string::npos);
}

TEST(RatesCsv, QuotesNamesThatNeedIt) {
  const RateInput input =
      read_links_and_paths({"L.csv", "link,capacity\nup,1\n"}, {"P.csv", "id,path\n\"a,\"\"b\"\"\",up\n"});
  const RateSolution s = solve(RateAlgorithm::saa, input.problem());
  EXPECT_NE(rates_to_csv(input, s).find("\"a,\"\"b\"\"\",0,1,1,up"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(rates_to_json(RateAlgorithm::saa, input, s))["flows"][0]["flow"], "a,\"b\"");
}

}  // namespace
}  // namespace weir
