#!/usr/bin/env python3
# One run that is shared by ranks of mpirun, as a user meets it. Each case is a test of its own in ctest.
#
# usage: ranks_check.py WEIR CASE
# cases: same      the same result as by one thread, with 2 and 3 ranks of 2 threads; WEIR_TEST_SCALE=full: of all
#                  scenarios, and with 2, 3, 4 and 8 threads, too
#        lost      a rank that is killed, and one that stands still: an error, and no result
#        signals   Ctrl-C: nothing stays behind
#        full      a disk that is full at the end: a clear message, no half of a result (needs the right to mount)
#        refused   what is wrong is said once, before any work
#        plan      docs/scale.md shows what tools/scale-plan says, which is near to what was measured
import argparse
import filecmp
import glob
import os
import shutil
import signal
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
n = 3
[link]
rate = "10Gbps"
delay = "15ns"
[packet]
payload = ["500B"]
[[traffic]]
pattern = "uniform"
load = 0.6
[run]
duration = "100us"
"""
AGES = ["--set", "run.duration=100s"]  # more than anybody would wait for


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what[-3000:])


class Place:
    """A directory with a scenario, and weir started in it."""

    def __init__(self, weir, directory):
        self.weir, self.directory = os.path.abspath(weir), directory
        self.scenario = self.path("s.toml")
        with open(self.scenario, "w") as file:
            file.write(SCENARIO)

    def path(self, name):
        return os.path.join(self.directory, name)

    def start(self, ranks, *words, more=()):
        root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        before = ["mpirun", *root, "--oversubscribe", *more, "-n", str(ranks)] if ranks > 1 else []
        return subprocess.Popen([*before, self.weir, "run", *words], cwd=self.directory, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, ranks, *words, code=0, more=()):
        process = self.start(ranks, *words, more=more)
        out, err = process.communicate(timeout=500)
        expect(process.returncode == code, f"{words}: exit code {process.returncode}, not {code}:\n{out}\n{err}")
        return out + err


def same_results(what, one, many):
    """Every file is the same to the byte, but timing.json: what it took is no part of a result."""
    expect(sorted(os.listdir(one)) == sorted(os.listdir(many)), f"{what}: other files")
    same = [name for name in os.listdir(one) if name != "timing.json"]
    _, different, missing = filecmp.cmpfiles(one, many, same, shallow=False)
    expect(not different and not missing, f"{what}: {different} {missing} differ")


def case_same(place):
    full = os.environ.get("WEIR_TEST_SCALE") == "full"
    every = sorted(glob.glob(os.path.join(ROOT, "scenarios", "*.toml")))
    scenarios = every if full else [place.scenario]
    shapes = [(2, 2), (3, 2)] + ([(1, 2), (1, 3), (1, 4), (1, 8)] if full else [])
    for scenario in scenarios:
        name = os.path.basename(scenario)
        one = place.path("one-" + name)
        place.run(1, scenario, "--threads", "1", "--out", one)
        for ranks, threads in shapes:
            many = place.path("many")
            shutil.rmtree(many, ignore_errors=True)
            said = place.run(ranks, scenario, "--threads", str(threads), "--out", many)
            same_results(f"{name}, {ranks} x {threads}", one, many)
            alone = [line for line in said.splitlines() if line.startswith("note: rank 0 ")]
            print(f"{name}, {ranks} ranks x {threads} threads: the same result", *alone)
            expect(full or not alone, said)


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
            if parent == process.pid and b"weir" in program:
                found[int(words[b"OMPI_COMM_WORLD_RANK"])] = int(entry)
        except (OSError, ValueError, KeyError):
            continue
    return found


def at_work(place, process, count):
    """The ranks of a run, once all of them use the processor."""
    def ticks(pid):
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rsplit(")", 1)[1].split()[11])
    for _ in range(600):
        ranks = ranks_of(process)
        try:
            if len(ranks) == count and all(ticks(pid) > 10 for pid in ranks.values()):
                return ranks
        except OSError:
            pass
        if process.poll() is not None:
            raise Failed("the run has ended: " + str(process.communicate()))
        time.sleep(0.05)
    raise Failed("the ranks did not begin")


def nothing_stays(place):
    """But a lock, perhaps: mpirun may kill at once what it ends, and the next run removes it."""
    left = [name for name in os.listdir(place.directory) if name not in ("s.toml", ".r.weir-lock")]
    expect(left == [], f"left behind: {left}")


def case_lost(place):
    process = place.start(3, place.scenario, *AGES, "--out", "r")
    os.kill(at_work(place, process, 3)[1], signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    expect(process.returncode != 0 and "rank 1" in out + err, out + err)
    nothing_stays(place)
    print("a rank was killed: mpirun says so, nothing is written")

    process = place.start(3, place.scenario, *AGES, "--out", "r", "--lost-after", "2")
    ranks = at_work(place, process, 3)
    os.kill(ranks[1], signal.SIGSTOP)
    out, err = process.communicate(timeout=60)
    try:
        os.kill(ranks[1], signal.SIGKILL)
    except OSError:
        pass
    expect(process.returncode != 0, "it went on without one of its ranks")
    expect("has been silent for 2 s; the run is given up, and nothing is written" in err, out + err)
    nothing_stays(place)
    print("a rank stood still: the others say so, nothing is written")


def case_signals(place):
    process = place.start(2, place.scenario, *AGES, "--out", "r")
    at_work(place, process, 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    expect(process.returncode != 0, out + err)
    nothing_stays(place)
    print("Ctrl-C: nothing stays behind")


def case_full(place):
    disk = place.path("disk")
    os.mkdir(disk)
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "weir-test", disk], capture_output=True)
    if mount.returncode != 0:
        print("mounting a small disk is refused here:", mount.stderr.decode().strip())
        sys.exit(SKIPPED)
    try:
        said = place.run(2, place.scenario, "--out", os.path.join(disk, "r"), code=2)
        expect("No space left on device; free some space" in said, said)
        expect(os.listdir(disk) == [], f"left behind: {os.listdir(disk)}")
    finally:
        subprocess.run(["umount", disk], check=True)
    print("a full disk: said, and nothing is left of the result")


def case_refused(place):
    said = place.run(3, place.scenario, "--set", "traffic.0.load=x", "--out", "r", code=2)
    expect(said.count("weir: ") == 1, said)
    said = place.run(3, "nowhere.toml", code=2)
    expect(said.count("weir: ") == 1 and "nowhere.toml" in said, said)
    said = place.run(2, place.scenario, "--live", "--out", "r", code=2)
    expect("--live works with a single process only" in said, said)
    nothing_stays(place)
    print("what is wrong is said once")


def plan(*words):
    return subprocess.run([os.path.join(ROOT, "tools", "scale-plan"), *words], check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def case_plan(place):
    with open(os.path.join(ROOT, "docs", "scale.md")) as file:
        text = file.read()
    measured = plan("--measured", os.path.join(ROOT, "tests", "ranks", "measured.csv"))
    for shown in (plan(), plan("--threads", "8", "--neighbours", "110"), measured):
        expect(f"```text\n{shown}```" in text, "docs/scale.md does not show this:\n" + shown)
    worst = float(measured.split("at most ")[1].split()[0])
    expect(worst < 1.25, measured)

    def seconds(*words):
        return float(plan(*words).split("wall time")[1].split()[0])
    usual = seconds()
    for name, value in ("latency", 500), ("message", 5), ("hop", 500), ("bandwidth", 0.1), ("ranks", 500):
        expect(seconds("--" + name, str(value)) > 1.1 * usual, f"{name} {value}: no longer than before")
    print("the plan is as documented, and", measured.splitlines()[-1])


def main():
    cases = {name[5:]: function for name, function in globals().items() if name.startswith("case_")}
    parser = argparse.ArgumentParser()
    parser.add_argument("weir")
    parser.add_argument("case", choices=sorted(cases))
    options = parser.parse_args()
    no_mpi = shutil.which("mpirun") is None or not os.path.exists(os.path.abspath(options.weir) + "-mpi")
    if no_mpi and options.case != "plan":
        print("no mpirun, or weir was built without MPI")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory(prefix="weir-ranks-") as directory:
        try:
            cases[options.case](Place(options.weir, directory))
        except Failed as failed:
            print(failed)
            sys.exit(1)


if __name__ == "__main__":
    main()
