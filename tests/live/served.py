# What tests of a served fabric have in common: scenarios, a directory of their own, and lines of scripts.
import csv
import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile

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
rm -f osm.log
opensm -F opensm.conf -f $PWD/osm.log {options} >osm.out 2>&1 &
sm=$!
i=0
until grep -q 'SUBNET UP' osm.log 2>/dev/null; do
  i=$((i+1)); [ $i -gt 2400 ] && { echo 'opensm does not come up'; tail -n 5 osm.log; tail -n 5 osm.out; exit 1; }
  kill -0 $sm || { echo 'opensm has ended'; tail -n 5 osm.out; exit 1; }
  sleep 0.05
done
"""
# `eventually COMMAND`: opensm works on after the subnet is up, and machines may be slow.
EVENTUALLY = """
eventually() {
  i=0
  until "$@"; do
    i=$((i+1)); [ $i -gt 1200 ] && { echo "never: $*"; exit 1; }
    sleep 0.1
  done
}
"""
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
RING = """[topology]
kind = "graph"
hosts = ["A", "B", "C", "D", "E"]
switches = ["S1", "S2", "S3", "S4", "S5"]
links = [["A", "S1"], ["B", "S2"], ["C", "S3"], ["D", "S4"], ["E", "S5"],
         ["S1", "S2"], ["S2", "S3"], ["S3", "S4"], ["S4", "S5"], ["S5", "S1"]]
[link]
rate = "100Gbps"
delay = "10ns"
"""
# Two flows on lanes of their own share the link to a host.
TWO_LANES = """[topology]
kind = "star"
hosts = 3
[link]
rate = "8Gbps"
delay = "10ns"
[packet]
payload = [1024]
[switch]
lanes = 2
priority = "{priority}"
[[traffic]]
pattern = "flows"
lane = 0
list = [[0, 2, 10000000, "0us"]]
[[traffic]]
pattern = "flows"
lane = 1
list = [[1, 2, 10000000, "0us"]]
[scheme]
name = "cca"
threshold = 0
[run]
until = "duration"
duration = "400us"
"""
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


class Failure(Exception):
    pass


def need(*programs):
    for program in programs:
        if shutil.which(program) is None:
            packages = "package prometheus" if program == "prometheus" else "packages opensm, infiniband-diags"
            print(f"skipped: {program} is not installed (Debian {packages})")
            sys.exit(77)
    if not glob.glob("/usr/lib/*/umad2sim/libumad2sim.so"):
        print("skipped: libumad2sim is not installed (Debian package ibsim-utils)")
        sys.exit(77)


class Scratch:
    """A directory of its own. `in_memory`, where that can be had: libumad2sim makes and removes a hundred files and
    directories for every tool that is started, which takes ten times as long on a disk."""

    def __init__(self, weir, in_memory=False):
        self.weir = weir
        memory = "/dev/shm"
        self.home = tempfile.mkdtemp(prefix="weir-live-",
                                     dir=memory if in_memory and os.access(memory, os.W_OK) else None)
        os.symlink(weir, os.path.join(self.home, "weir"))
        self.environment = dict(os.environ, PATH=self.home + ":" + os.environ["PATH"] + ":/usr/sbin")

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as stream:
            stream.write(text)

    def read(self, name):
        with open(os.path.join(self.home, name), encoding="utf-8") as stream:
            return stream.read()

    def run(self, *words, code=0, limit=1500):
        """`code` may be a tuple of those that are all right."""
        done = subprocess.run(words, cwd=self.home, env=self.environment, capture_output=True, text=True, timeout=limit)
        if done.returncode not in (code if isinstance(code, tuple) else (code,)):
            raise Failure(f"{' '.join(words)}: exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout + done.stderr

    def serve(self, scenario, script, *options, code=0):
        self.write("script.sh", script)
        return self.run("weir", "fabric", scenario, *options, "--exec", "sh -e ./script.sh", code=code)


def opensm(options=""):
    """Lines of a script that start it and wait until the subnet is up."""
    return EVENTUALLY + WAIT_FOR_OPENSM.replace("{options}", options)


def expect(condition, what):
    if not condition:
        raise Failure(what)


def table_csv(s, directory, name):
    with open(os.path.join(s.home, directory, name), encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def ports_csv(s, directory):
    return table_csv(s, directory, "ports.csv")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main(arguments, cases):
    """CASE is the name of a function without its case_; exit 1 if it fails."""
    s = Scratch(os.path.abspath(arguments[0]))
    try:
        cases["case_" + arguments[1]](s)
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"FAILED {arguments[1]}: {failure}")
        return 1
    finally:
        shutil.rmtree(s.home, ignore_errors=True)
    return 0
