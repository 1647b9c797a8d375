#!/usr/bin/env python3
"""What weir takes of memory and disk, tried on the program as a user would: limits, refusals, and large fabrics.

usage: memory_check.py WEIR CASE
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

WEIR = sys.argv[1]
GIB = 1 << 30
SMALL = 600 << 20


def tree(k, n=3, more="", run='duration = "100ns"', traffic='pattern = "uniform"\nload = 0.5'):
    return (f'name = "tree"\n[topology]\nkind = "k-ary-n-tree"\nk = {k}\nn = {n}\n'
            f"[[traffic]]\n{traffic}\n[run]\n{run}\n{more}")


def weir(*words, space=None, timeout=120):
    """Runs it, perhaps with so much address space; returns exit code, output, peak memory in bytes."""
    def limit():
        if space:
            resource.setrlimit(resource.RLIMIT_AS, (space, space))
    child = subprocess.Popen([WEIR, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             preexec_fn=limit, text=True)
    hang = threading.Timer(timeout, child.kill)
    hang.start()
    try:
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
    finally:
        hang.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, text, usage.ru_maxrss * 1024


def expect(condition, *told):
    if not condition:
        sys.exit("\n".join(["not so:", *map(str, told)]))


def refused(said, code, text):
    expect(code == 2 and said in text, f"exit 2 with {said!r}", f"exit {code}", text[-2000:])


def case_refused(d):
    """What does not fit is refused with the number before it is built; --force tries it, and the end is words."""
    (d / "s.toml").write_text(tree(64))
    code, text, peak = weir("run", d / "s.toml", "--out", d / "r", space=SMALL)
    refused("this run (fabric", code, text)
    refused("--force", code, text)
    expect(peak < 50 << 20, "refused before anything is built", peak)
    code, text, _ = weir("run", d / "s.toml", "--out", d / "r", "--force", space=SMALL)
    refused("memory has run out", code, text)
    expect(not (d / "r").exists(), "nothing is left behind")
    (d / "c.toml").write_text(tree(32))
    code, text, _ = weir("compare", d / "c.toml", "--schemes", "none,qcn", "--out", d / "r", space=GIB)
    refused("needs about", code, text)


def case_estimate(d):
    """The estimate lies between what a run takes and twice that."""
    (d / "small.toml").write_text(tree(2))
    (d / "s.toml").write_text(tree(32, run='duration = "2us"'))
    base = weir("run", d / "small.toml", "--out", d / "r")[2]
    code, text, peak = weir("run", d / "s.toml", "--out", d / "r")
    expect(code == 0, text)
    peak -= base
    code, text, _ = weir("run", d / "s.toml", "--out", d / "r", space=110 << 20)
    refused("needs about ", code, text)
    need = float(text.split("needs about ")[1].split(" GB")[0]) * 1e9
    print(f"32-ary 3-tree: {need / 1e6:.0f} MB estimated before anything is built, {peak / 1e6:.0f} MB taken")
    expect(0.5 * peak < need < 2 * peak, f"{need} estimated, {peak} taken")


def case_large(d):
    """Results of a large fabric are written as they come, and bounded."""
    (d / "s.toml").write_text(tree(32))
    code, text, peak = weir("run", d / "s.toml", "--out", d / "r")
    expect(code == 0, text)
    size = sum(f.stat().st_size for f in (d / "r").iterdir())
    print(f"32-ary 3-tree: {peak >> 20} MiB, {size >> 20} MiB of results")
    expect(peak < 500 << 20, f"{peak} bytes of memory")
    expect(size < 120 << 20, f"{size} bytes of results")
    document = json.loads((d / "r" / "result.json").read_text())
    expect(len(document["ports"]) == 100000, len(document["ports"]))
    expect("the tables contain 100000 of" in text, text)
    code, text, _ = weir("run", d / "s.toml", "--out", d / "all", "--set", "measure.max_rows=1000000")
    everything = json.loads((d / "all" / "result.json").read_text())["ports"]
    kept = {p["port"] for p in document["ports"]}
    expect(len(everything) == 196608 and "the tables contain" not in text, len(everything), text)
    least = min(p["xmit_bytes"] + p["rcv_bytes"] for p in document["ports"])
    most = max(p["xmit_bytes"] + p["rcv_bytes"] for p in everything if p["port"] not in kept and p["wait_s"] == 0)
    expect(least >= most, f"a port of {most} bytes is left out, one of {least} is kept")


def case_backlog(d):
    """What waits at the hosts is bounded, at any moment."""
    (d / "s.toml").write_text(tree(4, 2, traffic='pattern = "hotspot"\ntarget = 0\nrate = "1000Tbps"',
                                   run='duration = "1s"\nmax_backlog = 1000000'))
    code, text, peak = weir("run", d / "s.toml", "--out", d / "r")
    expect(code == 0 and "more than 1000000 packets wait" in text, code, text)
    print(f"a million packets: {peak >> 20} MiB")
    expect(peak < 50 << 20, f"{peak} bytes of memory")


def case_numbers(d):
    """Numbers and files that ask for too much end in a sentence, at once."""
    (d / "s.toml").write_text(tree(2, 2))
    code, text, peak = weir("run", "/dev/zero", timeout=10)
    refused("/dev/zero: is a device", code, text)
    (d / "huge.toml").touch()
    os.truncate(d / "huge.toml", 1 << 40)
    code, text, peak = weir("run", d / "huge.toml", timeout=10)
    refused("is larger than 64 MiB", code, text)
    for words, said in (
            (("--set", "measure.bin=1ps", "--set", "run.duration=1ms"), "bin = 1ps makes 1000000000 bins"),
            (("--set", "measure.watch=[\"H0\"]", "--set", "measure.watch_bin=1ns", "--set", "run.duration=1s"),
             "watch_bin = 1ns makes 1000000000 bins"),
            (("--set", "topology.k=64", "--set", "topology.n=4"), "more than 4194304 hosts"),
    ):
        code, text, peak = weir("run", d / "s.toml", "--out", d / "r", *words, timeout=20)
        refused(said, code, text)
        expect(peak < 500 << 20, words, peak)
    (d / "a.toml").write_text(tree(32, traffic='pattern = "all-to-all"\nbytes = "1B"', run='until = "flows"'))
    code, text, peak = weir("run", d / "a.toml", "--out", d / "r", timeout=20)
    refused("this pattern makes 1073709056 flows", code, text)
    for command in ("compare", "sweep"):
        code, text, _ = weir(command, d / "s.toml", "--threads", "4000000000")
        refused("4096", code, text)
    entries = "".join(f'[[traffic]]\npattern = "uniform"\nname = "t{i}"\nclass = "c{i % 50}"\nload = 0.00001\n'
                      for i in range(20000))
    (d / "many.toml").write_text('[topology]\nkind = "star"\nhosts = 16\n[run]\nduration = "1us"\n' + entries)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    code, text, _ = weir("run", d / "many.toml", "--out", d / "r")
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    print(f"20,000 entries of traffic: {seconds:.1f} s")
    expect(code == 0 and seconds < 15, code, seconds, text[-500:])


def main():
    cases = {name[5:]: function for name, function in globals().items() if name.startswith("case_")}
    with tempfile.TemporaryDirectory(prefix="weir-memory.") as directory:
        cases[sys.argv[2]](Path(directory))


main()
