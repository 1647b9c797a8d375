# One attack: a command line and its input, what weir must answer, and the limits within which it must do so.
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time

SCENARIO = """
[topology]
kind = "k-ary-n-tree"
k = 2
n = 2
[link]
rate = "10Gbps"
delay = "10ns"
[packet]
payload = ["1kB"]
[switch]
buffer_packets = 4
[[traffic]]
name = "all"
pattern = "uniform"
load = 0.3
[run]
duration = "20us"
"""
FLOWS = SCENARIO.replace('pattern = "uniform"\nload = 0.3', 'pattern = "shift"\noffset = 1\nbytes = "20kB"').replace(
    'duration = "20us"', 'until = "flows"')


class Case:
    """`words`: arguments of weir, or one shell command in which $W is weir. `leaves`: a pattern of
    files that may be new afterwards; everything else that a command leaves behind is a failure."""

    def __init__(self, name, words, code, says="", files=None, silent=None, leaves=r"$^", memory_mb=1024, seconds=20,
                 check=None):
        self.name, self.words, self.code, self.says, self.files = name, words, code, says, files or {}
        self.silent, self.leaves, self.memory_mb, self.seconds, self.check = silent, leaves, memory_mb, seconds, check

    def run(self, weir, limited=True):
        home = tempfile.mkdtemp(prefix="weir-hostile-")
        try:
            for path, content in {"s.toml": SCENARIO, "f.toml": FLOWS, **self.files}.items():
                full = os.path.join(home, path)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "wb") as stream:
                    stream.write(content if isinstance(content, bytes) else content.encode())
            return self._judge(weir, home, limited)
        finally:
            subprocess.run(["chmod", "-R", "u+rwX", home], check=False)
            shutil.rmtree(home, ignore_errors=True)

    def _limits(self):
        resource.setrlimit(resource.RLIMIT_AS, (self.memory_mb << 20, self.memory_mb << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def _judge(self, weir, home, limited):
        before = tree(home)
        words = ["bash", "-c", self.words] if isinstance(self.words, str) else [weir, *self.words]
        start = time.monotonic()
        try:
            done = subprocess.run(words, cwd=home, env=dict(os.environ, W=weir, WEIR=weir), stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=self.seconds,
                                  preexec_fn=self._limits if limited else None)
        except subprocess.TimeoutExpired:
            return f"is not done after {self.seconds} s", "", time.monotonic() - start
        took = time.monotonic() - start
        text = done.stdout.decode(errors="replace")
        wrong = []
        if done.returncode != self.code:
            wrong.append(f"exit {done.returncode}, not {self.code}")
        if not re.search(self.says, text):
            wrong.append(f"does not say /{self.says}/")
        if self.silent and re.search(self.silent, text):
            wrong.append(f"says /{self.silent}/")
        left = sorted(path for path in tree(home) - before if not re.match(self.leaves, path))
        if left:
            wrong.append(f"leaves {', '.join(left[:5])}")
        if self.check and not wrong:
            wrong += [found for found in [self.check(home, text)] if found]
        return "; ".join(wrong), text, took


def tree(home):
    return {os.path.relpath(os.path.join(folder, name), home)
            for folder, names, files in os.walk(home) for name in names + files}


def sets(scenario, *overrides):
    words = ["run", scenario, "--out", "o"]
    for override in overrides:
        words += ["--set", override]
    return words
