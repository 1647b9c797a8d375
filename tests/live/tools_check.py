#!/usr/bin/env python3
# A served fabric and real InfiniBand tools: opensm, the diagnostics, and weir's own manager, all of them unmodified
# programs that take the fabric for a device.
#
# usage: tools_check.py WEIR CASE      exit 77, with the reason, where Debian's packages are missing
import contextlib
import csv
import glob
import os
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

FULL = os.environ.get("WEIR_TEST_SCALE") == "full"
TREE = """[topology]
kind = "k-ary-n-tree"
k = {k}
n = 2
[link]
rate = "100Gbps"
delay = "10ns"
"""
OPENSM = """force_log_flush TRUE
congestion_control TRUE
cc_sw_cong_setting_control_map 0x15
cc_sw_cong_setting_victim_mask 0x0
cc_sw_cong_setting_threshold 0x0e
cc_sw_cong_setting_packet_size 4
cc_sw_cong_setting_marking_rate 7
cc_ca_cong_setting_port_control 0
cc_ca_cong_setting_control_map 0x1
cc_ca_cong_setting_ccti_timer 0 75
cc_ca_cong_setting_ccti_increase 0 2
cc_ca_cong_setting_trigger_threshold 0 1
cc_ca_cong_setting_ccti_min 0 0
cc_cct 0:0,0:1,0:2,0:3
"""
WAIT_FOR_OPENSM = """
opensm -F opensm.conf -f $PWD/osm.log {options} >osm.out 2>&1 &
sm=$!
i=0
until grep -q 'SUBNET UP' osm.log 2>/dev/null; do
  i=$((i+1)); [ $i -gt 600 ] && { echo 'opensm does not come up'; tail -n 5 osm.log; tail -n 5 osm.out; exit 1; }
  kill -0 $sm || { echo 'opensm has ended'; tail -n 5 osm.out; exit 1; }
  sleep 0.05
done
"""


class Failure(Exception):
    pass


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            print(f"skipped: {program} is not installed (Debian packages opensm, infiniband-diags)")
            sys.exit(77)
    if not glob.glob("/usr/lib/*/umad2sim/libumad2sim.so"):
        print("skipped: libumad2sim is not installed (Debian package ibsim-utils)")
        sys.exit(77)


class Scratch:
    def __init__(self, weir):
        self.weir = weir
        self.home = tempfile.mkdtemp(prefix="weir-live-")
        os.symlink(weir, os.path.join(self.home, "weir"))
        self.environment = dict(os.environ, PATH=self.home + ":" + os.environ["PATH"] + ":/usr/sbin")

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def read(self, name):
        with open(os.path.join(self.home, name), encoding="utf-8") as stream:
            return stream.read()

    def run(self, *words, code=0, limit=300):
        done = subprocess.run(words, cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=limit)
        if done.returncode != code:
            raise Failure(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout + done.stderr

    def serve(self, scenario, script, *options, code=0):
        self.write("script.sh", script)
        return self.run("weir", "fabric", scenario, *options, "--exec", "sh -e ./script.sh", code=code)


def opensm(options=""):
    """Lines of a script that start it and wait until the subnet is up."""
    return WAIT_FOR_OPENSM.replace("{options}", options)


def expect(condition, what):
    if not condition:
        raise Failure(what)


def case_opensm(s):
    """opensm configures 1024 hosts and 64 switches; all tools agree about what is there."""
    need("opensm", "ibnetdiscover", "ibccquery", "ibccconfig", "saquery", "ibtracert", "dump_lfts", "perfquery")
    k = 32 if FULL else 8
    s.write("tree.toml", TREE.format(k=k))
    s.write("opensm.conf", OPENSM)
    began = time.time()
    s.serve("tree.toml", opensm() + f"""
date +%s.%N >up
ibnetdiscover >net.topo
dump_lfts >net.lfts 2>/dev/null
switch=$(sed -n 's/^Switch.*lid \\([0-9]*\\) lmc.*/\\1/p' net.topo | head -1)
host=$(sed -n 's/^\\[1\\](.*# lid \\([0-9]*\\) lmc.*/\\1/p' net.topo | sed -n 1p)
other=$(sed -n 's/^\\[1\\](.*# lid \\([0-9]*\\) lmc.*/\\1/p' net.topo | tail -1)
ibccquery SwitchCongestionSetting $switch >cc-switch
ibccquery CACongestionSetting $host >cc-host
ibccquery CongestionControlTable $host >cc-table
ibccquery CongestionInfo $host >cc-info
ibccquery CongestionLog $switch >cc-log
ibccquery Timestamp $switch >cc-time
ibccconfig SwitchPortCongestionSetting $switch 3 1 0 9 5 77
ibccquery SwitchPortCongestionSetting $switch 3 >cc-port
saquery $host >node
saquery --src-to-dst $host:$other >path
ibtracert $host $other >trace
perfquery -x $switch 1 >counters
perfquery --xmitcc $switch 1 >xmitcc
kill $sm
""")
    print(f"opensm up {float(s.read('up')) - began:.2f} s after the start of weir fabric")
    s.write("exported.topo", s.run("weir", "topo", "tree.toml", "--export", "ibnetdiscover"))
    cables = [cables_of(s.read(name)) for name in ("net.topo", "exported.topo")]
    expect(cables[0] == cables[1] and len(cables[0]) == 2 * k * k, "ibnetdiscover shows another fabric")
    # ibroute leaves out the highest LID where it is a multiple of 64.
    gaps = "min-hop" if (k * k + 2 * k) % 64 == 0 else "refuse"
    text = s.run("weir", "topo", "net.topo", "--check", "--set", "routing.kind=lft", "--set", "routing.path=net.lfts",
                 "--set", f"routing.gaps={gaps}")
    expect("default routes: free" in text, f"routes of opensm: {text}")
    for name, pattern in (("cc-switch", r"Threshold:\.+0x0?e\b"), ("cc-switch", r"Marking_Rate:\.+7\b"),
                          ("cc-switch", r"Packet_Size:\.+4\b"), ("cc-host", r"CCTI_Timer:\.+75\b"),
                          ("cc-host", r"CCTI_Increase:\.+2\b"), ("cc-table", r"CCTI_Limit:\.+3\b"),
                          ("cc-table", r"CCT_Multiplier:\.+3\b"), ("cc-port", r"Cong_Parm_Marking_Rate:\.+77\b"),
                          ("cc-port", r"Threshold:\.+0x0?9\b"), ("cc-info", "CongestionInfo"), ("cc-log", "LogType"),
                          ("cc-time", "Timestamp"), ("counters", "PortXmitWait"), ("xmitcc", "PortXmitTimeCong")):
        expect(re.search(pattern, s.read(name)), f"{name} has no {pattern}:\n{s.read(name)}")
    expect("Channel Adapter" in s.read("node") and "PathRecord" in s.read("path"), "saquery finds no node or no path")
    expect(s.read("trace").count("\n") >= 4, f"ibtracert:\n{s.read('trace')}")


HOTSPOT = """name = "hot"
[topology]
kind = "k-ary-n-tree"
k = 4
n = 2
[link]
rate = "100Gbps"
delay = "10ns"
[switch]
buffer = "16KiB"
[[traffic]]
name = "hot"
pattern = "hotspot"
target = 0
share = "40%"
load = 0.6
[[traffic]]
pattern = "uniform"
except = "hot"
load = 0.3
[scheme]
name = "cca"
[run]
until = "duration"
duration = "100us"
"""


def ports_csv(s, directory):
    with open(os.path.join(s.home, directory, "ports.csv"), encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def case_counters(s):
    """perfquery shows what ports.csv says at the end of the run. (PortXmitWait from the counters of 32 bits: umad2sim
    spoils the bytes in which the 64-bit one arrives.)"""
    need("perfquery")
    s.write("hot.toml", HOTSPOT)
    s.serve("hot.toml", """
weir fabric --tell 'until 1s' >end
for lid in $(seq 17 24); do for port in $(seq 1 8); do
  echo "lid $lid port $port"; perfquery -x $lid $port | grep -v Wait || true; perfquery $lid $port | grep Wait || true
done; done >counters
""", "--up", "--lockstep", "--out", "out")
    expect(s.read("end").strip() == "at 100000000", f"the end is {s.read('end')}")
    shown = {}
    for block in re.split(r"^lid ", s.read("counters"), flags=re.M)[1:]:
        lid, port = map(int, re.match(r"(\d+) port (\d+)", block).groups())
        values = dict(re.findall(r"^(Port\w+):\.*(\d+)", block, re.M))
        if "PortXmitData" in values:
            shown[lid, port] = values
    rows = sorted(ports_csv(s, "out"), key=lambda row: int(row["port"]))[16:]  # behind those of the hosts
    nodes = list(dict.fromkeys(row["node"] for row in rows))
    checked = moved = 0
    for row in rows:
        values = shown.get((17 + nodes.index(row["node"]), int(row["name"].rsplit(":", 1)[1]) + 1))
        if values is None:
            continue
        for counter in ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortXmitWait"):
            expect(values[counter] == row[counter], f"{row['name']}: {counter}\n{row}\n{values}")
            checked += 1
            moved += values[counter] != "0"
    expect(checked >= 100 and moved >= 60, f"{checked} counters compared, {moved} of which moved")
    print(f"{checked} counters equal, {moved} of which moved")


def case_routes(s):
    """Packets take the routes that opensm has written: every port counts what a run on these tables counts."""
    need("opensm", "dump_lfts")
    s.write("hot.toml", HOTSPOT)
    s.write("opensm.conf", "force_log_flush TRUE\n")
    for engine in ("minhop", "updn", "ftree"):
        s.serve("hot.toml", opensm(f"-R {engine}") + f"""
dump_lfts >{engine}.lfts 2>/dev/null
weir fabric --tell 'until 1s' >end
kill $sm
rm osm.log
""", "--lockstep", "--out", f"served-{engine}")
        lft = ("--set", "routing.kind=lft", "--set", f"routing.path={os.path.join(s.home, engine)}.lfts")
        s.run("weir", "run", "hot.toml", *lft, "--out", f"run-{engine}")
        verdict = s.run("weir", "topo", "hot.toml", "--check", *lft)
        expect("default routes: free" in verdict, f"{engine}: {verdict}")
        served, run = (ports_csv(s, f"{kind}-{engine}") for kind in ("served", "run"))
        expect(served == run, f"{engine}: ports count otherwise")
        expect(sum(int(row["PortXmitPkts"]) for row in run) > 1000, f"{engine}: hardly anything was sent")


# Experiment II of Mizero et al. 2017 with a thousandth of its times and bytes.
EXPERIMENT = """name = "experiment"
[topology]
kind = "graph"
hosts = ["X", "A", "Y", "B", "C", "D"]
switches = ["S1", "S2"]
links = [["X", "S1:11"], ["A", "S1:12"], ["S1:15", "S2:20", "32Gbps"],
         ["D", "S2:23"], ["Y", "S2:21"], ["B", "S2:22"], ["C", "S2:24"]]
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = ["2048B"]
[switch]
organisation = "voq-input"
arbitration = "round-robin"
buffer = "16KiB"
route_delay = "100ns"
switch_delay = "0ns"
[[traffic]]
name = "flows"
pattern = "flows"
list = [["B", "D", "18MiB", "0s"], ["X", "Y", "18MiB", "2ms"], ["C", "D", "18MiB", "5ms"], ["A", "D", "18MiB", "7ms"]]
[scheme]
name = "dcms"
threshold = 15
marking_rate = 128
ccti_timer = 75
cct_step = 3.25
jitter = 0.1
management = "out-of-band"
calm_period = "1.075ms"
period = "1.075ms"
answer_timeout = "100us"
wait_threshold = 27.4e3
congestion_threshold = 8e3
data_threshold = 25e3
low_limit = 6
[run]
until = "flows"
"""
POLICY = """[sweeps]
period = "1.075ms"
calm_period = "1.075ms"
answer_timeout = "100us"
[thresholds]
wait = 27.4e3
congestion = 8e3
data = 25e3
low_limit = 6
"""


def decisions_of_scheme(s, directory):
    """(time, port, low) from the result of a run."""
    names = {row["port"]: row["name"] for row in ports_csv(s, directory)}
    with contextlib.closing(sqlite3.connect(os.path.join(s.home, directory, "result.sqlite"))) as results:
        rows = results.execute("SELECT name, value FROM numbers WHERE name LIKE 'port %'").fetchall()
    found = [(re.match(r"port (\d+) (set low|back)", name), at) for name, at in rows]
    return sorted((f"{at:.6f}", names[match.group(1)], match.group(2) == "set low") for match, at in found)


def decisions_of_manager(text):
    found = re.findall(r"^([\d.]+) s: (\S+?:\d+)(?: is .*setting its|: .*gets back)(.*)$", text, re.M)
    return sorted((at, port, "Marking_Rate" in rest) for at, port, rest in found)


def case_manager(s):
    """In lockstep the manager does what the scheme does out of band, at the same simulated times."""
    need()
    s.write("experiment.toml", EXPERIMENT)
    s.write("policy.toml", POLICY)
    s.run("weir", "run", "experiment.toml", "--out", "scheme")
    s.serve("experiment.toml", "weir manage policy.toml --act --state state --record telemetry "
            "--lockstep $IBSIM_SOCKNAME >actions\n", "--up", "--lockstep", "--out", "served")
    wanted, got = decisions_of_scheme(s, "scheme"), decisions_of_manager(s.read("actions"))
    expect(len(wanted) >= 2, f"the scheme decides {wanted}")
    expect(wanted == got, f"scheme: {wanted}\nmanager: {got}\n{s.read('actions')}")
    expect(ports_csv(s, "scheme") == ports_csv(s, "served"), "the ports count otherwise")
    replayed = s.run("weir", "manage", "policy.toml", "--replay", "telemetry")
    expect(len(re.findall(r" low, since | back, since ", replayed)) == len(wanted), replayed)
    print(f"{len(wanted)} actions at equal times")


def case_killed(s):
    """What a manager that was killed has left is undone by the next one."""
    need("ibccquery")
    # Low from the first event to the end of the flows, which are ten times as long.
    s.write("experiment.toml", EXPERIMENT.replace("18MiB", "180MiB"))
    s.write("policy.toml", POLICY.replace("data = 25e3", "data = 1e18").replace("low_limit = 6", "low_limit = 1000000"))
    s.serve("experiment.toml", """
weir manage policy.toml --act --state state --lockstep $IBSIM_SOCKNAME >first 2>&1 &
manager=$!
i=0
until grep -q 'setting its' first; do
  i=$((i+1)); [ $i -gt 3000 ] && { cat first; exit 1; }
  sleep 0.01
done
# It says what it does before it does it.
until ibccquery SwitchPortCongestionSetting 8 23 >low && grep -q 'Valid:.*1' low; do
  i=$((i+1)); [ $i -gt 3000 ] && { cat first low; exit 1; }
  kill -0 $manager
done
kill -9 $manager
weir manage policy.toml --act --state state --lockstep $IBSIM_SOCKNAME --until 1us >second 2>&1
ibccquery SwitchPortCongestionSetting 8 23 >after
""", "--up", "--lockstep", "--out", "served")
    expect(re.search(r"Valid:\.+1\b", s.read("low")), f"not low when killed:\n{s.read('low')}{s.read('first')}")
    expect("is undone" in s.read("second"), s.read("second"))
    expect(re.search(r"Valid:\.+0\b", s.read("after")), f"not restored:\n{s.read('after')}")


def case_prometheus(s):
    """Debian's Prometheus scrapes a manager of a served fabric; all series are there."""
    need("prometheus")
    s.write("tree.toml", TREE.format(k=4))
    s.write("policy.toml", POLICY.replace("1.075ms", "300ms").replace("100us", "100ms"))
    port, own = free_port(), free_port()
    s.write("wait.py", WAIT_FOR_SERIES.replace("PORT", str(own)))
    s.write("prometheus.yml", "global:\n  scrape_interval: 500ms\nscrape_configs:\n  - job_name: weir\n"
            f"    static_configs:\n      - targets: ['127.0.0.1:{port}']\n")
    s.serve("tree.toml", f"""
weir manage policy.toml --metrics 127.0.0.1:{port} >manage.out 2>&1 &
manager=$!
env -u LD_PRELOAD prometheus --config.file=prometheus.yml --storage.tsdb.path=tsdb \\
  --web.listen-address=127.0.0.1:{own} >prometheus.out 2>&1 &
prometheus=$!
env -u LD_PRELOAD {sys.executable} wait.py
kill -TERM $manager
wait $manager || true
kill $prometheus
""", "--up")
    series = s.read("series").split()
    for name in ("infiniband_switch_port_transmit_data_bytes_total", "infiniband_switch_port_transmit_wait_total",
                 "infiniband_switch_port_transmit_congested_total", "weir_manager_sweeps_total",
                 "weir_manager_answers_missing_total", "weir_manager_settings_total", "weir_manager_sweep_seconds"):
        expect(name in series, f"{name} is missing: {series}")
    expect(int(s.read("ports")) == 48, f"{s.read('ports')} ports")  # 8 switches: 16 to hosts, 2 x 16 between switches


WAIT_FOR_SERIES = """import json, time, urllib.parse, urllib.request
def ask(query):
    url = "http://127.0.0.1:PORT/api/v1/query?" + urllib.parse.urlencode({"query": query})
    return json.load(urllib.request.urlopen(url, timeout=5))["data"]["result"]
until = time.time() + 40
while time.time() < until:
    try:
        found = ask('{job="weir"}')
        sweeps = ask("weir_manager_sweeps_total > 2")
        if found and sweeps:
            break
    except OSError:
        pass
    time.sleep(0.3)
names = [series["metric"]["__name__"] for series in found]
open("series", "w").write(" ".join(sorted(set(names))))
open("ports", "w").write(str(names.count("infiniband_switch_port_transmit_data_bytes_total")))
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def case_links(s):
    """opensm finds new routes when a link goes down, and takes it back when it comes up."""
    need("opensm", "ibnetdiscover")
    s.write("tree.toml", TREE.format(k=4))
    s.write("opensm.conf", "force_log_flush TRUE\n")
    s.serve("tree.toml", opensm() + """
port=$(weir topo tree.toml --export dot >/dev/null; echo {PORT})
weir fabric --tell "link down $port"
until [ $(grep -c 'SUBNET UP' osm.log) -gt 1 ]; do sleep 0.05; done
ibnetdiscover >down.topo
dump_lfts >down.lfts 2>/dev/null
weir fabric --tell "link up $port"
until [ $(grep -c 'SUBNET UP' osm.log) -gt 2 ]; do sleep 0.05; done
ibnetdiscover >up.topo
kill $sm
""".replace("{PORT}", first_uplink(s)))
    down, up = (cables_of(s.read(name)) for name in ("down.topo", "up.topo"))
    expect(len(up) == 32 and len(down) == 31 and down < up, f"{len(up)} and {len(down)} cables")
    s.run("weir", "topo", "down.topo", "--check", "--set", "routing.kind=lft", "--set", "routing.path=down.lfts")


def first_uplink(s):
    """Name of a port between two switches, as weir calls it."""
    text = s.run("weir", "topo", "tree.toml", "--export", "ibnetdiscover")
    here = None
    for line in text.split("\n"):
        if node := re.match(r'Switch\s+\d+\s+"\S+"\s+# "([^"]*)"', line):
            here = node.group(1)
        elif here and (port := re.match(r'\[(\d+)\]\s+"S-', line)):
            return f"{here}:{int(port.group(1)) - 1}"
    raise Failure("no cable between switches")


def cables_of(text):
    """(GUID, port, GUID, port) of every cable, each once."""
    cables, here = set(), None
    for line in text.split("\n"):
        if node := re.match(r'(?:Switch|Ca)\s+\d+\s+"(\S+)"', line):
            here = node.group(1)
        elif cable := re.match(r'\[(\d+)\](?:\(\w+\))?\s+"(\S+)"\[(\d+)\]', line):
            ends = sorted([(here, int(cable.group(1))), (cable.group(2), int(cable.group(3)))])
            cables.add(tuple(ends))
    return cables


def main(arguments):
    cases = {name[5:]: value for name, value in globals().items() if name.startswith("case_")}
    s = Scratch(os.path.abspath(arguments[0]))
    try:
        cases[arguments[1]](s)
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"FAILED {arguments[1]}: {failure}")
        return 1
    finally:
        shutil.rmtree(s.home, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
