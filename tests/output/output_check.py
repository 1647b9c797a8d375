#!/usr/bin/env python3
# What is written, as a user meets it: full disks, closed pipes, names that are inputs, signals, kills. Each case is a
# test of its own in ctest.
#
# usage: output_check.py WEIR CASE
# cases: full      standard output that nobody takes is an error of every command
#        inputs    no command writes over what it reads
#        early     what is wrong with a target is said before any work
#        signals   after a signal nothing stays behind, and Ctrl-C says what was kept
#        killed    leftovers of a killed process vanish with the next run; a database is read after kill -9
#        rerun     scenario.toml of a result runs as it lies there, and gives the same result
#        terminal  nothing is wider than the terminal, and without UTF-8 nothing but ASCII is printed
#        install   an installed weir has its manual page and completion
import argparse
import filecmp
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RATES = os.path.join(ROOT, "scenarios", "rates")
SCENARIO = """
name = "small"
[topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[packet]
payload = ["500B"]
[[traffic]]
name = "cold"
pattern = "uniform"
load = 0.5
[run]
duration = "50us"
[sweep]
"traffic.cold.load" = [0.1, 0.2]
"""
AGES = ["--set", "run.duration=100s"]  # more than anybody would wait for
SHOWN = 2000
SLOW = ("calibrate", "reproduce", "bench")  # seconds each: tried once


class Failed(Exception):
    pass


def read_source(name):
    with open(os.path.join(ROOT, name), "rb") as stream:
        return stream.read()


def expect(condition, what):
    if not condition:
        raise Failed(what[-SHOWN:])


def usual_signals():
    """A background job of a shell ignores Ctrl-C; its children need not."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Place:
    """A directory with a scenario, and weir started in it."""

    def __init__(self, weir, directory):
        self.weir, self.directory = weir, directory
        self.write("s.toml", SCENARIO)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def start(self, *words, **settings):
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **settings}
        return subprocess.Popen([self.weir, *words], cwd=self.directory, preexec_fn=usual_signals, **settings)

    def run(self, *words, code=0, **settings):
        process = self.start(*words, **settings)
        out, err = process.communicate(timeout=120)
        said = (out or b"").decode() + (err or b"").decode()
        expect(process.returncode == code, f"{words}: exit code {process.returncode}, not {code}:\n{said}")
        return said

    def listing(self):
        found = []
        for folder, folders, files in os.walk(self.directory):
            found += [os.path.relpath(os.path.join(folder, name), self.directory) for name in folders + files]
        return sorted(found)


def printing_commands(place):
    place.run("run", "s.toml", "--out", "r")
    rates = ["rates", "--links", os.path.join(RATES, "links.csv"), "--paths", os.path.join(RATES, "paths.csv")]
    return [
        ["--version"], ["--help"], ["help"], ["help", "run"], ["run", "--help"], ["list"], ["list", "--markdown"],
        ["list", "schemes", "window"], ["query", "r"], ["query", "r", "SELECT * FROM runs"],
        ["query", "r", "SELECT * FROM runs", "--format", "json"], ["query", "r", "SELECT 1", "--out", "/dev/stdout"],
        rates, rates + ["--json"], ["topo", "s.toml"], ["topo", "s.toml", "--check"],
        ["topo", "s.toml", "--export", "dot"], ["topo", "s.toml", "--export", "ibnetdiscover"],
        ["run", "s.toml", "--out", "r"], ["run", "s.toml", "--out", "r", "--json", "-"],
        ["compare", "s.toml", "--schemes", "none,window", "--out", "c"],
        ["compare", "s.toml", "--schemes", "none,window", "--out", "c", "--json", "-"],
        ["sweep", "s.toml", "--out", "s.sqlite"], ["sweep", "s.toml", "--slurm", "-"],
        ["sweep", "s.toml", "--out", "new.sqlite", "--dry-run"],
        ["calibrate", "s.toml", "--trips", "10", "--steps", "3"], ["reproduce", "--list"],
        ["reproduce", "theory", "--quick", "--out", "book"], ["bench", "--flow", "--quick"],
    ]


def case_full(place):
    commands = printing_commands(place)
    for words in commands:
        with open("/dev/full", "w") as full:
            said = place.run(*words, code=2, stdout=full)
        expect("No space left on device" in said and said.count("weir: ") == 1, f"{words}: {said}")
        if words[0] in SLOW and "--list" not in words:
            continue
        reader, writer = os.pipe()
        os.close(reader)
        named = "/dev/stdout" in words  # a file; otherwise as of `weir query ... | head`, which has had enough
        said = place.run(*words, code=2 if named else 128 + signal.SIGPIPE, stdout=writer)
        os.close(writer)
        expect(("Broken pipe" in said) == named, f"{words}: {said}")
        with open("/dev/full", "w") as full:  # nobody hears what is said, and nothing else goes wrong
            code = place.start(*words, stderr=full, stdout=subprocess.DEVNULL).wait(timeout=120)
        expect(code == 0, f"{words}: exit code {code} with a full standard error")
    closed = subprocess.run(["sh", "-c", '"$0" run s.toml --out r >&-', place.weir], cwd=place.directory,
                            capture_output=True, text=True)
    expect(closed.returncode == 2 and "cannot write to standard output" in closed.stderr, closed.stderr)
    place.run("query", "r", "SELECT * FROM runs")  # the result is whole
    expect(place.start("run", "nothing.toml", stderr=open("/dev/full", "w")).wait(timeout=60) == 2, "stderr is full")
    print(f"{len(commands)} commands notice that nobody takes what they print")


def case_inputs(place):
    for name in ("links.csv", "paths.csv", "flows.csv", "tree.toml"):
        shutil.copy(os.path.join(RATES, name), place.path(name))
    place.run("run", "s.toml", "--out", "r")
    place.run("sweep", "s.toml", "--out", "s.sqlite")
    os.symlink("r/result.sqlite", place.path("soft"))
    os.link(place.path("r/result.sqlite"), place.path("hard"))
    place.write("book.json", "{}")
    place.write("trace.csv", "src,dst,bytes\n0,1,1000\n")
    place.write("t.toml", SCENARIO + '[[traffic]]\nname = "t"\npattern = "trace"\nfile = "trace.csv"\n')
    by_path = ["rates", "--links", "links.csv", "--paths", "paths.csv", "--out"]
    routed = ["rates", "--topology", "tree.toml", "--flows", "flows.csv", "--out"]
    commands = [
        *[["query", "r", "SELECT 1", "--out", name] for name in ("r/result.sqlite", "./r/../r/result.sqlite", "soft",
                                                                 "hard")],
        ["query", "r", "--out", "r/result.sqlite"], ["query", "s.sqlite", "SELECT 1", "--out", "s.sqlite"],
        by_path + ["links.csv"], by_path + ["paths.csv"], routed + ["tree.toml"], routed + ["flows.csv"],
        ["run", "s.toml", "--out", "n", "--json", "s.toml"], ["run", "t.toml", "--out", "n", "--json", "trace.csv"],
        ["compare", "s.toml", "--schemes", "none", "--out", "n", "--json", "s.toml"],
        ["sweep", "s.toml", "--slurm", "s.toml"], ["sweep", "s.toml", "--out", "s.toml"],
        ["run", "r/scenario.toml", "--out", "r", "--set", "seed=2"],
        ["compare", "r/scenario.toml", "--schemes", "none,window", "--out", "r"],
        ["reproduce", "--from", "book.json", "--markdown", "book.json", "--out", "n"],
    ]
    before = {name: place.read(name) for name in place.listing() if os.path.isfile(place.path(name))}
    for words in commands:
        place.run(*words, code=2)
        after = {name: place.read(name) for name in place.listing() if os.path.isfile(place.path(name))}
        changed = [name for name in {*before, *after} if before.get(name) != after.get(name)]
        expect(not changed, f"{words} changed {changed}")
    print(f"{len(commands)} commands refuse to write over what they read")


def case_early(place):
    place.run("run", "s.toml", "--out", "r")
    os.symlink("nowhere", place.path("dangling"))
    os.mkdir(place.path("foreign"))
    place.write("foreign/thesis.tex", "years of work")
    ages = ["s.toml", *AGES]
    cases = [
        (["compare", *ages, "--schemes", "none,window,none"], "twice"),
        (["run", *ages, "--set", 'measure.watch=["H1", "H1:0"]'], "named twice"),
        (["compare", *ages, "--out", "dangling"], "link to nowhere"),
        (["run", *ages, "--out", "dangling"], "link to nowhere"),
        (["run", *ages, "--out", "dangling/new"], "link to nowhere"),
        (["run", *ages, "--out", "foreign"], "not a weir result"),
        (["run", *ages, "--out", "."], "it is the current directory"),
        (["run", *ages, "--out", "/proc"], "a mount point cannot be replaced"),
        (["run", *ages, "--out", "n" * 300], "File name too long"),
        (["run", *ages, "--out", "s.toml"], "it is a file"),
        (["run", *ages, "--out", "s.toml/new"], "not a directory"),
        (["run", *ages, "--out", "n", "--json", "no/x.json"], "there is no directory no"),
        (["run", *ages, "--out", "n", "--json", "n/x.json"], "replaced as a whole"),
        (["run", *ages, "--out", "n", "--json", "foreign"], "it is a directory"),
        (["run", *ages, "--out", "n/", "--json", "./n"], "to be the directory of the results"),
        (["reproduce", "--full", "--out", "n", "--json", "x", "--markdown", "x"], "name one file"),
        (["compare", *ages, "--out", "n", "--json", "no/x.json"], "there is no directory no"),
        (["sweep", *ages, "--out", "foreign"], "it is a directory"),
        (["sweep", *ages, "--out", "s.toml"], "it is not a weir result"),
        (["reproduce", "--full", "--out", "s.toml"], "cannot write s.toml/reproduction.json"),
        (["reproduce", "--full", "--out", "dangling"], "cannot write"),
        (["reproduce", "--full", "--out", "n", "--json", "no/x.json"], "there is no directory no"),
        (["reproduce", "--full", "--out", "n", "--markdown", "no/x.md"], "there is no directory no"),
        (["query", "r", "SELECT 1", "--out", "no/x"], "there is no directory no"),
        (["rates", "--links", "missing", "--paths", "missing", "--out", "no/x"], "there is no directory no"),
    ]
    before = place.listing()
    for words, message in cases:
        said = place.run(*words, code=2)
        expect(message in said, f"{words}: {said}")
        expect(place.listing() == before, f"{words} left {sorted(set(place.listing()) - set(before))}")
    first = place.start("run", *ages, "--out", "deep/new")
    while not os.path.exists(place.path("deep/.new.weir-lock")) and first.poll() is None:
        time.sleep(0.01)
    for _ in range(5):
        said = place.run("run", *ages, "--out", "deep/new", code=2)
        expect(f"another weir is writing results to deep/new (process {first.pid}" in said, said)
    first.terminate()
    first.communicate(timeout=60)
    expect(place.listing() == before, f"left behind: {place.listing()}")
    place.run("run", "s.toml", "--out", "n" * 250)
    print(f"{len(cases) + 5} mistakes are found before any work")


def is_writing(place, name):
    return any(entry.startswith(f".{name}.weir-") and entry[-1].isdigit() for entry in os.listdir(place.directory))


BIG = ["s.toml", "--set", "topology.k=8", "--set", "topology.n=4", "--set", "run.duration=2us"]  # 4096 hosts


def start_and_wait_until_it_writes(place, *words):
    process = place.start("run", *BIG, "--out", "big", *words)
    while not is_writing(place, "big") and process.poll() is None:
        time.sleep(0.001)
    time.sleep(random.random() * 0.1)
    return process


def case_signals(place):
    place.run("run", "s.toml", "--out", "big")
    before = place.listing()
    text = place.read("big/result.json")
    caught = 0
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 2:
        process = place.start("run", "s.toml", *AGES, "--out", "new")
        while not os.path.exists(place.path(".new.weir-lock")) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        expect(process.returncode == -number, f"{number}: exit code {process.returncode}")
        expect(err.decode().count("weir: interrupted; nothing was written") == 1, err.decode())
        process = start_and_wait_until_it_writes(place)
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        expect(place.listing() == before, f"left behind: {sorted(set(place.listing()) ^ set(before))}")
        if process.returncode == 0:  # it was faster
            place.run("run", "s.toml", "--out", "big")
            continue
        caught += 1
        expect(process.returncode == -number, f"{number}: exit code {process.returncode}: {err.decode()}")
        earlier = "the results in big are those of an earlier run" in err.decode()
        expect(earlier or "the results are in big" in err.decode(), err.decode())
        expect(not earlier or place.read("big/result.json") == text, "the earlier result is gone")
        if not earlier:
            place.run("run", "s.toml", "--out", "big")
    expect(caught >= 3, f"only {caught} runs were caught while they wrote")
    process = start_and_wait_until_it_writes(place)
    place.write("big/notes.txt", "mine")
    _, err = process.communicate(timeout=60)
    expect(process.returncode == 2 and place.read("big/notes.txt") == b"mine", "a note of the user's is gone")
    expect("big-2" in err.decode() and os.path.exists(place.path("big-2/MANIFEST")), err.decode())
    shutil.rmtree(place.path("big-2"))
    os.remove(place.path("big/notes.txt"))
    before = place.listing()
    for words in (["reproduce", "--full", "--out", "new/book"], ["calibrate", "s.toml", "--trips", "100000"]):
        process = place.start(*words)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        expect(process.returncode == -signal.SIGINT and "weir: interrupted; " in err.decode(), err.decode())
        expect(place.listing() == before, f"left behind: {sorted(set(place.listing()) ^ set(before))}")
    said = subprocess.run(["sh", "-c", 'ulimit -f 40; "$0" run s.toml --out big', place.weir], cwd=place.directory,
                          capture_output=True, text=True)
    expect(said.returncode == 2 and "cannot write big/" in said.stderr and "File too large" in said.stderr, said.stderr)
    expect(place.read("big/result.json") == text, "the earlier result is gone")
    print(f"nothing stayed behind; {caught} of 6 runs were caught while they wrote")


def hot_journal(place):
    """A database as kill -9 in the midst of a change leaves it: written to, with the journal that undoes it."""
    place.run("sweep", "s.toml", "--out", "live.sqlite")
    db = sqlite3.connect(place.path("live.sqlite"), isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE runs SET label = hex(randomblob(50000))")
    db.execute("DELETE FROM sweep")
    for name in ("live.sqlite", "live.sqlite-journal"):
        shutil.copy(place.path(name), place.path(name.replace("live", "killed")))
    db.execute("ROLLBACK")
    db.close()


def case_killed(place):
    for _ in range(3):
        process = start_and_wait_until_it_writes(place)
        process.kill()
        process.communicate()
    expect(any(".weir-" in name for name in place.listing()), "no process was caught while it wrote")
    place.run("run", "s.toml", "--out", "other")
    expect(not any(".weir-" in name for name in place.listing()), f"left behind: {place.listing()}")

    hot_journal(place)
    for name in ("killed.sqlite", "killed.sqlite-journal"):
        shutil.copy(place.path(name), place.path("locked-" + name))
    expect(os.path.getsize(place.path("killed.sqlite-journal")) > 512, "the journal is not hot")
    expect(place.run("query", "killed.sqlite", "SELECT count(*) AS n FROM sweep", "--format", "csv") == "n\n2\n",
           "the change was not undone")
    if os.geteuid() == 0:
        shared = os.path.join(place.directory, "shared")
        os.mkdir(shared)
        shutil.copy(place.weir, os.path.join(shared, "weir"))
        for name in ("killed.sqlite", "killed.sqlite-journal"):
            shutil.copy(place.path("locked-" + name), os.path.join(shared, name))
        os.chmod(place.directory, 0o755)
        done = subprocess.run([os.path.join(shared, "weir"), "query", "killed.sqlite", "SELECT 1 FROM sweep"],
                              cwd=shared, user=65534, group=65534, extra_groups=[], capture_output=True, text=True)
        expect(done.returncode == 2 and "was killed" in done.stderr and "continue the sweep" in done.stderr,
               f"{done.returncode} {done.stderr}")
    place.write("begun.sqlite", "")
    said = place.run("query", "begun.sqlite", "SELECT * FROM sweep", code=2)
    expect("stopped before it had any" in said, said)
    place.run("sweep", "s.toml", "--out", "begun.sqlite", "--dry-run")
    print("leftovers vanish, and a killed sweep is read")


def rerun(place, name, *words):
    place.run("run", name, "--out", "a", *words)
    place.run("run", "a/scenario.toml", "--out", "b")
    first, second = (json.loads(place.read(directory + "/result.json")) for directory in "ab")
    expect(first["config_hash"] == second["config_hash"], f"{name}: another hash")
    expect(first["totals"] == second["totals"], f"{name}: another result")
    same = [f for f in os.listdir(place.path("a")) if f not in ("timing.json", "report.html", "result.sqlite")]
    _, different, missing = filecmp.cmpfiles(place.path("a"), place.path("b"), same, shallow=False)
    different = [f for f in different if f != "result.json"]  # names the scenario's file
    expect(not different and not missing, f"{name}: {different} {missing} differ")
    os.rename(place.path("a"), place.path("moved"))
    os.mkdir(place.path("results"))
    place.run("run", "moved/scenario.toml", "--out", "moved")  # where it lies
    for directory in ("b", "moved", "results"):
        shutil.rmtree(place.path(directory))


def case_rerun(place):
    shutil.copytree(os.path.join(ROOT, "scenarios"), place.path("scenarios"))
    names = sorted(name for name in os.listdir(place.path("scenarios")) if name.endswith(".toml"))
    named = tried = 0
    for name in names:
        with open(place.path("scenarios/" + name)) as file:
            text = file.read()
        names_files = '\nfile = "' in text or '\npath = "' in text
        if not names_files and name not in ("hotspot.toml", "ring.toml"):
            continue
        named += names_files
        tried += 1
        words = ["--set", "run.duration=20us"] if "\nduration" in text and "warmup" not in text else []
        rerun(place, "scenarios/" + name, *words)
    expect(named >= 1, "no scenario names a file")
    place.run("topo", "s.toml", "--export", "ibnetdiscover")
    with open(place.path("fabric.topo"), "w") as file:
        place.run("topo", "s.toml", "--export", "ibnetdiscover", stdout=file)
    fabric = SCENARIO.replace('kind = "k-ary-n-tree"\nk = 4\nn = 2', 'kind = "file"\npath = "../fabric.topo"')
    os.mkdir(place.path("in"))
    place.write("in/fabric.toml", fabric)
    rerun(place, "in/fabric.toml")
    place.run("compare", "in/fabric.toml", "--schemes", "none,window", "--out", "c")
    copies = [name for name in os.listdir(place.path("c")) if name.startswith("input-")]
    expect(copies == ["input-fabric.topo"], f"copies of one fabric: {copies}")
    os.remove(place.path("fabric.topo"))
    rerun(place, "c/scenario-2.toml")
    print(f"{tried + 2} results run again as they are")


def commands_of(place):
    """The names in the list of subcommands that --help prints."""
    lines = place.run("--help").split("Commands:\n")[1].split("\n\n")[0].split("\n")
    names = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]
    expect(len(names) >= 18, f"commands: {names}")
    return names


LONG_NAMES = """vendid=0x2c9
switchguid=0x1(1)
Switch\t36 "S-0000000000000001"\t\t# "MF0;a-rather-long-name-of-a-director-0927-20ib0:MQM8700/U1" base port 0 lid 1
[1]\t"H-0000000000000002"[1](3)\t\t# "compute-node-0001.cluster.example.org mlx5_0" lid 2 4xHDR
[2]\t"H-0000000000000003"[1](4)\t\t# "compute-node-0002.cluster.example.org mlx5_0" lid 3 4xHDR
[3]\t"H-0000000000000004"[1](5)\t\t# "storage-node-0001.cluster.example.org mlx5_0" lid 4 4xHDR
"""
DUMPS = """# Port extended counters: Lid 1 port {port} (CapMask: 0x5300)
PortSelect:......................{port}
PortXmitData:....................{data}
PortRcvData:.....................{data}
PortXmitWait:....................{wait}
"""


def case_terminal(place):
    place.write("cluster.topo", LONG_NAMES)
    place.write("long.toml", SCENARIO.replace('kind = "k-ary-n-tree"\nk = 4\nn = 2',
                                              'kind = "file"\npath = "cluster.topo"'))
    for name, factor in (("before.txt", 1), ("after.txt", 2)):
        place.write(name, "".join(DUMPS.format(port=port, data=factor * 6_000_000_000, wait=factor * 1_000_000)
                                  for port in (1, 2, 3)))
    said = place.run("run", "s.toml", "--out", "r")
    expect("for the runs of [sweep]: weir sweep s.toml" in said, said)
    said = place.run("reproduce", "hol", "md1", "--quick", "--out", "book")
    for part in ("2 entries: 2 of theory", "1 of 2 entries done: theory/hol", "0.5858  ± 0.01"):
        expect(" ".join(part.split()) in " ".join(said.split()), f"{part}:\n{said}")
    narrow = place.run("reproduce", "hol", "--quick", "--out", "book", env={**os.environ, "COLUMNS": "80"})
    whole = re.search(r"0\.\d+ > 0\.\d+ > 0\.\d+ > 0\.\d+", said)[0]
    expect(f": measured {whole}" in narrow and f": measured {whole}" not in said, f"cut, but not below:\n{narrow}")
    place.run("sweep", "s.toml", "--out", "s.sqlite")
    commands = [["--help"], ["help"], ["list"], ["list", "schemes", "dcms"], ["list", "patterns", "flow-arrivals"],
                ["run", "s.toml", "--out", "r"], ["run", "long.toml", "--out", "r"],
                ["compare", "s.toml", "--schemes", "none,window,cca", "--out", "c"],
                ["compare", "long.toml", "--schemes", "none,window", "--out", "c"], ["topo", "s.toml", "--check"],
                ["topo", "cluster.topo", "--check"], ["topo", "cluster.topo", "--hosts", "*"],
                ["diagnose", "cluster.topo", "before.txt", "after.txt", "--seconds", "1"],
                ["sweep", "s.toml", "--out", "s.sqlite"], ["sweep", "s.toml", "--out", "n.sqlite", "--dry-run"],
                ["query", "r"], ["query", "r", "SELECT * FROM runs"], ["query", "s.sqlite", "SELECT * FROM statistics"]]
    commands += [[name, "--help"] for name in commands_of(place)] + [["help", name] for name in commands_of(place)]
    for words in commands:
        for width in (80, 100):
            for language in ("C", "C.UTF-8"):
                process = place.start(*words, env={**os.environ, "COLUMNS": str(width), "LC_ALL": language})
                out = process.communicate(timeout=120)[0]
                expect(process.returncode == 0, f"{words}: exit code {process.returncode}")
                expect(language != "C" or out.isascii(), f"{words}: not ASCII: {out.decode()}")
                text = out.decode()
                for line in text.split("\n"):
                    expect(len(line) <= width, f"{words}: {len(line)} columns of {width}: {line}")
    shown = place.run("topo", "cluster.topo", "--hosts", "compute*", env={**os.environ, "COLUMNS": "80"})
    expect("MQM8700/U1:1" in shown and "MQM8700/U1:2" in shown, f"chip and port are not visible:\n{shown}")
    print(f"{len(commands)} commands fit into 80 and 100 columns")


def case_new(place):
    """`weir new --roce` gives a scenario that runs, with PFC and DCQCN, for fabrics of every speed."""
    fabrics = [["leaf-spine", "--leaves", "2", "--spines", "2", "--hosts", "4"],
               ["clos", "--hosts", "2", "--leaves", "2", "--pods", "2", "--planes", "2", "--spines", "2"]]
    speeds = {"25Gbps": "spectrum", "100Gbps": "spectrum", "200Gbps": "spectrum-2", "400Gbps": "trident-4",
              "800Gbps": None}
    for fabric in fabrics:
        for rate, preset in speeds.items():
            place.run("new", *fabric, "--rate", rate, "--roce", "--load", "0.3", "--out", "roce.toml")
            text = place.read("roce.toml").decode()
            for part in ('flow_control = "pfc"', 'name = "dcqcn"', 'class = "websearch"', "# assumed"):
                expect(part in text, f"{fabric} at {rate} lacks {part}:\n{text}")
            expect(preset is None and "preset" not in text or f'preset = "{preset}"' in text, f"{rate}: {text}")
            place.run("compare", "roce.toml", "--out", "r")
            effective = place.read("r/scenario-2.toml").decode()
            for key in ("kmin", "kmax", "rai", "min_rate"):
                expect(f"\n# {key} = " in effective, f"what dcqcn calculated for {key} is not told:\n{effective}")
    said = place.run("new", "leaf-spine", "--roce", "--incast", "H0", "--from", "H1*")
    expect('pattern = "incast"' in said and "websearch" not in said, said)
    print(f"{len(fabrics) * len(speeds)} fabrics run with PFC and DCQCN from one command")


def case_install(place):
    build = os.path.dirname(place.weir)
    done = subprocess.run(["cmake", "--install", build, "--prefix", place.path("p")], capture_output=True, text=True)
    expect(done.returncode == 0, done.stderr)
    installed = Place(place.path("p/bin/weir"), place.directory)
    expect(installed.run("--version") == place.run("--version"), "another version")
    expect(installed.run("--version").startswith("weir "), "no version")
    page = place.read("p/share/man/man1/weir.1").decode()
    for name in commands_of(place):
        expect(name in page, f"the manual page lacks {name}")
        for path in ("bash-completion/completions/weir", "zsh/site-functions/_weir",
                     "fish/vendor_completions.d/weir.fish"):
            expect(name in place.read("p/share/" + path).decode(), f"{path} lacks {name}")
    if shutil.which("man"):
        shown = subprocess.run(["man", "--warnings", "-l", place.path("p/share/man/man1/weir.1")], capture_output=True,
                               text=True, env={**os.environ, "MANPAGER": "cat"})
        expect(shown.returncode == 0 and "warning" not in shown.stderr, shown.stderr)
    unit = place.read("p/lib/systemd/system/weir-manage.service").decode()
    expect(f"ExecStart={place.path('p/bin/weir')} manage /etc/weir/policy.toml" in unit, unit)
    expect(place.read("p/share/weir/weir-manage.toml") == read_source("share/weir-manage.toml"), "the sample policy")
    subprocess.run(["bash", "-c", '. "$0" && COMP_WORDS=(weir comp) COMP_CWORD=1 && _weir && '
                    '[ "${COMPREPLY[*]}" = compare ]', place.path("p/share/bash-completion/completions/weir")],
                   check=True)
    print("an installed weir has its manual page and completion for three shells")


def main():
    cases = {name[5:]: case for name, case in globals().items() if name.startswith("case_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("weir")
    parser.add_argument("case", choices=cases)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weir-test.") as directory:
        try:
            cases[options.case](Place(os.path.abspath(options.weir), directory))
        except Failed as failure:
            sys.exit(f"{options.case}: {failure}")


if __name__ == "__main__":
    main()
