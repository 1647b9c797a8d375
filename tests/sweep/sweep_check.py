#!/usr/bin/env python3
# Sweeps as a user meets them: many processes, kills, full disks. Each case is a test of its own in ctest.
#
# usage: sweep_check.py WEIR CASE [--loads N] [--seeds N] [--kills N]
# cases: rows        the same rows with 1 thread, 2 threads, under mpirun, and after kill -9 and resumes
#        interrupt   Ctrl-C says where things are, and the same command goes on
#        two         a second sweep on the same file is refused
#        rank        a rank that dies loses its run only; without recovery, the sweep goes on when started again
#        full-disk   a disk that fills up: a clear message, nothing lost (needs the right to mount)
#        read-only   a directory that may not be written to
#        failures    a failing run is recorded and does not stop the others
#        manual      the commands and queries of docs/sweeps.md
#        throughput  not a test: runs per second with 1 and 2 threads
# The full form of the first: sweep_check.py build/release/weir rows --loads 20 --seeds 10 --kills 10
import argparse
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

SKIPPED = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCENARIO = """
name = "check"
[topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
rate = "10Gbps"
delay = "15ns"
[packet]
payload = ["500B"]
[[traffic]]
name = "cold"
pattern = "uniform"
class = "cold"
load = 0.5
[[traffic]]
name = "hot"
pattern = "hotspot"
class = "hot"
share = 0.5
target = 0
load = 0.3
[run]
duration = "{duration}"
[measure]
frames = 4
[sweep]
"traffic.cold.load" = {{ from = "5%", to = "{last}%", step = "5%" }}
repetitions = {seeds}
"""


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what)


class Sweep:
    """One result file in a directory, and the command that fills it."""

    def __init__(self, options, directory, name="s.sqlite", extra=(), duration="200us"):
        self.weir = os.path.abspath(options.weir)
        self.scenario = os.path.join(directory, "check.toml")
        self.file = os.path.join(directory, name)
        self.extra = list(extra)
        with open(self.scenario, "w") as file:
            file.write(SCENARIO.format(last=5 * options.loads, seeds=options.seeds, duration=duration))

    def command(self, *more):
        return [self.weir, "sweep", self.scenario, "--out", self.file, *self.extra, *more]

    def start(self, *more, before=(), **settings):
        return subprocess.Popen([*before, *self.command(*more)], text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **settings)

    def run(self, *more, code=0, before=(), **settings):
        process = self.start(*more, before=before, **settings)
        out, err = process.communicate(timeout=300)
        expect(process.returncode == code, f"exit code {process.returncode}, not {code}:\n{out}\n{err}")
        return out + err

    def rows(self):
        """Every table, ordered by its key, numbers to the last bit."""
        db = sqlite3.connect(self.file)
        expect(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the file is damaged")
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        found = {}
        for table in tables:
            rows = db.execute(f"SELECT * FROM {table}").fetchall()
            found[table] = sorted([repr([v.hex() if isinstance(v, float) else v for v in row]) for row in rows])
        db.close()
        return found

    def page(self):
        """The report beside the file; it has to be the same, whoever did the runs."""
        with open(os.path.splitext(self.file)[0] + ".html", "rb") as file:
            return file.read()

    def count(self):
        try:
            db = sqlite3.connect(f"file:{self.file}?mode=ro", uri=True, timeout=10)
            (count,) = db.execute("SELECT count(*) FROM sweep").fetchone()
            db.close()
            return count
        except sqlite3.OperationalError:
            return 0


def wait_until(condition, process):
    while not condition() and process.poll() is None:
        time.sleep(0.002)


def compare(what, found, expected):
    for table in expected:
        expect(found[table] == expected[table], f"{what}: table {table} has other rows")
    print(f"{what}: the same rows ({len(found['sweep'])} runs)")


def reference(options, directory, **settings):
    sweep = Sweep(options, directory, "reference.sqlite", **settings)
    sweep.run("--threads", "1")
    rows = sweep.rows()
    expect(len(rows["runs"]) == options.loads * options.seeds, "runs are missing")
    expect(len(rows["statistics"]) > 0, "statistics are missing")
    return rows


def mpirun(options, *more):
    """The words before the command, or nothing where there is no MPI."""
    if shutil.which("mpirun") is None or not os.path.exists(os.path.abspath(options.weir) + "-mpi"):
        return None
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", *root, "--oversubscribe", *more, "-n", "3"]


def kill_and_resume(sweep, kills, threads):
    """kill -9 now and then, at any moment of a run or of its writing; returns how often that happened."""
    happened = 0
    for _ in range(kills):
        process = sweep.start("--threads", threads)
        goal = sweep.count() + random.randrange(0, 3)
        wait_until(lambda: sweep.count() >= goal, process)
        time.sleep(random.random() * 0.03)
        happened += process.poll() is None
        process.kill()
        process.communicate()
    sweep.run("--threads", threads)
    return happened


def case_rows(options, directory):
    extra, duration = ["--detail", "full"], "1ms"
    expected = reference(options, directory, extra=extra, duration=duration)
    page = Sweep(options, directory, "reference.sqlite", extra, duration).page()
    expect(b'"kind":"sweep"' in page, "the report is no page of a sweep")
    two = Sweep(options, directory, "two.sqlite", extra, duration)
    two.run("--threads", "2")
    compare("2 threads", two.rows(), expected)
    expect(two.page() == page, "2 threads: another report")
    killed = Sweep(options, directory, "killed.sqlite", extra, duration)
    happened = kill_and_resume(killed, options.kills, "2")
    compare(f"after {happened} kills", killed.rows(), expected)
    expect(killed.page() == page, "after kills: another report")
    killed.run("--threads", "2")
    compare("once more, with nothing left to do", killed.rows(), expected)
    before = mpirun(options)
    if before is None:
        print("note: no mpirun, or weir was built without MPI: not tried with ranks")
        return
    ranks = Sweep(options, directory, "ranks.sqlite", extra, duration)
    ranks.run(before=before)
    compare("mpirun -n 3", ranks.rows(), expected)
    expect(ranks.page() == page, "mpirun -n 3: another report")
    precise = ["--precision", "20%", "--repetitions", "8"]
    one = Sweep(options, directory, "precise1.sqlite", precise)
    one.run("--threads", "1")
    total = len(one.rows()["runs"])
    expect(3 * options.loads <= total < 8 * options.loads, f"the rule stops nothing: {total} runs")
    several = Sweep(options, directory, "precise3.sqlite", precise)
    several.run(before=before)
    compare("--precision under mpirun -n 3", several.rows(), one.rows())


def hold(sweep, process, victim, total):
    """Stops a process as soon as something is stored; False if the sweep was all but over by then."""
    wait_until(lambda: sweep.count() >= 1, process)
    try:
        os.kill(victim(), signal.SIGSTOP)
    except (KeyError, ProcessLookupError):
        return False
    return process.poll() is None and sweep.count() <= total - 4


def case_interrupt(options, directory):
    duration = "2ms"
    expected = reference(options, directory, duration=duration)
    for attempt in range(10):
        sweep = Sweep(options, directory, f"s{attempt}.sqlite", duration=duration)
        process = sweep.start("--threads", "2")
        held = hold(sweep, process, lambda: process.pid, options.loads * options.seeds)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=300)
        if held:
            break
    expect(held, "the sweep was never caught before its end")
    expect(process.returncode == 130, f"exit code {process.returncode}")
    expect(re.search(r"interrupted; \d+ of \d+ runs are in .*; run the same command again to continue", err), err)
    out = sweep.run()
    expect("were there before" in out, out)
    compare("after Ctrl-C", sweep.rows(), expected)


def case_two(options, directory):
    expected = reference(options, directory)
    sweep = Sweep(options, directory)
    first = sweep.start("--threads", "1")

    def locked():  # whoever has the lock writes its name into the file
        try:
            return os.path.getsize(sweep.file + ".lock") > 0
        except FileNotFoundError:
            return False

    wait_until(locked, first)
    first.send_signal(signal.SIGSTOP)  # so that it cannot finish before the second one has come
    expect(first.poll() is None and locked(), "the first sweep was too fast to be held")
    said = sweep.run(code=2)
    expect("another sweep is writing to" in said and str(first.pid) in said, said)
    first.send_signal(signal.SIGCONT)
    first.communicate(timeout=300)
    expect(first.returncode == 0, "the first sweep did not finish")
    compare("two at once", sweep.rows(), expected)


def ranks_of(process):
    """Process ids of the ranks by number, of this mpirun."""
    found = {}
    for entry in os.listdir("/proc"):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                words = dict(w.split(b"=", 1) for w in file.read().split(b"\0") if b"=" in w)
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                program = file.read().split(b"\0")[0]
            with open(f"/proc/{entry}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError):
            continue
        if parent == process.pid and b"OMPI_COMM_WORLD_RANK" in words and b"weir" in program:
            found[int(words[b"OMPI_COMM_WORLD_RANK"])] = int(entry)
    return found


def kill_rank(options, directory, name, duration, *more):
    """Kills rank 2 of a sweep that has work left for it; rank 0 stands still meanwhile."""
    for attempt in range(10):
        sweep = Sweep(options, directory, f"{name}{attempt}.sqlite", ["--lost-after", "2"], duration)
        process = sweep.start(before=mpirun(options, *more))
        held = hold(sweep, process, lambda: ranks_of(process)[0], options.loads * options.seeds)
        ranks = ranks_of(process)
        if held:
            os.kill(ranks[2], signal.SIGKILL)
        if 0 in ranks:
            os.kill(ranks[0], signal.SIGCONT)
        _, err = process.communicate(timeout=300)
        if held:
            return sweep, process.returncode, err
    raise Failed("the sweep was never caught before its end")


def case_rank(options, directory):
    if mpirun(options) is None:
        print("no mpirun, or weir was built without MPI")
        sys.exit(SKIPPED)
    duration = "1ms"
    expected = reference(options, directory, duration=duration)
    sweep, _, err = kill_rank(options, directory, "on", duration, "--enable-recovery")
    expect("rank 2 has been silent for 2 s; its run is assigned again" in err, err)
    compare("a rank was killed, its run was dealt again", sweep.rows(), expected)
    sweep, code, err = kill_rank(options, directory, "off", duration)
    expect(code != 0, "mpirun did not notice that a rank died")
    sweep.run()
    compare("a rank was killed, mpirun ended all, started again", sweep.rows(), expected)


def case_full_disk(options, directory):
    disk = os.path.join(directory, "disk")
    os.mkdir(disk)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "weir-test", disk], capture_output=True)
    if mount.returncode != 0:
        print("mounting a small disk is refused here:", mount.stderr.decode().strip())
        sys.exit(SKIPPED)
    try:
        options.loads, options.seeds = 10, 12
        expected = reference(options, directory)
        sweep = Sweep(options, directory, "disk/s.sqlite")
        said = sweep.run(code=2)
        expect("full; free some space" in said, said)
        expect("runs are stored; run the same command again to continue" in said, said)
        stored = sweep.rows()
        expect(0 < len(stored["runs"]) < len(expected["runs"]), f"{len(stored['runs'])} runs stored")
        expect(set(stored["classes"]) <= set(expected["classes"]), "what is stored is not what should be")
        said = sweep.run(code=2)
        expect("full" in said, said)
        subprocess.run(["mount", "-o", "remount,size=20m", disk], check=True)
        sweep.run()
        compare(f"full after {len(stored['runs'])} runs, then with more space", sweep.rows(), expected)
    finally:
        subprocess.run(["umount", disk], check=True)


def case_read_only(options, directory):
    place = os.path.join(directory, "place")
    program = os.path.join(directory, "weir")
    shutil.copy(options.weir, program)
    options.weir = program
    os.mkdir(place)
    sweep = Sweep(options, directory, "place/s.sqlite")
    sweep.run()
    with open(sweep.file, "rb") as file:
        before = file.read()
    for path, mode in ((directory, 0o755), (place, 0o555), (sweep.file, 0o444)):
        os.chmod(path, mode)
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
    for file in ("place/s.sqlite", "place/new.sqlite", "place/new/s.sqlite"):
        said = Sweep(options, directory, file).run(code=2, **other) if other == {} else refused(sweep, file, other)
        expect("Permission denied; choose a directory that you may write to with --out" in said, said)
    with open(sweep.file, "rb") as file:
        expect(file.read() == before, "the file was changed")
    expect(sorted(os.listdir(place)) == ["s.html", "s.sqlite"], "something was left behind")
    os.chmod(place, 0o755)
    print("refused, and nothing was changed")


def refused(sweep, file, other):
    sweep.file = os.path.join(os.path.dirname(sweep.scenario), file)
    try:
        return sweep.run(code=2, **other)
    finally:
        sweep.file = os.path.join(os.path.dirname(sweep.scenario), "place/s.sqlite")


def case_failures(options, directory):
    sweep = Sweep(options, directory, extra=["--set", "sweep.traffic.hot.target=[0, 99]"])
    out = sweep.run(code=1)
    expect(f"{options.loads * options.seeds} runs failed" in out and "--retry" in out, out)
    rows = sweep.rows()
    expect(len(rows["runs"]) == len(rows["failures"]) == options.loads * options.seeds, "wrong numbers of rows")
    expect("were there before" in sweep.run(code=1), "failures were run again")
    expect(sweep.rows() == rows, "a second call changed something")
    expect(f'"total":{len(rows["failures"])}'.encode() in sweep.page(), "the report does not count the failures")
    other = Sweep(options, directory, "mine.sqlite")
    with open(os.path.join(directory, "mine.html"), "w") as file:
        file.write("<p>not of weir</p>")
    said = other.run(code=2)
    expect("it was not written by weir; move it away" in said and not os.path.exists(other.file), said)
    print("failures are recorded")


def case_manual(options, directory):
    """Shell lines that begin with `weir`, and SQL, in the order of the manual; every query must have an answer."""
    with open(os.path.join(ROOT, "docs", "sweeps.md")) as file:
        text = file.read()
    os.symlink(os.path.join(ROOT, "scenarios"), os.path.join(directory, "scenarios"))
    environment = dict(os.environ, PATH=os.path.dirname(os.path.abspath(options.weir)) + ":" + os.environ["PATH"])
    commands = queries = 0
    for kind, body in re.findall(r"```(sh|sql)\n(.*?)```", text, re.S):
        if kind == "sql":
            answer = subprocess.run([options.weir, "query", "results/load-sweep.sqlite", body, "--format", "csv"],
                                    cwd=directory, text=True, capture_output=True)
            expect(answer.returncode == 0 and answer.stdout.count("\n") > 1, body + answer.stdout + answer.stderr)
            queries += 1
            continue
        for line in re.sub(r"\\\n\s*", "", body).splitlines():
            if not line.startswith("weir "):
                continue
            done = subprocess.run(line, shell=True, cwd=directory, env=environment, text=True, capture_output=True)
            expect(done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}")
            commands += 1
    expect(queries == 4 and commands >= 4, f"{commands} commands and {queries} queries in the manual")
    # The command of README.md: most points are finished long before the maximum, and what is not is named.
    flagship = ["sweep", "scenarios/load.toml", "--repetitions", "30", "--precision", "5%", "--out", "precise.sqlite"]
    done = subprocess.run([options.weir, *flagship], cwd=directory, text=True, capture_output=True)
    runs = re.search(r"(\d+) runs of 10 points", done.stdout)
    expect(done.returncode == 0 and runs and int(runs[1]) < 150, done.stdout + done.stderr)
    expect("did not reach" not in done.stdout and re.search(r"leaves out .*hot.latency_mean_ns", done.stdout, re.S),
           done.stdout)
    done = subprocess.run([options.weir, *flagship[:3], "3", "--precision", "1%", "--out", "few.sqlite"],
                          cwd=directory, text=True, capture_output=True)
    expect(re.search(r"did not reach the precision of 1 % .*cold.latency_mean_ns\s+\(\d+ points\)", done.stdout, re.S),
           done.stdout)
    print(f"{commands} commands and {queries} queries of the manual work")


def note_ready_times(pid, times):
    """Seconds that each thread of a process has been running or ready to run; threads that have ended stay."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
            times[thread] = sum(map(int, file.read().split()[:2])) / 1e9


def case_throughput(options, directory):
    """On a machine with other work the speeds say little; how long threads were ready to run still does."""
    options.loads, options.seeds, speeds = 1, options.seeds if options.seeds > 5 else 100, []
    for threads in (1, 2):
        sweep = Sweep(options, directory, f"t{threads}.sqlite", duration="100ms")
        begin, times = time.monotonic(), {}
        process = sweep.start("--threads", str(threads))
        while process.poll() is None:
            try:
                note_ready_times(process.pid, times)
            except (FileNotFoundError, ProcessLookupError):
                pass
            time.sleep(0.05)
        process.communicate()
        seconds = time.monotonic() - begin
        speeds.append(options.seeds / seconds)
        share = sum(times.values()) / seconds / threads
        print(f"{threads} threads: {speeds[-1]:.2f} runs/s; running or ready for {100 * share:.1f} % of the time")
    print(f"2 threads do {speeds[1] / speeds[0]:.2f} times as much as 1")


def main():
    cases = {name[5:].replace("_", "-"): case for name, case in globals().items() if name.startswith("case_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("weir")
    parser.add_argument("case", choices=cases)
    parser.add_argument("--loads", type=int, default=4)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--kills", type=int, default=3)
    options = parser.parse_args()
    options.weir = os.path.abspath(options.weir)
    with tempfile.TemporaryDirectory(prefix="weir-test.") as directory:
        try:
            cases[options.case](options, directory)
        except Failed as failure:
            sys.exit(f"{options.case}: {failure}")


if __name__ == "__main__":
    main()
