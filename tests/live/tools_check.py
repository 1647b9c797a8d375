#!/usr/bin/env python3
# A served fabric and real InfiniBand tools: opensm and the diagnostics, unmodified programs that take the fabric for a
# device.
#
# usage: tools_check.py WEIR CASE      exit 77, with the reason, where Debian's packages are missing
import itertools
import json
import os
import re
import subprocess
import sys
import time

from served import (EVENTUALLY, FULL, HOTSPOT, OPENSM, RING, TREE, TWO_LANES, Failure, expect, main, need, opensm,
                    ports_csv, table_csv)


def case_opensm(s):
    """opensm configures 1024 hosts and 64 switches; all tools agree about what is there."""
    need("opensm", "ibnetdiscover", "ibccquery", "ibccconfig", "saquery", "ibtracert", "dump_lfts", "perfquery")
    k = 32 if FULL else 8
    s.write("tree.toml", TREE.format(k=k))
    s.write("opensm.conf", OPENSM)
    began = time.time()
    s.serve("tree.toml", opensm() + """
date +%s.%N >up
ibnetdiscover >net.topo
dump_lfts >net.lfts 2>/dev/null
switch=$(sed -n 's/^Switch.*lid \\([0-9]*\\) lmc.*/\\1/p' net.topo | head -1)
host=$(sed -n 's/^\\[1\\](.*# lid \\([0-9]*\\) lmc.*/\\1/p' net.topo | sed -n 1p)
other=$(sed -n 's/^\\[1\\](.*# lid \\([0-9]*\\) lmc.*/\\1/p' net.topo | tail -1)
has() { ibccquery $2 $3 >$1 && grep -q "$4" $1; }
eventually has cc-switch SwitchCongestionSetting $switch 'Marking_Rate:\.*7$'
eventually has cc-host CACongestionSetting $host 'CCTI_Timer:\.*75$'
eventually has cc-table CongestionControlTable $host 'CCTI_Limit:\.*3$'
ibccquery CongestionInfo $host >cc-info
ibccquery CongestionKeyInfo $switch >cc-key
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
    expect("routes of net.lfts: cannot deadlock" in text, f"routes of opensm: {text}")
    for name, pattern in (("cc-switch", r"Threshold:\.+0x0?e\b"), ("cc-switch", r"Marking_Rate:\.+7\b"),
                          ("cc-switch", r"Packet_Size:\.+4\b"), ("cc-host", r"CCTI_Timer:\.+75\b"),
                          ("cc-host", r"CCTI_Increase:\.+2\b"), ("cc-table", r"CCTI_Limit:\.+3\b"),
                          ("cc-table", r"CCT_Multiplier:\.+3\b"), ("cc-port", r"Cong_Parm_Marking_Rate:\.+77\b"),
                          ("cc-port", r"Threshold:\.+0x0?9\b"), ("cc-info", "CongestionInfo"), ("cc-log", "LogType"),
                          ("cc-time", "Timestamp"), ("cc-key", "CC_KeyViolations"), ("counters", "PortXmitWait"),
                          ("xmitcc", "PortXmitTimeCong")):
        expect(re.search(pattern, s.read(name)), f"{name} has no {pattern}:\n{s.read(name)}")
    expect("Channel Adapter" in s.read("node") and "PathRecord" in s.read("path"), "saquery finds no node or no path")
    expect(s.read("trace").count("\n") >= 4, f"ibtracert:\n{s.read('trace')}")


def case_counters(s):
    """perfquery shows what ports.csv says at the end of the run, with 64 bits and with 32."""
    need("perfquery", "ibccquery")
    s.write("hot.toml", HOTSPOT)
    s.serve("hot.toml", """
weir fabric --tell 'until 1s' >end
for lid in $(seq 17 24); do for port in $(seq 1 8); do
  for width in '' -x; do echo "lid $lid port $port$width"; perfquery $width $lid $port || true; done
done; done >counters
ibccquery CongestionLog 17 >marks
ibccquery CongestionLog 5 >answers
""", "--up", "--lockstep", "--out", "out")
    expect(s.read("end").strip() == "simulated time: 100 us", f"the end is {s.read('end')}")
    shown = {}
    for block in re.split(r"^lid ", s.read("counters"), flags=re.M)[1:]:
        lid, port, width = re.match(r"(\d+) port (\d+)(.*)", block).groups()
        values = dict(re.findall(r"^(Port\w+):\.*(\d+)", block, re.M))
        if "PortXmitData" in values:
            shown[int(lid), int(port), width] = values
    rows = sorted(ports_csv(s, "out"), key=lambda row: int(row["port"]))[16:]  # behind those of the hosts
    nodes = list(dict.fromkeys(row["node"] for row in rows))
    checked = moved = 0
    for row, width in itertools.product(rows, ("", "-x")):
        values = shown.get((17 + nodes.index(row["node"]), int(row["name"].rsplit(":", 1)[1]) + 1, width))
        if values is None:
            continue
        for counter in ("PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts", "PortXmitWait"):
            expect(values[counter] == row[counter], f"{row['name']} {width}: {counter}\n{row}\n{values}")
            checked += 1
            moved += values[counter] != "0"
    expect(checked >= 200 and moved >= 120, f"{checked} counters compared, {moved} of which moved")
    print(f"{checked} counters equal, {moved} of which moved")
    # The leaf of the hot spot has marked packets for it; a host whose packets were marked has got answers.
    expect(re.search(r"SLID:\.+[1-9]\d*\nDLID:\.+1\n", s.read("marks")), s.read("marks"))
    expect(re.search(r"Remote_LID_CN_Entry:\.+[1-9]", s.read("answers")), s.read("answers"))


def case_by_hand(s):
    """Without --exec, the lines that are printed make a shell whose tools see the fabric. At the end weir says when the
    scenario was over."""
    need("ibnetdiscover")
    s.write("hot.toml", HOTSPOT)
    words = ["weir", "fabric", "hot.toml", "--up", "--socket", f"by-hand-{os.getpid()}", "--out", "out"]
    with subprocess.Popen(words, cwd=s.home, env=s.environment, stderr=subprocess.PIPE, text=True) as served:
        try:
            expect("paste into their shell" in served.stderr.readline(), "nothing to paste")
            lines = [served.stderr.readline() for _ in range(3)]
            expect(all(line.startswith("  export ") for line in lines), f"{lines}")
            s.write("script.sh", "".join(lines) + EVENTUALLY + """
ended() { weir fabric --tell now >now && grep -q ' 100 us$' now; }
eventually ended
ibnetdiscover >net.topo
weir fabric --tell stop
""")
            s.run("sh", "-e", "./script.sh", limit=120)
            said = served.communicate(timeout=60)[1]
        finally:
            served.kill()
    expect(s.read("net.topo").count("\nSwitch") == 8, s.read("net.topo"))
    expect("the scenario ended at 100us\n" in said, said)
    expect("slower" not in said or "slower than 1:1, the default of --ratio\n" in said, said)


def case_speeds(s):
    """FDR10 is shown as FDR10, to ibnetdiscover and to weir's own discovery."""
    need("ibnetdiscover", "smpquery")
    s.write("hot.toml", TWO_LANES.format(priority="non-preemptive").replace("8Gbps", "40Gbps"))
    s.serve("hot.toml", """
ibnetdiscover >net.topo
smpquery MEPI 4 1 >extended
weir fabric --tell 'advance 50us'
weir diagnose --live --seconds 200e-6 --lockstep $IBSIM_SOCKNAME --wait-bytes 128 --json live.json >live.out
""", "--up", "--lockstep", "--out", "out")
    expect(s.read("net.topo").count("4xFDR10") == 6, s.read("net.topo"))
    expect(re.search(r"LinkSpeedActive:\.+0x0?1\b", s.read("extended")), s.read("extended"))
    answer = json.loads(s.read("live.json"))
    expect(answer["ports"] == 6 and not answer["remarks"], s.read("live.json"))
    # The link into host 2 is full: 40 Gb/s, which QDR cannot carry.
    expect([root["leads_to"] for root in answer["roots"]] == ["H2"], s.read("live.json"))


def case_routes(s):
    """Packets take the routes that opensm has written: every port counts what a run on these tables counts. Those of
    minhop and updn are not the scenario's own."""
    need("opensm", "dump_lfts")
    s.write("hot.toml", HOTSPOT.replace("k = 4\nn = 2", "k = 3\nn = 3"))
    s.write("opensm.conf", "force_log_flush TRUE\n")
    s.run("weir", "run", "hot.toml", "--out", "own")
    own = ports_csv(s, "own")
    for engine in ("minhop", "updn", "ftree"):
        s.serve("hot.toml", opensm(f"-R {engine}") + f"""
dump_lfts >{engine}.lfts 2>/dev/null
weir fabric --tell 'until 1s' >end
kill $sm
""", "--lockstep", "--out", f"served-{engine}")
        lft = ("--set", "routing.kind=lft", "--set", f"routing.path={os.path.join(s.home, engine)}.lfts")
        s.run("weir", "run", "hot.toml", *lft, "--out", f"run-{engine}")
        verdict = s.run("weir", "topo", "hot.toml", "--check", *lft)
        expect(f"{engine}.lfts: cannot deadlock" in " ".join(verdict.split()), f"{engine}: {verdict}")
        served, run = (ports_csv(s, f"{kind}-{engine}") for kind in ("served", "run"))
        expect(served == run, f"{engine}: ports count otherwise")
        others = sum(a["PortXmitPkts"] != b["PortXmitPkts"] for a, b in zip(served, own))
        expect(engine == "ftree" or others > 50, f"{engine}: {others} ports count otherwise than on own routes")
        sent = sum(int(row["PortXmitPkts"]) for row in run)
        expect(sent > 1000, f"{engine}: hardly anything was sent")
        print(f"{engine}: {len(run)} ports count the same, {others} of them otherwise than on the scenario's routes; "
              f"{sent} packets; routes: cannot deadlock")


def case_verdicts(s):
    """Where routes of opensm can deadlock, weir says so: minhop on a ring of five switches can, updn cannot."""
    need("opensm", "dump_lfts")
    s.write("ring.toml", RING)
    s.write("opensm.conf", "force_log_flush TRUE\n")
    topo = s.run("weir", "topo", "ring.toml", "--export", "ibnetdiscover")
    s.write("roots", re.search(r'switchguid=(0x[0-9a-f]+).*\nSwitch.*"S1"', topo).group(1) + "\n")
    for options, code, verdict in (("-R minhop", 1, "can deadlock: S1:2"), ("-R updn -a roots", 0, "cannot deadlock")):
        s.serve("ring.toml", opensm(options) + "dump_lfts >ring.lfts 2>/dev/null\nkill $sm\n", "--lockstep")
        said = s.run("weir", "topo", "ring.toml", "--check", "--set", "routing.kind=lft", "--set",
                     f"routing.path={s.home}/ring.lfts", code=code)
        expect(f"ring.lfts: {verdict}" in " ".join(said.split()), f"{options}: {said}")


def case_links(s):
    """opensm finds new routes when a link goes down, and takes it back when it comes up."""
    need("opensm", "ibnetdiscover", "dump_lfts")
    s.write("tree.toml", TREE.format(k=4))
    s.write("opensm.conf", "force_log_flush TRUE\n")
    s.serve("tree.toml", opensm() + """
routed() {
  ibnetdiscover >$1.topo && dump_lfts >$1.lfts 2>/dev/null &&
    env -u LD_PRELOAD weir topo $1.topo --check --set routing.kind=lft --set routing.path=$1.lfts >$1.out 2>&1
}
up_again() { routed up && ! cmp -s up.lfts down.lfts; }
weir fabric --tell "link down {PORT}"
eventually routed down
weir fabric --tell "link up {PORT}"
eventually up_again
kill $sm
""".replace("{PORT}", first_uplink(s)))
    down, up = (cables_of(s.read(name)) for name in ("down.topo", "up.topo"))
    expect(len(up) == 32 and len(down) == 31 and down < up, f"{len(up)} and {len(down)} cables")


def case_lanes(s):
    """Arbitration and SL-to-lane tables that opensm writes share a link; what is without effect is said to be so."""
    need("opensm", "smpquery")

    def said_with(priority, tables, first_lane=0):
        s.write("two.toml", TWO_LANES.format(priority=priority))
        s.write("opensm.conf", f"force_log_flush TRUE\nqos TRUE\nqos_max_vls 2\nqos_vlarb_high 0:0\n{tables}")
        return s.serve("two.toml", opensm() + """
switch=$(ibnetdiscover | sed -n 's/^Switch.*lid \\([0-9]*\\) lmc.*/\\1/p' | head -1)
host=$(ibnetdiscover | sed -n 's/^\\[1\\](.*# lid \\([0-9]*\\) lmc.*/\\1/p' | head -1)
holds() {
  smpquery vlarb $switch 3 >arbitration 2>&1 && grep -q '0x30|0x10' arbitration &&
    smpquery sl2vl $switch 3 >map 2>&1 && [ $(grep -c '^ports: in  [12], out  3: | FIRST|' map) = 2 ] &&
    smpquery sl2vl $host 1 >map-of-host 2>&1 && grep -q '^ports: .*: | FIRST|' map-of-host
}
eventually holds
kill $sm
weir fabric --tell 'until 400us'
""".replace("FIRST", str(first_lane)), "--lockstep", "--out", "out")

    def upper_share():
        lower, upper = (int(flow["delivered_bytes"]) for flow in table_csv(s, "out", "flows.csv"))
        return upper / (upper + lower)

    note = "were written; they are stored, but have no effect"
    for first_lane, share in ((0, 0.25), (1, 0.75)):  # of service level 0
        said = said_with("non-preemptive", f"qos_vlarb_low 0:48,1:16\nqos_sl2vl {first_lane},{1 - first_lane}\n",
                         first_lane)
        expect(note not in said, said)
        expect(abs(upper_share() - share) < 0.03, f"service level 1 has {upper_share():.3f} of the bytes, not {share}")
        print(f"weights 48 and 16, lanes {first_lane} and {1 - first_lane}: service level 1 has {upper_share():.3f} of "
              "the bytes")
    said = said_with("preemptive", "qos_vlarb_low 0:48,1:16\n")
    expect(said.count(note) == 1 and "arbitration tables" in said and "lanes interrupt each other here" in said, said)
    expect(upper_share() > 0.95, f"service level 1 has {upper_share():.3f} of the bytes")


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


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], globals()))
