// A finished entry on disk: what is read again is what was measured, and never what another program or another depth
// measured.
#include "app/reproduce/entry_file.h"

#include <gtest/gtest.h>

#include "base/file_text.h"
#include "temp_dir.h"

namespace weir {
namespace {

FinishedEntry sample_entry() {
  FinishedEntry finished;
  EntryResult& entry = finished.result;
  entry.id = "theory/sample";
  entry.title = "a sample";
  entry.checks = {{"rate", CheckKind::value, "0.5 Gb/s", "0.25 Gb/s", 0.5, 0.25, Verdict::reached_second, "half",
                   "0.5 Gb/s", 0.05},
                  {"order", CheckKind::ordering, "a < b", "1 < 2", 0, 0, Verdict::reached, "", ""},
                  {"more", CheckKind::unpublished, "", "7", 0, 0, Verdict::reported, "", ""}};
  entry.figures = {{"curve", "A curve", "x", "y", {{"one", {1, 2}, {3, 4}}}}};
  entry.notes = {"calibrated on nothing"};
  entry.simulations = 12;
  entry.seconds = 3.5;
  finished.document = entry_json(entry);
  return finished;
}

TEST(EntryFile, IsReadAsItWasWritten) {
  const TempDir dir;
  const FinishedEntry written = sample_entry();
  write_entry_file(dir.path(), {"p", Depth::full}, written);
  const auto read = read_entry_file(dir.path(), {"p", Depth::full});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->document, written.document);
  const EntryResult &a = read->result, &b = written.result;
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.simulations, b.simulations);
  EXPECT_EQ(a.seconds, b.seconds);
  ASSERT_EQ(a.checks.size(), b.checks.size());
  for (std::size_t i = 0; i < a.checks.size(); ++i) {
    EXPECT_EQ(a.checks[i].what, b.checks[i].what);
    EXPECT_EQ(a.checks[i].paper, b.checks[i].paper);
    EXPECT_EQ(a.checks[i].measured, b.checks[i].measured);
    EXPECT_EQ(a.checks[i].verdict, b.checks[i].verdict);
    EXPECT_EQ(a.checks[i].reason, b.checks[i].reason);
    EXPECT_EQ(a.checks[i].second, b.checks[i].second);
    EXPECT_EQ(a.checks[i].tolerance, b.checks[i].tolerance);
  }
}

TEST(EntryFile, OfAnotherOriginIsNone) {
  const TempDir dir;
  EXPECT_FALSE(read_entry_file(dir.path(), {"p", Depth::full}));
  write_entry_file(dir.path(), {"p", Depth::full}, sample_entry());
  EXPECT_FALSE(read_entry_file(dir.path(), {"q", Depth::full}));
  EXPECT_FALSE(read_entry_file(dir.path(), {"p", Depth::quick}));
  EXPECT_TRUE(read_entry_file(dir.path(), {"p", Depth::full}));
}

TEST(EntryFile, SaysHowLongItTookLast) {
  const TempDir dir;
  EXPECT_FALSE(last_seconds(dir.path(), Depth::full));
  write_entry_file(dir.path(), {"another program", Depth::full}, sample_entry());
  EXPECT_EQ(last_seconds(dir.path(), Depth::full), 3.5);
  EXPECT_FALSE(last_seconds(dir.path(), Depth::quick));
  dir.write("entry.json", "{");
  EXPECT_FALSE(last_seconds(dir.path(), Depth::full));
}

TEST(EntryFile, BrokenOffAnywhereIsNone) {
  const TempDir dir;
  write_entry_file(dir.path(), {"p", Depth::full}, sample_entry());
  const std::string text = read_text_file((dir / "entry.json").string());
  for (std::size_t size = 0; size + 2 < text.size(); size += 7) {
    dir.write("entry.json", text.substr(0, size));
    EXPECT_FALSE(read_entry_file(dir.path(), {"p", Depth::full})) << size << " bytes";
  }
}

TEST(EntryFile, TheProgramKnowsItself) {
  EXPECT_EQ(program_hash().size(), 32u);
  EXPECT_EQ(program_hash(), program_hash());
}

}  // namespace
}  // namespace weir
