// Inputs in several files: which files belong together.
#include "scenario/rank_files.h"

#include <gtest/gtest.h>

#include "error_of.h"
#include "says.h"
#include "temp_dir.h"

namespace weir {
namespace {

TEST(RankFiles, OthersLieBesideTheFirst) {
  const TempDir dir;
  for (const char* name : {"t.0.et", "t.1.et", "t.2.et", "t.01.et", "t.x.et", "t..et", "u.3.et", "t.3.txt"})
    dir.write(name, "");
  const std::vector<std::string> files = rank_files((dir / "t.0.et").string());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[2], (dir / "t.2.et").string());
  EXPECT_EQ(rank_files((dir / "t.1.et").string()).size(), 1u);
  EXPECT_EQ(rank_files("nowhere/flows.csv").size(), 1u);
  EXPECT_EQ(rank_files((dir / "v.0.et").string()).size(), 1u);
}

TEST(RankFiles, NoneMayBeMissing) {
  const TempDir dir;
  for (int rank = 0; rank < 12; ++rank)
    if (rank != 7) dir.write("t." + std::to_string(rank) + ".et", "");
  EXPECT_TRUE(says(error_of([&] { rank_files((dir / "t.0.et").string()); }), "t.8.et, but no "));
}

}  // namespace
}  // namespace weir
