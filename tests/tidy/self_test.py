#!/usr/bin/env python3
# A style checker that never fires looks just like a clean tree. Each case here is a tiny tree that breaks one rule at a
# known line, or one that comes close and must pass. Run it with `tools/tidy --self-test`.
import importlib.machinery
import importlib.util
import os
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("tidy", os.path.join(TOP, "tools", "tidy"))
tidy = importlib.util.module_from_spec(importlib.util.spec_from_loader("tidy", loader))
loader.exec_module(tidy)


def cpp(*lines):
    return "// Why this file exists.\n" + "".join(line + "\n" for line in lines)


def header(*lines):
    return cpp("#pragma once", *lines)


def function(name, lines):
    """A function of exactly so many lines, with what confuses naive brace matching inside."""
    body = ['  const char* text = "}";', "  if (text) { /* } */ }", "  const char brace = '}';"]
    return [f"int {name}(int x) {{"] + body + ["  ++x;"] * (lines - 6) + ["  return x;", "}"]


SHEBANG = "#!/usr/bin/env bash\n"
MARKER = "TO" "DO"
HOME = "/ho" "me/someone/weir"

# name, files of the tree, expected complaints as (path, line, part of the text)
CASES = [
    ("a clean file", {"src/base/a.cpp": cpp('#include "base/a.h"', "int a() { return 1; }"),
                      "src/base/a.h": header("int a();")}, []),
    ("line of 120 columns", {"src/base/a.cpp": cpp("//" + " x" * 59)}, []),
    ("line of 121 columns", {"src/base/a.cpp": cpp("// " + "x" * 118)}, [("src/base/a.cpp", 2, "121 columns")]),
    ("long line in a script", {"run": SHEBANG + "echo " + "x" * 120 + "\n"}, [("run", 2, "125 columns")]),
    ("long line in prose is fine", {"README.md": "word " * 40 + "end\n"}, []),
    ("tab", {"src/base/a.cpp": cpp("\tint a;")}, [("src/base/a.cpp", 2, "a tab")]),
    ("tab in data is fine", {"tests/data/fabric.txt": "a\tb \n"}, []),
    ("blank at the end", {"README.md": "text \n"}, [("README.md", 1, "blanks at the end")]),
    ("no last newline", {"README.md": "text"}, [("README.md", 1, "no newline")]),
    ("marker", {"src/base/a.cpp": cpp("int a;  // " + MARKER + " later")}, [("src/base/a.cpp", 2, "left behind")]),
    ("marker inside a word is fine", {"src/base/a.cpp": cpp("int " + MARKER + "_count;")}, []),
    ("long file", {"src/base/a.cpp": cpp(*["int a;"] * 700)}, [("src/base/a.cpp", 701, "701 lines")]),
    ("long part of the engine", {"src/packet/a.cpp": cpp(*["int a;"] * 350)}, [("src/packet/a.cpp", 351, "351 lines")]),
    ("longest part of the engine", {"src/packet/a.cpp": cpp(*["int a;"] * 349)}, []),
    ("a class that knows everything", {"src/packet/a.cpp": cpp(
        "class Engine final {", " public:", "  explicit Engine(int a = {}) : a_{a}, b_(a) {}",
        *[f"  int f{i}(int x) const {{ return x; }}" for i in range(25)], " private:", "  int a_, b_ = {2};", "};")},
     [("src/packet/a.cpp", 2, "Engine has 26 public and 0 private")]),
    ("a class of the largest size", {"src/packet/a.cpp": cpp(
        "template <class T>", "struct Part {", *[f"  void f{i}();" for i in range(25)], " private:",
        *[f"  template <class E> void g{i}(E& e) {{ if (e.x()) {{ e.y(); }} }}" for i in range(40)], "};")}, []),
    ("longest file", {"src/base/a.cpp": cpp(*["int a;"] * 699)}, []),
    ("machine path", {"docs/a.md": "see " + HOME + "\n"}, [("docs/a.md", 1, "a path of one machine")]),
    ("machine path in quotes", {"a.json": '{"p":"/wo' 'rk/x"}\n'}, [("a.json", 1, "a path of one machine")]),
    ("a path that only looks so", {"docs/a.md": "src/ro" "ot/a, /ho" "mes, a/wo" "rk\n"}, []),
    ("registry", {"docs/a.md": "from registry" ".npm" "js.org\n"}, [("docs/a.md", 1, "a package registry")]),
    ("a file called registry is fine", {"docs/a.md": "see schemes/registry.cpp and registry.h\n"}, []),
    ("registry in a lock file", {"web/package-lock.json": '"resolved": "ht' 'tp://x/y.tgz"\n'},
     [("web/package-lock.json", 1, "a package registry")]),
    ("no opening comment", {"src/base/a.cpp": "int a;\n"}, [("src/base/a.cpp", 1, "does not open")]),
    ("no opening comment in a header", {"src/base/a.h": "#pragma once\n", "src/base/a.cpp": '#include "base/a.h"\n'},
     [("src/base/a.h", 1, "does not open")]),
    ("the header said it", {"src/base/a.h": header(), "src/base/a.cpp": '#include "base/a.h"\n'}, []),
    ("no guard", {"src/base/a.h": "// Why.\n", "src/base/a.cpp": cpp('#include "base/a.h"')},
     [("src/base/a.h", 1, "#pragma once")]),
    ("rand", {"src/base/a.cpp": cpp("int a = rand();")}, [("src/base/a.cpp", 2, "rand()")]),
    ("srand", {"tests/base/a.cpp": cpp("void f() { std::srand(1); }")}, [("tests/base/a.cpp", 2, "rand()")]),
    ("a member or a word with rand in it is fine", {"src/base/a.cpp": cpp("int a = x.rand() + operand(1);")}, []),
    ("rand in a comment or string is fine", {"src/base/a.cpp": cpp('auto a = "rand()";  // not rand()')}, []),
    ("wall clock", {"tests/base/a.cpp": cpp("auto a = time(nullptr);")}, [("tests/base/a.cpp", 2, "wall clock")]),
    ("random device", {"tests/base/a.cpp": cpp("std::random_device r;")}, [("tests/base/a.cpp", 2, "unseeded")]),
    ("using namespace std", {"tests/a.cpp": cpp("using namespace std;")}, [("tests/a.cpp", 2, "using namespace")]),
    ("printf", {"src/app/a.cpp": cpp('void f() { std::fprintf(stderr, "x"); }')}, [("src/app/a.cpp", 2, "printf")]),
    ("printf where it is allowed", {"src/base/check.h": header('void f() { std::fprintf(stderr, "x"); }'),
                                    "src/base/a.cpp": cpp('#include "base/check.h"')}, []),
    ("standard distribution", {"src/base/a.cpp": cpp("std::mt19937 g;", "std::normal_distribution<> d;")},
     [("src/base/a.cpp", 2, "differ between"), ("src/base/a.cpp", 3, "differ between")]),
    ("clock below app", {"src/packet/a.cpp": cpp("auto t = std::chrono::steady_clock::now();")},
     [("src/packet/a.cpp", 2, "clocks belong")]),
    ("clock in app is fine", {"src/app/a.cpp": cpp("auto t = std::chrono::steady_clock::now();")}, []),
    ("environment below app", {"src/store/a.cpp": cpp('auto e = std::getenv("A");')},
     [("src/store/a.cpp", 2, "environment")]),
    ("hash order", {"src/flow/a.cpp": cpp("std::unordered_map<int, int> m;")}, [("src/flow/a.cpp", 2, "hash order")]),
    ("hash order excused", {"src/flow/a.cpp": cpp("std::unordered_set<int> m;  // order-free: only looked up")}, []),
    ("commented-out call", {"src/base/a.cpp": cpp("  // queue.push(x);")}, [("src/base/a.cpp", 2, "commented-out")]),
    ("commented-out pointer call", {"src/base/a.cpp": cpp("// a->b(x, y);")},
     [("src/base/a.cpp", 2, "commented-out")]),
    ("commented-out assignment", {"src/base/a.cpp": cpp("// const int x = y + 1;", "// x += 2;")},
     [("src/base/a.cpp", 2, "commented-out"), ("src/base/a.cpp", 3, "commented-out")]),
    ("commented-out block", {"src/base/a.cpp": cpp("// if (x) {", "//   return 1;", "// }")},
     [("src/base/a.cpp", line, "commented-out") for line in (2, 3, 4)]),
    ("commented-out increment", {"src/base/a.cpp": cpp("// ++count;")}, [("src/base/a.cpp", 2, "commented-out")]),
    ("sentences are fine", {"src/base/a.cpp": cpp(
        "// costs nothing (in most builds) elsewhere;", "// injected = delivered + in network;", "// for (each port)",
        "// returns a port; see route()", "// if the link is busy, wait;", "// [0, hosts), then switches")}, []),
    ("include of a later layer", {"src/base/a.cpp": cpp('#include "app/a.h"'), "src/app/a.h": header()},
     [("src/base/a.cpp", 2, "base may not include app")]),
    ("include of an earlier layer", {"src/app/a.cpp": cpp('#include "base/a.h"'), "src/base/a.h": header()}, []),
    ("flow includes packet", {"src/flow/a.cpp": cpp('#include "packet/a.h"'), "src/packet/a.h": header()},
     [("src/flow/a.cpp", 2, "flow may not include packet")]),
    ("packet includes flow", {"src/packet/a.cpp": cpp('#include "flow/a.h"'), "src/flow/a.h": header()},
     [("src/packet/a.cpp", 2, "packet may not include flow")]),
    ("schemes use both", {"src/schemes/a.cpp": cpp('#include "flow/a.h"', '#include "packet/a.h"'),
                          "src/flow/a.h": header(), "src/packet/a.h": header()}, []),
    ("control has its own list", {"src/control/a.cpp": cpp('#include "packet/a.h"', '#include "measure/a.h"'),
                                  "src/packet/a.h": header(), "src/measure/a.h": header()},
     [("src/control/a.cpp", 2, "control may include base, measure, network only")]),
    ("include not from src", {"src/base/a.cpp": cpp('#include "a.h"'), "src/base/a.h": header()},
     [("src/base/a.cpp", 2, "is not written from src/")]),
    ("unknown layer", {"src/misc/a.cpp": cpp("int a;")}, [("src/misc/a.cpp", 1, "src/misc is not a layer")]),
    ("dead header", {"src/base/a.h": header()}, [("src/base/a.h", 1, "nobody includes")]),
    ("header used by a test", {"tests/a_test.cpp": cpp('#include "base/help.h"'), "tests/base/help.h": header()}, []),
    ("folder of 30 files", {f"src/base/a{i}.cpp": cpp("int a;") for i in range(30)}, []),
    ("folder of 31 files", {f"tests/base/a{i:02}.cpp": cpp("int a;") for i in range(31)},
     [("tests/base/a00.cpp", 1, "tests/base/ has 31 files")]),
    ("folders in a folder do not count", {f"src/base/{i % 2}/a{i}.cpp": cpp("int a;") for i in range(40)}, []),
    ("function of 80 lines", {"src/base/a.cpp": cpp(*function("f", 80))}, []),
    ("function of 81 lines", {"src/base/a.cpp": cpp("int x;", *function("f", 81))},
     [("src/base/a.cpp", 3, "f has 81 lines")]),
    ("long member in a class", {"src/base/a.cpp": cpp("namespace weir {", "class A {", " public:", *function("g", 90),
                                                      "};", "}")}, [("src/base/a.cpp", 5, "g has 90 lines")]),
    ("long constructor", {"src/base/a.cpp": cpp("A::A(int x) noexcept : a_{x}, b_(x) {", *["  ++b_;"] * 80, "}")},
     [("src/base/a.cpp", 2, "A::A has 82 lines")]),
    ("long test", {"tests/base/a.cpp": cpp("TEST(Suite, Name) {", *["  ++b;"] * 80, "}")},
     [("tests/base/a.cpp", 2, "TEST(Suite,Name) has 82 lines")]),
    ("long class or table is fine", {"src/base/a.cpp": cpp("struct A {", *["  int a() { return 1; }"] * 90, "};",
                                                           "const int t[] = {", *["  1,"] * 90, "};")}, []),
    ("long function on the ratchet", {"src/base/a.cpp": cpp(*function("f", 90)),
                                      tidy.RATCHET: "src/base/a.cpp f 90\n"}, []),
    ("grown function on the ratchet", {"src/base/a.cpp": cpp(*function("f", 91)),
                                       tidy.RATCHET: "src/base/a.cpp f 90\n"},
     [("src/base/a.cpp", 2, "f grew to 91 lines from 90")]),
    ("stale ratchet", {"src/base/a.cpp": cpp(*function("f", 70)), tidy.RATCHET: "# why\nsrc/base/a.cpp f 90\n"},
     [(tidy.RATCHET, 2, "no longer too long")]),
]


def write_tree(root, files):
    for path, text in files.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as stream:
            stream.write(text)


def matches(found, expected):
    return len(found) == len(expected) and all(
        path == want_path and line == want_line and part in text
        for (path, line, text), (want_path, want_line, part) in zip(found, sorted(expected)))


def ratchet_only_falls():
    """--update-ratchet lowers a number and drops a line; it never adds one or raises one."""
    with tempfile.TemporaryDirectory() as root:
        write_tree(root, {"src/base/a.cpp": cpp(*function("f", 85), *function("g", 99), *function("h", 10)),
                          tidy.RATCHET: "src/base/a.cpp f 90\nsrc/base/a.cpp h 90\n"})
        tidy.update_ratchet(root)
        return tidy.read_ratchet(tidy.load(root)) == {("src/base/a.cpp", "f"): (85, 2)}


def main():
    failed = 0
    for name, files, expected in CASES:
        with tempfile.TemporaryDirectory() as root:
            write_tree(root, files)
            found = tidy.complaints(tidy.load(root))
        if not matches(found, expected):
            failed += 1
            print(f"{name}:\n  expected {sorted(expected)}\n  found    {found}")
    if not ratchet_only_falls():
        failed += 1
        print("the ratchet was not lowered as it should be")
    print(f"note: {len(CASES) + 1} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
