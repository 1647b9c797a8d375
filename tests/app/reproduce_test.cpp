// What `weir reproduce` says at its end: where the figures are, and what a second reading is where there was one.
#include <gtest/gtest.h>

#include "app/commands.h"
#include "says.h"
#include "temp_dir.h"

namespace weir {
namespace {

TEST(Reproduce, SaysWhereTheFiguresAre) {
  const TempDir dir;
  const std::string results = (dir.path() / "r").string();
  CLI::App app;
  const Command command = add_reproduce(app);
  app.parse(std::vector<std::string>{results, "--out", "--quick", "zdornov2009/fig-1.1", "reproduce"});
  ::testing::internal::CaptureStdout();
  command();
  const std::string said = ::testing::internal::GetCapturedStdout();
  EXPECT_TRUE(says(said, "figures (CSV and SVG): " + results + "/PAPER/ENTRY\n")) << said;
  EXPECT_FALSE(says(said, "second reading:")) << said;  // none was needed
}

}  // namespace
}  // namespace weir
