// `weir rates` as a user calls it: the command line is parsed, files are read, and what comes out is compared.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "base/error.h"
#include "base/file_text.h"
#include "says.h"
#include "source_dir.h"
#include "store/files/output_file.h"
#include "temp_dir.h"

namespace weir {
namespace {

const std::string kExamples = source_dir() + "/scenarios/rates/";

class Rates : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (dir_ / name).string(); }
  std::string file(const std::string& name, const std::string& text) const {
    write_file(dir_ / name, text);
    return path(name);
  }
  // Exit code, or 2 with the sentence in `said_`. The answer goes to the file "out".
  int run(std::vector<std::string> arguments, bool with_out = true) {
    CLI::App app;
    const Command command = add_rates(app);
    arguments.insert(arguments.begin(), "rates");
    if (with_out) arguments.insert(arguments.end(), {"--out", path("out")});
    std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
    said_.clear();
    try {
      app.parse(arguments);
      return command();
    } catch (const CLI::ParseError& e) {
      said_ = e.what();
    } catch (const InputError& e) {
      said_ = e.what();
    }
    return 2;
  }
  std::string answer() const { return read_text_file(path("out")); }
  std::vector<std::string> example_paths() const {
    return {"--links", kExamples + "links.csv", "--paths", kExamples + "paths.csv"};
  }
  std::vector<std::string> example_flows() const {
    return {"--topology", kExamples + "tree.toml", "--flows", kExamples + "flows.csv"};
  }
  static std::vector<std::string> with(std::vector<std::string> base, const std::vector<std::string>& more) {
    base.insert(base.end(), more.begin(), more.end());
    return base;
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) {
    EXPECT_EQ(run(arguments), 2);
    EXPECT_TRUE(says(said_, part));
    EXPECT_FALSE(std::filesystem::exists(path("out")));
  }

  TempDir dir_;
  std::string said_;
};

TEST_F(Rates, LinksAndPathsAsCsv) {
  EXPECT_EQ(run(with(example_paths(), {"--algorithm", "ffa", "--verify"})), 0) << said_;
  // Five weights share d2's link: 2 Gb/s each; the other two flows of the cable between the switches get what is left.
  EXPECT_EQ(answer(),
            "flow,app,rate,normalised_rate,bottleneck\n"
            "f1,left,3000000000,3000000000,sw1-sw2\nf2,left,3000000000,3000000000,sw1-sw2\n"
            "f3,left,2000000000,2000000000,sw2-d2\nf4,left,2000000000,2000000000,sw2-d2\n"
            "f5,right,2000000000,2000000000,sw2-d2\nf6,right,4000000000,2000000000,sw2-d2\n");
}

TEST_F(Rates, EveryAlgorithmCertifiesItsAnswer) {
  for (const char* algorithm : {"saa", "saa-m", "ffa", "afa"}) {
    EXPECT_EQ(run(with(example_paths(), {"--algorithm", algorithm, "--verify"})), 0) << algorithm << said_;
    for (const char* routing : {"static", "ascent", "forced", "free"})
      EXPECT_EQ(run(with(example_flows(), {"--algorithm", algorithm, "--routing", routing, "--verify"})), 0)
          << algorithm << routing << said_;
  }
}

TEST_F(Rates, PrioritiesOfApplicationsAsJson) {
  EXPECT_EQ(run(with(example_paths(), {"--algorithm", "afa", "--apps", kExamples + "apps.csv", "--json"})), 0) << said_;
  const nlohmann::json json = nlohmann::json::parse(answer());
  EXPECT_EQ(json["algorithm"], "afa");
  EXPECT_EQ(json["apps"][1]["app"], "right");
  EXPECT_DOUBLE_EQ(json["apps"][1]["rate"], 1.25e9);  // d2: two of weight 1, and 1 + 2 with priority 2
  EXPECT_DOUBLE_EQ(json["flows"][5]["rate"], 5e9);
}

TEST_F(Rates, FlowsOverATopologyKeepTheReservedShareFree) {
  EXPECT_EQ(run(with(example_flows(), {"--algorithm", "saa", "--reserved", "0.5", "--json"})), 0) << said_;
  const nlohmann::json json = nlohmann::json::parse(answer());
  EXPECT_EQ(json["flows"].size(), 9u);
  EXPECT_DOUBLE_EQ(json["flows"][0]["rate"], 1e9);  // five flows end at host 5, which takes half of 10 Gb/s
}

TEST_F(Rates, GivenRatesAreJudged) {
  EXPECT_EQ(run(with(example_paths(), {"--algorithm", "ffa"})), 0);
  const std::string fair = file("fair.csv", answer());
  EXPECT_EQ(run(with(example_paths(), {"--algorithm", "ffa", "--given", fair}), false), 0) << said_;
  const std::string greedy = file("greedy.csv", "flow,rate\nf1,4e9\nf2,3e9\nf3,2e9\nf4,2e9\nf5,2e9\nf6,4e9\n");
  EXPECT_EQ(run(with(example_paths(), {"--algorithm", "ffa", "--given", greedy}), false), 1) << said_;
  const std::string idle = file("idle.csv", "flow,rate\nf1,1e9\nf2,3e9\nf3,2e9\nf4,2e9\nf5,2e9\nf6,4e9\n");
  EXPECT_EQ(run(with(example_paths(), {"--algorithm", "ffa", "--given", idle}), false), 1) << said_;
  const std::string missing = file("missing.csv", "flow,rate\nf1,1e9\n");
  EXPECT_EQ(run(with(example_paths(), {"--given", missing}), false), 2);
  EXPECT_TRUE(says(said_, R"(missing.csv: has no rate for flow "f2")"));
  const std::string unknown = file("unknown.csv", "flow,rate\nf1,1e9\nf9,1\n");
  EXPECT_EQ(run(with(example_paths(), {"--given", unknown}), false), 2);
  EXPECT_TRUE(says(said_, R"(unknown.csv:3: there is no flow "f9")"));
}

TEST_F(Rates, RefusesBadFilesWithTheLine) {
  const std::string links = kExamples + "links.csv";
  expect_refused({"--links", links, "--paths", file("p.csv", "id,path\na,sw1-sw2 sw9\n")}, R"(p.csv:2: flow "a")");
  expect_refused({"--links", links, "--paths", file("p.csv", "id,path,weight\na,sw2-d1,0\n")}, "p.csv:2: weight");
  expect_refused({"--links", links, "--paths", file("p.csv", "id,path\na,sw2-d1 sw2-d1\n")}, "p.csv:2: the path of");
  expect_refused({"--links", file("l.csv", "link,capacity\nsw2-d1,-1\n"), "--paths", kExamples + "paths.csv"},
                 "l.csv:2: capacity");
  expect_refused({"--topology", kExamples + "tree.toml", "--flows", file("f.csv", "src,dst\n0,1\n0,64\n")},
                 R"(f.csv:3: dst "64" is no host)");
  expect_refused({"--topology", file("t.toml", "[topology]\nkind = 'star'\nhost = 3\n"), "--flows",
                  kExamples + "flows.csv"},
                 "t.toml:3");
  expect_refused({"--links", links, "--paths", path("absent.csv")}, "absent.csv");
}

TEST_F(Rates, RefusesOptionsThatDoNotFit) {
  expect_refused({}, "either --topology and --flows, or --links and --paths");
  expect_refused({"--links", kExamples + "links.csv"}, "either --topology");
  expect_refused(with(example_paths(), example_flows()), "either --topology");
  expect_refused(with(example_paths(), {"--routing", "forced"}), "--routing has no effect");
  expect_refused(with(example_flows(), {"--hops", "3"}), "--hops has no effect");
  expect_refused(with(example_paths(), {"--algorithm", "saa", "--apps", kExamples + "apps.csv"}),
                 "--apps has no effect");
  expect_refused(with(example_paths(), {"--algorithm", "maxmin"}), "maxmin");
}

}  // namespace
}  // namespace weir
