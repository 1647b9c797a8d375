// Every way to get a scenario wrong: the exact place, and the part of the message that helps.
#include <gtest/gtest.h>

#include "error_of.h"
#include "scenario/parse.h"
#include "scenario/test_vocabulary.h"

namespace weir {
namespace {

// The text begins on line 4, after a sound topology.
std::string error_in(const std::string& text, const std::vector<Override>& overrides = {}) {
  return error_of([&] {
    parse_scenario_text("[topology]\nkind = 'tree'\nk = 4\n" + text, "s.toml", kVocabulary, overrides);
  });
}
std::string error_in_file(const std::string& text) {
  return error_of([&] { parse_scenario_text(text, "s.toml", kVocabulary); });
}

TEST(Errors, UnknownSections) {
  EXPECT_EQ(error_in("[lnik]\nrate = '1Gbps'\n"), "s.toml:4: unknown section [lnik]; did you mean `link`?");
  EXPECT_EQ(error_in("\n[[trafic]]\n"), "s.toml:5: unknown section [trafic]; did you mean `traffic`?");
  EXPECT_EQ(error_in("[weather]\n"),
            "s.toml:4: unknown section [weather]; the sections are `topology`, `link`, `routing`, `traffic`, "
            "`scheme`, `probe`, `compare`, `sweep`");
  EXPECT_EQ(error_in("[swep]\n"), "s.toml:4: unknown section [swep]; did you mean `sweep`?");
}

TEST(Errors, UnknownKeys) {
  EXPECT_EQ(error_in("[link]\nrate = '1Gbps'\ndealy = '5ns'\n"),
            "s.toml:6: unknown key `dealy` in [link]; did you mean `delay`?");
  EXPECT_EQ(error_in("[scheme]\nname = 'window'\npakets = 2\n"),
            "s.toml:6: unknown key `pakets` in [scheme] with name = \"window\"; did you mean `packets`?");
  EXPECT_EQ(error_in("[scheme]\nname = 'window'\ngain = 2\n"),
            "s.toml:6: `gain` is not a key of scheme `window`; it belongs to marking");
  EXPECT_EQ(error_in("[scheme]\npackets = 2\n"),
            "s.toml:5: `packets` is not a key of scheme `none`; it belongs to window, marking");
  EXPECT_EQ(error_in("[scheme]\nname = 'window'\nzzz = 2\n"),
            "s.toml:6: unknown key `zzz` in [scheme] with name = \"window\"; its keys are `name`, "
            "`packets`, `level`");
  EXPECT_EQ(error_in("[scheme]\nzzz = 2\n"),
            "s.toml:5: unknown key `zzz` in [scheme] with name = \"none\"; its only key is `name`");
  EXPECT_EQ(error_in("[link]\nseed = 2\n"),
            "s.toml:5: unknown key `seed` in [link]; `seed` belongs at the top of the file, before the first section");
  EXPECT_EQ(error_in("[link]\nthreshold = 2\n"),
            "s.toml:5: unknown key `threshold` in [link]; it is a key of [routing]");
  EXPECT_EQ(error_in_file("sede = 3\n"), "s.toml:1: unknown key `sede` at the top of the file; did you mean `seed`?");
  EXPECT_EQ(error_in_file("\nbuffer = 3\n"),
            "s.toml:2: unknown key `buffer` at the top of the file; it is a key of [link]");
  EXPECT_EQ(error_in_file("'' = 3\n").substr(0, 31), "s.toml:1: unknown key `` at the");
}

TEST(Errors, MissingSectionsKeysAndKinds) {
  EXPECT_EQ(error_in_file("seed = 3\n"),
            "s.toml: the section [topology] is missing; add it with kind = one of tree, graph, import");
  EXPECT_EQ(error_in_file("\n[topology]\nk = 2\n"), "s.toml:2: [topology] lacks `kind`: one of tree, graph, import");
  EXPECT_EQ(error_in_file("[topology]\nkind = 'tree'\n"),
            "s.toml:1: [topology] with kind = \"tree\" lacks `k` (ports down); for example k = 2");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\n[[traffic]]\nload = 0.1\n"),
            "s.toml:6: [[traffic]] lacks `pattern`: one of uniform, hotspot");
  EXPECT_EQ(error_in("[probe]\n"), "s.toml:4: [probe] lacks `host` (the host to watch); for example host = 3");
}

TEST(Errors, UnknownKinds) {
  EXPECT_EQ(error_in("[scheme]\nname = 'windw'\n"), "s.toml:5: unknown scheme `windw`; did you mean `window`?");
  EXPECT_EQ(error_in("[scheme]\nname = 'xyzzy'\n"),
            "s.toml:5: unknown scheme `xyzzy`; the schemes are `none`, `window`, `marking`");
  EXPECT_EQ(error_in("[scheme]\nname = 3\n"), R"(s.toml:5: `name` needs a text such as "none", not the integer 3)");
}

TEST(Errors, WrongTypes) {
  EXPECT_EQ(error_in("n = '3'\n"), R"(s.toml:4: `n` needs an integer such as 3, not the text "3")");
  EXPECT_EQ(error_in("n = 3.0\n"), "s.toml:4: `n` needs an integer such as 3, not the number 3.0");
  EXPECT_EQ(error_in("[link]\nrate = 8\n"), R"(s.toml:5: `rate` needs a rate such as "8Gbps", not the integer 8)");
  EXPECT_EQ(error_in("[link]\ndelay = 1.5\n"), R"(s.toml:5: `delay` needs a time such as "15ns", not the number 1.5)");
  EXPECT_EQ(error_in("[link]\nbuffer = [1]\n"),
            R"(s.toml:5: `buffer` needs a number of bytes such as "2kB", not a list)");
  EXPECT_EQ(error_in("[link]\ncredits = 'yes'\n"), R"(s.toml:5: `credits` needs true or false, not the text "yes")");
  EXPECT_EQ(error_in("[link]\ndelay = '8Gbps'\n"),
            R"(s.toml:5: `delay`: `8Gbps` is a rate; a time such as "15ns" is needed)");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nload = 'high'\n"),
            R"(s.toml:6: `load`: `high` is not a number; one such as 0.66 or "66%" is needed)");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nname = 2021-01-01\n"),
            R"(s.toml:6: `name` needs a text such as "text", not the date 2021-01-01)");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'hotspot'\ntarget = 1\nsizes = [1, 2,\n true]\n"),
            R"(s.toml:8: `sizes` needs a list of byte quantities such as ["1kB"], not true)");
  EXPECT_EQ(error_in_file("[topology]\nkind = 'graph'\nlinks = [['a'],\n'b']\n"),
            R"(s.toml:4: `links` needs a list in each row, as in [["a", "b"], ["b", "c"]], not the text "b")");
  EXPECT_EQ(error_in_file("seed = {}\n"), "s.toml:1: `seed` needs an integer such as 1, not a table");
  EXPECT_EQ(error_in("[scheme]\nname = 'marking'\ngain = nan\n"), "s.toml:6: `gain` needs a finite number");
  EXPECT_EQ(error_in("[link]\nspeedup = -inf\n"), "s.toml:5: `speedup` needs a finite number");
}

TEST(Errors, OutOfRange) {
  EXPECT_EQ(error_in("n = 9\n"), "s.toml:4: `n` is 9, but must be 1 to 8");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nload = '101%'\n"),
            "s.toml:6: `load` is 1.01, but must be 0 to 1");
  EXPECT_EQ(error_in("[link]\nrate = '999bps'\n"), "s.toml:5: `rate` is 999bps, but must be 1kbps to 1Tbps");
  EXPECT_EQ(error_in("[link]\nrate = '1kbps'\n"), "no error");
  EXPECT_EQ(error_in("[link]\ndelay = '-1ns'\n"), "s.toml:5: `delay` is -1ns, but must be at least 0s");
  EXPECT_EQ(error_in_file("duration = '14999ps'\n"), "s.toml:1: `duration` is 14.999ns, but must be 15ns to 3600s");
  EXPECT_EQ(error_in("", {{"duration", "15ns"}}), "no error");
  EXPECT_EQ(error_in_file("seed = -1\n"), "s.toml:1: `seed` is -1, but must be at least 0");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'hotspot'\ntarget = 1\nsizes = [1,\n0]\n"),
            "s.toml:8: `sizes` is 0B, but must be at least 1B");
}

TEST(Errors, BadChoices) {
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\narrival = 'posson'\n"),
            R"(s.toml:6: `arrival` cannot be "posson" (did you mean "poisson"?); the choices are constant, )"
            "bernoulli, poisson");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\narrival = 'never'\n"),
            R"(s.toml:6: `arrival` cannot be "never"; the choices are constant, bernoulli, poisson)");
  EXPECT_EQ(error_in("[scheme]\nname = 'window'\nlevel = 'bernoulli'\n"),
            R"(s.toml:6: `level` cannot be "bernoulli"; the choices are low, high; arrival = "bernoulli" belongs to )"
            "[[traffic]]");
}

TEST(Errors, NamesInLists) {
  EXPECT_EQ(
      error_in(R"([[traffic]]
pattern = "uniform"
name = "a"
[[traffic]]
pattern = "uniform"
name = "a"
)"),
      R"(s.toml:9: the name "a" is taken by another [[traffic]] (line 6); each needs its own)");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nname = '1'\n"),
            R"(s.toml:6: the name "1" looks like an index; it needs a letter)");
}

TEST(Errors, SectionsInTheWrongForm) {
  EXPECT_EQ(error_in("[[link]]\n"), "s.toml:4: link is given once: write [link], not [[link]]");
  EXPECT_EQ(error_in("[traffic]\n"),
            "s.toml:4: `traffic` is a list of sections: write [[traffic]] with double brackets");
  EXPECT_EQ(error_in_file("link = 3\n[topology]\nkind = 'tree'\nk = 2\n"),
            "s.toml:1: `link` is a section: write [link] and its keys below, not the integer 3");
}

TEST(Errors, Files) {
  EXPECT_EQ(error_in_file("[topology]\nkind = 'import'\nfile = 'no/such.txt'\n"),
            "s.toml:3: `file` names a file that does not exist: no/such.txt (paths are relative to the scenario file)");
  EXPECT_EQ(error_in_file("[topology]\nkind = 'import'\nfile = '/'\n"),
            "s.toml:3: `file` names a directory, /; a file is needed");
  EXPECT_EQ(error_in_file("[topology]\nkind = 'import'\nfile = ''\n"),
            R"(s.toml:3: `file` needs the path of a file, such as "flows.csv")");
  EXPECT_EQ(error_of([] { parse_scenario_file("no/such.toml", kVocabulary); }),
            "no/such.toml: there is no such file");
  EXPECT_THROW(parse_scenario_file("/", kVocabulary), InputError);
}

TEST(Errors, Syntax) {
  EXPECT_EQ(error_in_file("seed = 1\nname = \n").substr(0, 26), "s.toml:2: not valid TOML: ");
  EXPECT_EQ(error_in_file("seed = 1\nseed = 2\n").substr(0, 26), "s.toml:2: not valid TOML: ");
  EXPECT_EQ(error_in_file("[link\n").substr(0, 26), "s.toml:1: not valid TOML: ");
  EXPECT_EQ(error_in_file("name = \"a\nseed = 1\n"), "s.toml:1: the text is not closed: a \" is missing");
  EXPECT_EQ(error_in_file("seed = 1\nname = \"a"), "s.toml:2: the text is not closed: a \" is missing");
  EXPECT_EQ(error_in_file("name = 'a\nseed = 1\n"), "s.toml:1: the text is not closed: a ' is missing");
  EXPECT_EQ(error_in_file("name = \"a\x01\"\n").substr(0, 26), "s.toml:1: not valid TOML: ");
  EXPECT_EQ(error_in_file("name = abc\n"), "s.toml:1: the value needs quotes, as in \"5us\", unless it is a number, "
                                          "true, false or a list");
  EXPECT_EQ(error_in_file("x = 5us\n"), error_in_file("name = abc\n"));
}

TEST(Errors, LettersBeyondAscii) {
  EXPECT_EQ(error_in("# \xc3\x93\n[[traffic]]\npattern = 'uniform'\nname = \"\xc3\x93\"\n"), "no error");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nname = \"\"\"\\\n  \xc3\x93\"\"\"\n"), "no error");
  EXPECT_EQ(error_in_file("seed = 1\nna\xc3\x93me = \"\xc3\x93\"\n").substr(0, 26), "s.toml:2: not valid TOML: ");
  EXPECT_EQ(error_in_file("seed = 1\nname = t\xc3\x93\n").substr(0, 26), "s.toml:2: not valid TOML: ");
  EXPECT_EQ(error_in_file("name = \"\xc3\"\n").substr(0, 26), "s.toml:1: not valid TOML: ");
}

TEST(Errors, NestingIsLimited) {
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  EXPECT_EQ(error_in_file("\n" + deep + " = 1\n"), "s.toml:2: more than 32 names are joined by dots");
  EXPECT_EQ(error_in_file("a = " + std::string(100'000, '[')),
            "s.toml:1: lists and tables are nested more than 32 deep");
  // Dots and brackets in texts and comments do not count.
  const std::string dots(40, '.'), brackets(40, '[');
  EXPECT_EQ(
      error_in("[[traffic]]\npattern = 'uniform' # " + dots + brackets + R"(
name = "\")" + dots + brackets + "\"\n"),
      "no error");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nname = '''\n" + dots + "'\n" + brackets + "'''''\n"),
            "no error");
  EXPECT_EQ(error_in("[[traffic]]\npattern = 'uniform'\nname = '\\'\n# " + brackets + "\n"), "no error");
}

TEST(Errors, Overrides) {
  EXPECT_EQ(error_in("", {{"scheme.pakets", "3"}}),
            "--set scheme.pakets=3: unknown key `pakets` in [scheme] with name = \"none\"; `packets` "
            "is a key of window, marking");
  EXPECT_EQ(error_in("", {{"link.dealy", "3ns"}}),
            "--set link.dealy=3ns: unknown key `dealy` in [link]; did you mean `delay`?");
  EXPECT_EQ(error_in("", {{"lnik.delay", "3ns"}}),
            "--set lnik.delay=3ns: unknown section [lnik] in `lnik.delay`; did you mean `link`?");
  EXPECT_EQ(error_in("", {{"sed", "3"}}),
            "--set sed=3: unknown key `sed` at the top of the file; did you mean `seed`?");
  EXPECT_EQ(error_in("", {{"link.delay", "3kB"}}),
            R"(--set link.delay=3kB: `delay`: `3kB` is a number of bytes; a time such as "15ns" is needed)");
  EXPECT_EQ(error_in("", {{"link", "3"}}), "--set link=3: `link` is a section; name a key in it, as in link.rate");
  EXPECT_EQ(error_in("", {{"traffic", "3"}}),
            "--set traffic=3: `traffic` is a section; name a key in it, as in traffic.0.pattern");
  EXPECT_EQ(error_in("", {{"traffic.load", "3"}}),
            "--set traffic.load=3: [[traffic]] is a list; say which one, as in traffic.0.load, or by its name");
  const std::string hot = "[[traffic]]\npattern = 'uniform'\nname = 'hot'\n";
  EXPECT_EQ(error_in(hot, {{"traffic.1.load", "0"}}),
            "--set traffic.1.load=0: there is no traffic.1; the scenario has 1 [[traffic]], counted from 0");
  EXPECT_EQ(error_in(hot, {{"traffic.hto.load", "0"}}),
            "--set traffic.hto.load=0: no [[traffic]] is named `hto`; did you mean `hot`?");
  EXPECT_EQ(error_in("", {{"traffic.hot.load", "0"}}),
            "--set traffic.hot.load=0: no [[traffic]] is named `hot`; use its index, as in "
            "traffic.0.pattern, or give it this name with name = \"hot\" (the class of an entry is not its name)");
  EXPECT_EQ(
      error_in("", {{"compare.0.label", "x"}}),
      R"(--set compare.0.label=x: `compare.0.label` cannot be set here; name a key of a section, as in "link.rate")");
  EXPECT_NE(error_in("", {{"name", "\xff\xfe"}}), "no error");
}

TEST(Errors, OverridesThatChangeTheKindAreChecked) {
  const std::string window = "[scheme]\nname = 'window'\npackets = 2\n";
  EXPECT_EQ(error_in(window, {{"scheme.name", "none"}, {"scheme.packets", "3"}}),
            "--set scheme.packets=3: `packets` is not a key of scheme `none`; it belongs to window, marking");
  // A typo in the file stays an error, whatever is overridden.
  EXPECT_EQ(error_in(window + "pakets = 3\n", {{"scheme.name", "marking"}}),
            "s.toml:7: unknown key `pakets` in [scheme] with name = \"marking\"; did you mean `packets`?");
}

}  // namespace
}  // namespace weir
