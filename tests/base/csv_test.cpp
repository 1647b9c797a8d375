// CSV as spreadsheets and people write it, with the right line numbers.
#include "base/csv.h"
#include "error_of.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace weir {
namespace {

using Cells = std::vector<std::string>;

std::vector<Cells> cells(std::string_view text) {
  std::vector<Cells> all;
  for (const CsvRecord& record : split_csv("f.csv", text)) all.push_back(record.cells);
  return all;
}

TEST(Csv, SplitsAndTrims) {
  EXPECT_EQ(cells("a,b,c\n"), (std::vector<Cells>{{"a", "b", "c"}}));
  EXPECT_EQ(cells(" a ,\tb  b, c"), (std::vector<Cells>{{"a", "b  b", "c"}}));
  EXPECT_EQ(cells("a,,\n,x\n"), (std::vector<Cells>{{"a", "", ""}, {"", "x"}}));
}

TEST(Csv, WindowsFilesAreFilesToo) {
  EXPECT_EQ(cells("\xef\xbb\xbfsrc,dst\r\n1,2\r\n"), (std::vector<Cells>{{"src", "dst"}, {"1", "2"}}));
}

TEST(Csv, QuotedCells) {
  EXPECT_EQ(cells("\"a,b\",\"say \"\"hi\"\"\" , \"\"\n"), (std::vector<Cells>{{"a,b", R"(say "hi")", ""}}));
  EXPECT_EQ(cells("\" a \"\n"), (std::vector<Cells>{{" a "}}));
}

TEST(Csv, BlankAndCommentLinesAreSkippedButCounted) {
  const auto records = split_csv("f.csv", "# head\n\n  \t\na\n#x\n  # y\nb,\"two\nlines\"\nc");
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].line, 4u);
  EXPECT_EQ(records[1].line, 7u);
  EXPECT_EQ(records[1].cells[1], "two\nlines");
  EXPECT_EQ(records[2].line, 9u);
}

TEST(Csv, EmptyTextHasNoRecords) {
  EXPECT_TRUE(cells("").empty());
  EXPECT_TRUE(cells("\n\n").empty());
}

void expect_error(std::string_view text, const std::string& message) {
  EXPECT_EQ(error_of([&] { split_csv("f.csv", text); }).substr(0, message.size()), message);
}

TEST(Csv, ErrorsNameTheirLine) {
  expect_error("a\nb\"c\n", "f.csv:2: a quote inside a cell");
  expect_error("a\n\n\"b\nc\n", "f.csv:3: a quote is opened here and never closed");
  expect_error("a\n\"b\"c\n", "f.csv:2: after a closing quote");
}

RC_GTEST_PROP(Csv, QuotingGivesEveryCellBack, (const std::vector<std::vector<std::string>>& table)) {
  std::string text;
  std::vector<Cells> expected;
  for (const Cells& row : table) {
    if (row.empty()) continue;
    for (std::size_t i = 0; i < row.size(); ++i) {
      RC_PRE(!row[i].starts_with('\'') || !is_csv_formula(row[i]));  // which is not read as it stands
      text += i == 0 ? "\"" : ",\"";
      for (const char c : row[i]) text += c == '"' ? std::string(R"("")") : std::string(1, c);
      text += '"';
    }
    text += '\n';
    expected.push_back(row);
  }
  RC_ASSERT(cells(text) == expected);
}

TEST(Csv, TextThatLooksLikeAFormulaIsWrittenHarmless) {
  EXPECT_EQ(csv_text("=1+1"), "'=1+1");
  EXPECT_EQ(csv_text("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_text("+cmd|' /C calc'!A0"), "'+cmd|' /C calc'!A0");
  EXPECT_EQ(csv_text("-x,y"), R"("'-x,y")");
  EXPECT_EQ(csv_text("-3.5e-2"), "-3.5e-2");
  EXPECT_EQ(csv_text("+7"), "+7");
  EXPECT_EQ(csv_text("'=1"), "''=1");
  EXPECT_EQ(csv_text("it's = fine"), "it's = fine");
}

RC_GTEST_PROP(Csv, WhatIsWrittenIsReadBack, (std::vector<std::string> row)) {
  const Cells strange{"=", "'-a", "''@x", "+", "-1", " b ", "#c", "a\"b"};
  row.insert(row.begin(), *rc::gen::elementOf(strange));
  std::string text;
  for (const std::string& cell : row) text += (text.empty() ? "" : ",") + csv_text(cell);
  RC_ASSERT(cells(text + "\n") == std::vector<Cells>{row});
}

RC_GTEST_PROP(Csv, AnyTextEndsInRecordsOrInAnError, (const std::string& text)) {
  try {
    split_csv("f.csv", text);
  } catch (const InputError& error) {
    RC_ASSERT(error.where().line >= 1u);
  }
}

}  // namespace
}  // namespace weir
