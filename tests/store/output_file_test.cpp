// Files that are written: completely or not at all, and never at the expense of what was there.
#include "store/files/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "error_of.h"
#include "says.h"
#include "store/files/result_dir.h"
#include "store/store_sample.h"

namespace weir {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator{}));
}

TEST(OutputFile, TheOldFileSurvivesAFailure) {
  const TempDir dir;
  dir.write("f", "old");
  {
    OutputFile file(dir / "f");
    file.write("new");
  }  // given up
  EXPECT_EQ(content_of(dir / "f"), "old");
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message = error_of([&] { write_file(dir / "f", std::string(1000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &before);
  ::signal(SIGXFSZ, handler);
  EXPECT_TRUE(says(message, "File too large; the limit on the size of files"));
  EXPECT_EQ(content_of(dir / "f"), "old");
  EXPECT_EQ(entries(dir.path()), 1u);
  write_file(dir / "f", "new");
  EXPECT_EQ(content_of(dir / "f"), "new");
  EXPECT_EQ(entries(dir.path()), 1u);
}

TEST(OutputFile, LinksAndPermissionsStay) {
  const TempDir dir;
  dir.write("f", "old");
  ::chmod((dir / "f").c_str(), 0640);
  fs::create_symlink("f", dir / "link");
  fs::create_symlink("later", dir / "dangling");
  write_file(dir / "link", "new");
  write_file(dir / "dangling", "made");
  EXPECT_TRUE(fs::is_symlink(dir / "link"));
  EXPECT_EQ(content_of(dir / "f"), "new");
  EXPECT_EQ(content_of(dir / "later"), "made");
  struct stat now {};
  ::stat((dir / "f").c_str(), &now);
  EXPECT_EQ(now.st_mode & 0777, 0640u);
}

TEST(OutputFile, CheckedBeforeAnyWork) {
  const TempDir dir;
  dir.write("in", "input");
  fs::create_hard_link(dir / "in", dir / "hard");
  fs::create_symlink("in", dir / "soft");
  for (const char* name : {"in", "hard", "soft"})
    EXPECT_TRUE(says(error_of([&] { check_output_file(dir / name, {dir / "in"}); }), "it is an input file"))
        << name;
  EXPECT_TRUE(says(error_of([&] { check_output_file(dir / "no/f"); }), "there is no directory"));
  EXPECT_TRUE(says(error_of([&] { check_output_file(dir.path()); }), "it is a directory"));
  EXPECT_NO_THROW(check_output_file(dir / "new", {dir / "in", "", "missing"}));
  EXPECT_NO_THROW(check_output_file("/dev/null"));
  EXPECT_EQ(entries(dir.path()), 3u);
}

TEST(Scratch, LeftoversOfTheDeadAreRemovedAndNothingElse) {
  const TempDir dir;
  const pid_t child = fork();
  if (child == 0) {  // a process that is killed while it writes
    OutputFile file(dir / "f");
    const Scratch directory(dir / "d", ScratchKind::directory);
    write_file(directory.path() / "inside", "x");
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(entries(dir.path()), 2u);
  dir.write(".theirs.tmp-1-1", "not ours");
  dir.write(".used.weir-1-1", "in use");
  const int other = ::open((dir / ".used.weir-1-1").c_str(), O_RDONLY);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  write_file(dir / "g", "x");
  EXPECT_EQ(entries(dir.path()), 3u);
  ::close(other);
  write_file(dir / "g", "x");
  EXPECT_EQ(entries(dir.path()), 2u);
  EXPECT_TRUE(fs::exists(dir / ".theirs.tmp-1-1"));
}

TEST(Scratch, AllOfItVanishesAtOnce) {
  const TempDir dir;
  const pid_t child = fork();
  if (child == 0) {  // it is for good, so only in a process of its own
    const OutputFile file(dir / "f");
    const Scratch directory(dir / "d", ScratchKind::directory);
    write_file(directory.path() / "inside", "x");
    const ResultClaim claim(dir / "made/deep/out");
    remove_scratch();
    ::_exit(entries(dir.path()) == 0 ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ResultClaim, OneAtATime) {
  const TempDir dir;
  {
    const ResultClaim claim(dir / "new/out");
    const std::string message = error_of([&] { const ResultClaim second(dir / "new/out"); });
    EXPECT_TRUE(says(message, "another weir is writing results to"));
    EXPECT_TRUE(says(message, std::to_string(::getpid())));
    const ResultClaim other(dir / "new/other");
  }
  EXPECT_EQ(entries(dir.path()), 0u) << "nothing was written";
  {
    const ResultClaim claim(dir / "new/out");
    const SampleRun run;
    write_results(dir / "new/out", {run.record()});
  }
  EXPECT_EQ(entries(dir / "new"), 1u);
}

TEST(ResultClaim, DanglingLinksAreRefused) {
  const TempDir dir;
  fs::create_directory_symlink("nowhere", dir / "link");
  for (const char* name : {"link", "link/out", "link/a/b"})
    EXPECT_TRUE(says(error_of([&] { check_result_dir(dir / name); }), "a link to nowhere, which does not exist"))
        << name;
}

}  // namespace
}  // namespace weir
