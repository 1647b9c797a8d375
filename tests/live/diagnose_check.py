#!/usr/bin/env python3
# How well `weir diagnose` finds the roots of congestion and their victims. Hot spots are drawn at random on an imported
# fabric, which is served to the real perfquery; diagnose sees its output and nothing else.
#
# The truth comes from the traffic that was drawn and from what of it arrived:
#   root    a link that is asked for more than it can carry, by links that can bring it, and carries as much as it can;
#           links that are asked for 97 to 103 % are counted apart
#   victim  a port on the way of a flow that lacks bytes: before the first root, or, where the flow crosses none, before
#           another victim (they share a link, and its packets stand behind those for the root)
# usage: diagnose_check.py WEIR [FABRIC DRAWS SEED]    without the last three: the draws of the test
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from served import FULL, TREE, Failure, Scratch, expect, need

# Dumps of real fabrics, which are not part of the project.
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "shared", "data", "ibnetdiscover")
PACKET = 2048
# A link carries some 7,000 packets between the two readings. Their number is random: 3 % are 2.5 standard deviations.
# A link that is asked for so much, more or less, may be overloaded or not.
CHANCE = 0.03
MOST_FLOWS, MOST_SENDERS = 1000, 100  # each flow is a class of its own, of which there are so many
WARM, END, RATE = 2e-3, 5e-3, 32e9  # seconds on links of this rate; faster ones send as many packets in less
SCENARIO = """[topology]
kind = "file"
path = "fabric.topo"
[link]
delay = "50ns"
[packet]
payload = ["2KiB"]
[switch]
buffer = "32KiB"
arbitration = "round-robin"
[run]
until = "duration"
duration = "{end:.1f}us"
warmup = "{warm:.1f}us"
[measure]
frames = 0
"""
TRAFFIC = """[[traffic]]
pattern = "hotspot"
class = "{number}"
target = {target}
hosts = [{source}]
rate = "{rate:.0f}bps"
"""
CABLE = r'^\[(\d+)\](?:\(\w+\))?\s+"([SH])-([0-9a-f]+)"\[(\d+)\](.*?)(\d+)x(\w+)$'


class Fabric:
    """Nodes, cables and routes, read from what weir exports of the file. A switch is its GUID; each port of an adapter
    is a host, which is (GUID, port). A port is (node, number)."""

    def __init__(self, topo, lfts):
        self.name, self.lid, self.cables, self.rate, self.table, self.out = {}, {}, {}, {}, {}, {}
        for block in re.split(r"\n(?=(?:Switch|Ca)\s)", topo)[1:]:
            kind, guid, name = re.match(r'(Switch|Ca)\s+\d+\s+"[SH]-([0-9a-f]+)"\s+# "([^"]*)"', block).groups()
            guid = int(guid, 16)
            cables = re.findall(CABLE, block, re.M)
            if kind == "Switch":
                self.name[guid], self.table[guid] = name, {}
                self.lid[guid] = int(re.search(r"\blid (\d+) lmc", block).group(1))
            for number, to, there, to_number, between, lanes, speed in cables:
                number, there, to_number = int(number), int(there, 16), int(to_number)
                here = guid if kind == "Switch" else (guid, number)
                if kind == "Ca":
                    self.name[here] = name if len(cables) == 1 else f"{name}/P{number}"
                    self.lid[here] = int(re.search(r"# lid (\d+)", between).group(1))
                    self.out[here] = (here, number)
                self.cables[here, number] = (there if to == "S" else (there, to_number), to_number)
                self.rate[here, number] = int(lanes) * SPEEDS[speed]
        for block in re.split(r"(?=^Unicast lids )", lfts, flags=re.M)[1:]:
            here = int(re.search(r" guid 0x([0-9a-f]+)", block).group(1), 16)
            entries = re.findall(r"^0x([0-9a-f]+) (\d+) :", block, re.M)
            self.table[here] = {int(lid, 16): int(port) for lid, port in entries}
        # As weir numbers them: by switch and port.
        self.hosts = [self.cables[port][0] for switch in self.table for port in sorted(self.ports(switch))
                      if self.cables[port][0] not in self.table]

    def ports(self, node):
        return [port for port in self.cables if port[0] == node]

    def port_of(self, entry):
        """A port of diagnose's answer, by its GUID: names need not differ."""
        guid, number = int(entry["guid"], 16), entry["port"]
        return (guid if guid in self.table else (guid, number), number)

    def path(self, source, target):
        """Ports that send, from the host's own on."""
        port = self.out[source]
        path = [port]
        while (node := self.cables[port][0]) != target:
            port = (node, self.table[node][self.lid[target]])
            path.append(port)
            expect(len(path) < 64, "routes go round")
        return path


SPEEDS = {"SDR": 2e9, "DDR": 4e9, "QDR": 8e9, "FDR10": 10e9, "FDR": 13.64e9, "EDR": 25e9, "HDR": 50e9, "NDR": 100e9}


def draw(dice, hosts, rate):
    """Flows (source, target, bit/s) between numbers of hosts: hot spots, others that are only busy, background."""
    flows, sends = [], [0.0] * hosts

    def add(source, target, speed):
        speed = min(speed, 0.9 * rate - sends[source])
        if source != target and speed > 0.01 * rate:
            sends[source] += speed
            flows.append((source, target, speed))

    for least, most, count in ((1.1, 3.0, dice.choice([0, 1, 1, 2, 3])), (0.3, 0.85, dice.choice([0, 1, 2]))):
        for _ in range(count):
            senders = dice.sample(range(hosts), dice.randint(3, min(max(4, hosts // 6), MOST_SENDERS)))
            total, target = dice.uniform(least, most) * rate, dice.randrange(hosts)
            for source in senders:
                add(source, target, total / len(senders))
    for _ in range(min(int(dice.uniform(0.3, 1.2) * hosts), MOST_FLOWS - len(flows))):
        add(dice.randrange(hosts), dice.randrange(hosts), dice.uniform(0.02, 0.3) * rate)
    return flows


def true_roots(fabric, paths, flows, results):
    """Links that are asked for more than they can carry, by links that can bring it, and carry as much as they can; and
    those of which that cannot be said, since arrivals are random."""
    asked, carried = {}, {}
    for path, (_, _, speed), row in zip(paths, flows, results):
        for before, port in zip(path, path[1:]):
            asked.setdefault(port, {}).setdefault(before, 0)
            asked[port][before] += speed
            carried[port] = carried.get(port, 0) + float(row["window_throughput_bps"])
    brought = {port: sum(min(speed, fabric.rate[before]) for before, speed in inputs.items())
               for port, inputs in asked.items()}
    share = {port: brought[port] / fabric.rate[port] for port in brought if carried[port] > 0.95 * fabric.rate[port]}
    return ({port for port in share if share[port] > 1},
            {port for port in share if abs(share[port] - 1) < CHANCE})


def truth(fabric, flows, results):
    """(roots, ports that may be roots or not, victims), as sets."""
    paths = [fabric.path(source, target) for source, target, _ in flows]
    roots, unclear = true_roots(fabric, paths, flows, results)
    lacking = [path for path, row in zip(paths, results)
               if int(row["generated_bytes"]) - int(row["received_bytes"])
               > 0.02 * int(row["generated_bytes"]) + 10 * PACKET]
    held = set()
    while True:
        before = len(held)
        for path in lacking:
            stops = roots if any(port in roots for port in path) else held
            held.update(path[:next((i for i, port in enumerate(path) if port in stops), 0)])
        if len(held) == before:
            return roots, unclear, held - roots


def one_draw(s, fabric, dice, options=()):
    """What diagnose says about one draw, beside the truth: (found, true) of all roots, of those without the unclear
    ones, and of victims."""
    rate = min(fabric.rate[port] for port in fabric.cables if port[0] not in fabric.table)
    warm, end = (time * min(1.0, RATE / rate) for time in (WARM, END))
    flows = draw(dice, len(fabric.hosts), rate)
    s.write("draw.toml", SCENARIO.format(warm=warm * 1e6, end=end * 1e6) + "".join(
        TRAFFIC.format(number=i, target=target, source=source, rate=speed)
        for i, (source, target, speed) in enumerate(flows)))
    ports = {}
    for node, port in fabric.cables:
        ports.setdefault(fabric.lid[node], []).append(str(port))
    asked = " ".join(f"{lid}:{','.join(numbers)}" for lid, numbers in ports.items())
    # Once in thousands of times perfquery crashes at its end, in libumad2sim: then it is asked again.
    reading = f"for at in {asked}; do ask() {{ perfquery ${{at%:*}} ${{at#*:}}; }}; ask || ask; done >NAME\n"
    s.serve("draw.toml", f"weir fabric --tell 'until {warm * 1e6:.1f}us'\n" + reading.replace("NAME", "before") +
            f"weir fabric --tell 'until {end * 1e6:.1f}us'\n" + reading.replace("NAME", "after"),
            "--up", "--lockstep", "--out", "out")
    text = s.run("weir", "diagnose", "fabric.topo", "before", "after", "--seconds", str(end - warm), "--wait-bytes",
                 "128", "--json", "answer.json", *options, code=(0, 1))  # 1: where nobody waits
    lines = text.rstrip("\n").split("\n")
    expect(len(lines) <= 24 and max(map(len, lines)) <= 80, f"{len(lines)} lines:\n{text}")
    answer = json.loads(s.read("answer.json"))
    results = {row["class"]: row for row in rows_of(s, "classes.csv")}
    named = [(fabric.hosts[source], fabric.hosts[target], speed) for source, target, speed in flows]
    roots, unclear, victims = truth(fabric, named, [results[str(i)] for i in range(len(flows))])
    found = {fabric.port_of(root) for root in answer["roots"]}
    held = {fabric.port_of(victim) for root in answer["roots"] for victim in root["held_back"]} - found
    return (found, roots), (found - unclear, roots - unclear), (held, victims)


def rows_of(s, name):
    with open(os.path.join(s.home, "out", name), encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


class Score:
    def __init__(self):
        self.right = self.found = self.true = 0

    def add(self, found, true):
        self.right += len(found & true)
        self.found += len(found)
        self.true += len(true)

    def precision(self):
        return self.right / self.found if self.found else 1.0

    def recall(self):
        return self.right / self.true if self.true else 1.0

    def __str__(self):
        return (f"precision {self.precision():.3f}, recall {self.recall():.3f} ({self.found} found, {self.true} true, "
                f"{self.right} in both)")


def read_fabric(s):
    return Fabric(s.run("weir", "topo", "fabric.topo", "--export", "ibnetdiscover"),
                  s.run("weir", "topo", "fabric.topo", "--export", "lfts"))


def measure(weir, topo, draws, seed, k=6, verbose=False):
    all_roots, roots, victims = Score(), Score(), Score()
    s = Scratch(weir, in_memory=True)  # some 300 perfquery per draw
    s.environment["COLUMNS"] = "80"
    try:
        if topo is None:
            s.write("tree.toml", TREE.format(k=k))
            s.serve("tree.toml", "ibnetdiscover >fabric.topo\n", "--up")
        else:
            shutil.copy(topo, os.path.join(s.home, "fabric.topo"))
        fabric = read_fabric(s)
        if len(set(fabric.lid.values())) < len(fabric.lid):  # ports that were down when the file was made have no LID
            s.serve("fabric.topo", "ibnetdiscover >complete.topo\n", "--up")
            shutil.move(os.path.join(s.home, "complete.topo"), os.path.join(s.home, "fabric.topo"))
            fabric = read_fabric(s)
        for number in range(draws):
            every, of_roots, of_victims = one_draw(s, fabric, random.Random(f"{seed}/{number}"))
            all_roots.add(*every)
            roots.add(*of_roots)
            victims.add(*of_victims)
            if verbose:
                tell(fabric, number, every, of_victims)
    finally:
        shutil.rmtree(s.home, ignore_errors=True)
    name = os.path.basename(topo) if topo else f"a tree of {k * k} hosts"
    print(f"{name}, {draws} draws, seed {seed}\n  roots:   {all_roots}\n"
          f"   without those asked for 97 to 103 %: {roots}\n  victims: {victims}", flush=True)
    return roots, victims


def tell(fabric, number, of_roots, of_victims):
    names = lambda ports: ", ".join(sorted(f"{fabric.name[node]}:{port}" for node, port in ports)) or "-"
    for what, (found, true) in (("roots", of_roots), ("victims", of_victims)):
        print(f"  {number}: {what}: {len(found & true)} right; wrong: {names(found - true)}; missed: "
              f"{names(true - found)}", flush=True)


def judge(roots, victims):
    for score, goal, what in ((roots, 0.95, "roots"), (victims, 0.9, "victims")):
        expect(score.precision() >= goal and score.recall() >= goal, f"{what}: {score}, and the goal is {goal}")


def main(arguments):
    need("perfquery")
    weir = os.path.abspath(arguments[0])
    if len(arguments) > 1:
        measure(weir, arguments[1] if arguments[1] != "tree" else None, int(arguments[2]), arguments[3], verbose=True)
        return 0
    try:
        judge(*(measure(weir, None, 30, 21) if FULL else measure(weir, None, 2, 1, k=4)))
        topo = os.path.join(DATA, "qdr-144-hosts.topo")
        if FULL and not os.path.exists(topo):
            print(f"left out: {topo} is not there")
        elif FULL:
            # 20 draws have some 38 roots, and two that are missed would decide: so 100 draws. The seed was not used
            # when the rule was made.
            judge(*measure(weir, topo, 100, 31))
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"FAILED diagnose: {failure}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
