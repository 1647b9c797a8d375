#!/usr/bin/env python3
# Every command that README.md, docs/*.md and the help texts print is run as it is printed, in a scratch copy: commands
# in blocks, commands within sentences, SQL in blocks, the examples of `weir list`, and what `weir calibrate` prints.
#
# usage: commands_check.py WEIR [--list]     --list: only say which commands there are
#
# What cannot be run as printed stands in the tables below, with the reason: words that stand for something, shorter
# forms of what takes minutes, and the few that are not run at all. An entry that no text needs any longer is an error.
import csv
import glob
import io
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LIMIT_S = 300
COUNTED_LIDS = range(11, 26)  # of cluster.topo

# Words that stand for something of the reader's own.
PLACEHOLDERS = {
    "FILE": "cluster.topo", "SCENARIO": "scenarios/hotspot.toml", "S.toml": "scenarios/incast.toml",
        "X": "scenarios/ring.toml",
    "NAME": "renato", "DIR": "results/dir", "RESULT": "results/hotspot-compare", '"SELECT ..."': '"SELECT * FROM runs"',
    "L.csv": "scenarios/rates/links.csv", "P.csv": "scenarios/rates/paths.csv",
}
# Where the same word stands for something else.
INSTEAD = {
    "weir sweep S.toml --out FILE": "weir sweep scenarios/load.toml --repetitions 1 --out results/file.sqlite",
    'weir query FILE "..." --format csv': 'weir query results/load-sweep.sqlite "SELECT label FROM runs" --format csv',
    "weir reproduce --from FILE --report": "weir reproduce --from reproduction.json --report --out results/book",
}
# (what is printed, what is run, why)
SHORTER = [
    (r"^(weir reproduce(?! .*--(from|list)\b).*)$", r"\1 --list",
        "figures take minutes to hours; ./check --full runs them"),
    (r"^weir bench.*$", "weir bench --quick --flow", "a measurement of minutes"),
    (r"^(weir compare roce.toml)$", r"\1 --set traffic.websearch.stop=500us", "20 s; the schemes are the same"),
    (r"^(weir calibrate roce.toml)$", r"\1 --set traffic.websearch.stop=500us --seeds 1", "a minute"),
    (r"^(weir calibrate .*dcqcn)$", r"\1 --seeds 1", "a fifth of the runs"),
    (r"^(weir calibrate (?!roce).*)$", r"\1 --trips 20 --steps 3", "20 s; the search is the same"),
    (r"^mpirun -n 65 ", "mpirun --allow-run-as-root --oversubscribe -n 3 ", "this machine has no 65 cores"),
    (r"^mpirun -n 4 (.*)$", r"mpirun --allow-run-as-root --oversubscribe -n 2 \1 --set run.max_time=20us",
     "this machine may have no 4 cores"),
    (r"^(weir manage (?!.*--replay).*)$",
     r'weir fabric cluster.topo --up --lockstep --exec "\1 --lockstep \\$IBSIM_SOCKNAME --until 40s"',
     "this machine has no InfiniBand device; a served fabric stands in for one"),
    (r"^(weir diagnose --live .*)$",
     r'weir fabric cluster.topo --up --lockstep --exec "\1 --lockstep \\$IBSIM_SOCKNAME || test \\$? = 1"',
     "this machine has no InfiniBand device; a served fabric stands in for one, without traffic: no conclusion"),
    (r"^(weir compare scenarios/every-scheme.toml)$", r"\1 --set traffic.hot.packets=300 --set run.max_time=700us",
     "40 s of CPU; all fifteen run"),
    (r"^(weir run scenarios/hotspot.toml --set scheme.name=[\w-]+)$", r"\1 --set run.max_time=50us --out results/try",
     "one for each of 15 schemes"),
]
NOT_RUN = {
    "./check": "this test is part of it",
    "./check --full": "this test is part of it",
    "npm install --no-save --prefix web && npm run --prefix web build": "./check builds the page and compares it",
    "weir result 1": "the first line of a file, no command",
    "mpirun --enable-recovery": "an option of another program",
}
# An option that a sentence names together with its command; the option must exist.
OPTION_ONLY = {"weir rates --flows", "weir run --set ...", 'weir fabric --tell "..."'}
# Commands that need a library which stands in for a device.
ON_FABRIC = re.compile(r"^weir fabric ")
# Commands that would go on for ever: they are asked for their page, then ended.
SERVERS = re.compile(r"^weir (view |run .*--live)")
QUERY = re.compile(r"^weir query ")
COMMAND_WORDS = re.compile(
    r"^(\./)?((weir|mpirun|sbatch|npm) .|check$|check |ibnetdiscover >|dump_lfts >|(tests|tools|share)/)")


class Failure(Exception):
    pass


def joined_lines(lines):
    text = "\n".join(lines).replace("\\\n", " ")
    return [re.sub(r"\s+", " ", line).strip() for line in text.split("\n")]


def commands_of_markdown(path):
    """(where, command) for every command of a page; (where, SQL) apart."""
    commands, queries = [], []
    lines = open(path, encoding="utf-8").read().split("\n")
    name = os.path.relpath(path, ROOT)
    block, kind, start = None, "", 0
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            if block is None:
                block, kind, start = [], line[3:].strip(), number
                continue
            if kind == "sql":
                queries.append((f"{name}:{start}", "\n".join(block)))
            elif kind in ("", "sh"):
                commands += [(f"{name}:{start}", text) for text in joined_lines(block)
                             if text and (kind == "sh" or COMMAND_WORDS.match(text))]
            block = None
        elif block is not None:
            block.append(line)
        elif line.startswith("    "):
            if COMMAND_WORDS.match(line.strip()):
                commands.append((f"{name}:{number}", re.sub(r"\s{2,}#.*", "", line.strip())))
        else:
            for code in re.findall(r"`([^`]+)`", line):
                if COMMAND_WORDS.match(code):
                    commands.append((f"{name}:{number}", code))
    return commands, queries


def commands_of_help(weir):
    """Examples are lines that begin with a command; what is said about one stands behind two blanks."""
    subcommands = re.findall(r"^  (\w+) {2,}", subprocess.run([weir, "--help"], capture_output=True, text=True,
                                                             check=True).stdout.split("Commands:")[1], re.M)
    if len(subcommands) < 12:
        raise Failure(f"the help names only {subcommands}")
    listed = subprocess.run([weir, "list", "schemes"], capture_output=True, text=True, check=True).stdout
    schemes = re.findall(r"^([\w-]+) +(?:available|standard|research|ideal) {2,}", listed, re.M)
    texts = [["--help"]] + [["help", name] for name in subcommands] + [["list", "schemes", name] for name in schemes]
    found = []
    for words in texts:
        answer = subprocess.run([weir, *words], capture_output=True, text=True, check=True).stdout
        for line in re.sub(r" \\\n *", " ", answer).split("\n"):  # long commands go on behind a backslash
            if line.startswith("  ") and COMMAND_WORDS.match(line.strip()):
                found.append(("weir " + " ".join(words), re.split(r"\s{2,}", line.strip())[0]))
    return found, schemes


class Scratch:
    def __init__(self, weir):
        self.home = tempfile.mkdtemp(prefix="weir-commands-")
        self.used, self.ran = set(), set()
        for folder in ("scenarios", "reproduce", "docs"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(self.home, folder))
        os.symlink(weir, os.path.join(self.home, "weir"))
        mpi = os.path.join(os.path.dirname(weir), "weir-mpi")
        if os.path.exists(mpi):
            os.symlink(mpi, os.path.join(self.home, "weir-mpi"))
        shutil.copy(os.path.join(ROOT, "tests/network/data/small.ibnetdiscover"), os.path.join(self.home,
            "cluster.topo"))
        # Programs of a cluster that this machine may not have; a job script must at least be one.
        self.program("ibnetdiscover", f'cat "{ROOT}/tests/network/data/small.ibnetdiscover"')
        self.program("dump_lfts", "weir topo cluster.topo --export lfts")
        self.program("sbatch", 'bash -n "$1"')
        self.environment = dict(os.environ, PATH=self.home + ":" + os.environ["PATH"] + ":/usr/sbin")
        self.write("flows.csv", "src,dst\n0,1\n")
        self.run("dump_lfts > cluster.lfts")
        self.write("policy.toml", "[thresholds]\nwait = 1e6\ncongestion = 1e6\ndata = 1e6\n")
        self.write("telemetry.txt", "weir recording 1\n" + "".join("|" + line for line in open(
            os.path.join(self.home, "cluster.topo"), encoding="utf-8")) +
            "".join(f"sweep {at} 6\n" + "".join(f"a01 {port} {wait} - {data}\n" for port in (1, 2, 3, 19, 20, 21))
                    for at, wait, data in ((0, 5, 7), (1000000000000, 6, 9))))
        for name, words in (("before.txt", 0), ("after.txt", 1000)):
            self.write(name, "".join(f"# Port extended counters: Lid {lid} port {port} (x)\nPortXmitData:..{words}\n"
                                     f"PortRcvData:..0\nPortXmitWait:..{words}\n"
                                     for lid in COUNTED_LIDS for port in range(1, 37)))
        self.run("weir rates --links scenarios/rates/links.csv --paths scenarios/rates/paths.csv --algorithm ffa --out "
            "R.csv")
        self.run("weir reproduce zdornov2009/fig-1.1 --quick --json reproduction.json")

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def program(self, name, body):
        self.write(name, "#!/bin/sh\n" + body + "\n")
        os.chmod(os.path.join(self.home, name), 0o755)

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.home, env=self.environment, capture_output=True,
            text=True,
                              timeout=LIMIT_S)
        if done.returncode != 0:
            raise Failure(f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
        return done.stdout

    def look_at(self, command):
        """Starts a server, reads its page and its end."""
        with subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.home, env=self.environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as server:
            try:
                printed, address, until = "", None, time.time() + 60
                while not address and time.time() < until:
                    line = server.stdout.readline()
                    printed += line
                    address = re.search(r"http://127\.0\.0\.1:\d+/", printed)
                    if not line and server.poll() is not None:
                        break
                if not address:
                    raise Failure(f"no address: {printed.strip()[-600:]}")
                page = urllib.request.urlopen(address.group(0), timeout=30).read().decode()
                if 'id="weir-data"' not in page:
                    raise Failure("the page holds no report")
            finally:
                server.send_signal(signal.SIGINT)
                try:
                    server.wait(20)
                except subprocess.TimeoutExpired:
                    server.kill()
                    raise Failure("did not end within 20 s of Ctrl-C")

    def ask(self, command):
        """A printed query answers with rows that can be told apart."""
        self.run(command)
        bare = re.sub(r" --format \w+", "", command)
        rows = list(csv.reader(io.StringIO(self.run(bare + " --format csv"))))[1:]
        if not rows:
            raise Failure("answers with no row at all")

        def names(row):
            return tuple(cell for cell in row if not re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", cell))
        seen = {}
        for row in rows:
            if names(row) in seen:
                raise Failure(f"two rows with the same names: {row} and {seen[names(row)]}")
            seen[names(row)] = row

    def as_run(self, command):
        text = re.sub(r"^\./weir\b", "weir", command)
        if text in INSTEAD:
            self.used.add(text)
            return INSTEAD[text]
        for word, meaning in PLACEHOLDERS.items():
            pattern = rf'(?<![\w."/]){re.escape(word)}(?![\w."/])'
            if re.search(pattern, text):
                self.used.add(word)
                text = re.sub(pattern, meaning, text)
        for pattern, replacement, _ in SHORTER:
            if re.search(pattern, text):
                self.used.add(pattern)
                return re.sub(pattern, replacement, text)
        return text

    def try_one(self, command):
        if command in NOT_RUN:
            self.used.add(command)
            return "not run"
        if command in OPTION_ONLY:
            self.used.add(command)
            _, name, option = command.split()[:3]
            if option not in self.run(f"weir help {name}"):
                raise Failure(f"{name} has no {option}")
            return "option"
        if re.match(r"^(tests|tools|share)/", command):
            path = os.path.join(ROOT, command.split()[0])
            if not os.path.exists(path) or ("." not in command and not os.path.isdir(path) and not os.access(path,
                os.X_OK)):
                raise Failure("there is no such file or program")
            return "exists"
        text = self.as_run(command)
        if text in self.ran:
            return text
        self.ran.add(text)
        if re.fullmatch(r"weir \w+", text):  # a command by name
            self.run(f"weir help {text.split()[1]}")
        elif text.startswith("mpirun") and not shutil.which("mpirun"):
            return "no mpirun here"
        elif ON_FABRIC.match(text) and not (glob.glob("/usr/lib/*/umad2sim/libumad2sim.so") and shutil.which("opensm",
                path=self.environment["PATH"])):
            return "no opensm or libumad2sim here"
        elif SERVERS.match(text):
            self.look_at(text)
        elif QUERY.match(text):
            self.ask(text)
        else:
            self.run(text)
        return text


def fragments_of_calibrate(scratch):
    """What `weir calibrate` prints for a scenario can be put into it; where there is nothing to print it says so."""
    for name in sorted(os.listdir(os.path.join(ROOT, "scenarios"))):
        if not name.endswith(".toml"):
            continue
        command = f"weir calibrate scenarios/{name} --trips 10 --steps 3"
        done = subprocess.run(["bash", "-c", command], cwd=scratch.home, env=scratch.environment, capture_output=True,
                              text=True, timeout=LIMIT_S)
        if done.returncode == 2 and "thresholds and windows of mvcm" in done.stderr:
            continue
        if done.returncode == 2 and "cannot run in this scenario" in done.stderr:
            continue
        if done.returncode != 0:
            yield command, f"exit {done.returncode}: {done.stderr.strip()[-300:]}"
            continue
        values = dict(re.findall(r'^(\w+) = "?([^"\n]+?)"?(?:  #.*)?$', done.stdout.split("[scheme]")[1], re.M))
        sets = " ".join(f"--set scheme.{key}={value}" for key, value in values.items())
        try:
            scratch.run(f"weir run scenarios/{name} {sets} --set run.max_time=20us --out results/calibrated")
        except Failure as failure:
            yield command + ", then its own values", str(failure)


def main(arguments):
    weir = os.path.abspath(arguments[0])
    pages = [os.path.join(ROOT, "README.md")] + sorted(
        os.path.join(ROOT, "docs", name) for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md"))
    commands, queries = [], []
    for page in pages:
        found, asked = commands_of_markdown(page)
        commands += found
        queries += asked
    found, schemes = commands_of_help(weir)
    commands += found
    if "--list" in arguments:
        for where, command in commands:
            print(f"{where}: {command}")
        return 0
    scratch = Scratch(weir)
    failures, done = [], {}
    try:
        # Results that sentences refer to are made by the blocks, wherever they stand.
        order = sorted(commands, key=lambda c: bool(re.match(r"^(\./)?weir (view|query)", c[1])))
        for where, command in order:
            key = re.sub(r"^\./weir\b", "weir", command)
            if key in done:
                continue
            start = time.time()
            try:
                done[key] = scratch.try_one(command)
            except (Failure, subprocess.TimeoutExpired, OSError) as failure:
                done[key] = "failed"
                failures.append(f"{where}: {command}\n    {failure}")
            print(f"{time.time() - start:6.1f} s  {where}: {command}" +
                  (f"  [{done[key]}]" if done[key] not in (key, command) else ""), flush=True)
        for where, query in queries:
            result = "results/load-sweep.sqlite" if "sweeps.md" in where else "results/hotspot-compare"
            answer = subprocess.run([weir, "query", result, query, "--format", "csv"], cwd=scratch.home,
                capture_output=True,
                                    text=True, timeout=LIMIT_S)
            print(f"          {where}: SQL, {len(answer.stdout.splitlines()) - 1} rows")
            if answer.returncode != 0 or len(answer.stdout.splitlines()) < 2:
                failures.append(f"{where}: the query gives {answer.stderr.strip() or 'no row'}")
        failures += [f"{command}\n    {text}" for command, text in fragments_of_calibrate(scratch)]
        wanted = set(PLACEHOLDERS) | set(INSTEAD) | set(NOT_RUN) | OPTION_ONLY | {pattern for pattern, _, _ in SHORTER}
        failures += [f"the exception for `{entry}` is needed no longer" for entry in sorted(wanted - scratch.used)]
    finally:
        shutil.rmtree(scratch.home, ignore_errors=True)
    for failure in failures:
        print("FAILED " + failure)
    print(f"note: {len(done)} commands and {len(queries)} queries, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
