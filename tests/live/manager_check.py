#!/usr/bin/env python3
# A served fabric and weir's own programs for real subnets: the manager, diagnose, and what Prometheus sees of them.
#
# usage: manager_check.py WEIR CASE      exit 77, with the reason, where Debian's packages are missing
import contextlib
import json
import os
import re
import sqlite3
import sys

from served import (EVENTUALLY, EXPERIMENT, HOTSPOT, POLICY, TREE, expect, free_port, main, need, opensm,
                    ports_csv)

READ_COUNTERS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "share", "weir-read-counters")
# A port stays low from the first event to the end of the flows, which are ten times as long.
LONG_EXPERIMENT = EXPERIMENT.replace("18MiB", "180MiB")
SLOW_POLICY = (POLICY.replace("1.075ms", "107.5ms").replace("100us", "50ms").replace("data = 25e3", "data = 1e18")
               .replace("low_limit = 6", "low_limit = 1000000"))


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
    """What a manager that was killed has left is undone by the next one. The fabric follows the wall's clock, a hundred
    times slower: in lockstep the manager could be through with everything before it is killed."""
    need("ibccquery")
    s.write("experiment.toml", LONG_EXPERIMENT)
    s.write("policy.toml", SLOW_POLICY)
    s.serve("experiment.toml", EVENTUALLY + """
weir manage policy.toml --act --state state >first 2>&1 &
manager=$!
low() { kill -0 $manager && ibccquery SwitchPortCongestionSetting 8 23 >low && grep -q 'Valid:.*1' low; }
eventually low
kill -9 $manager
wait $manager || true
weir manage policy.toml --state state --until 1us >dry 2>&1
ibccquery SwitchPortCongestionSetting 8 23 >between
weir manage policy.toml --act --state state --until 1us >second 2>&1
ibccquery SwitchPortCongestionSetting 8 23 >after
""", "--up", "--ratio", "1:100", "--out", "served")
    left = [name for name in os.listdir(s.home) if name.startswith("sys-")]
    expect(not left, f"what libumad2sim makes for a program is still there: {left}")
    expect("setting its Marking_Rate" in s.read("first"), s.read("first"))
    expect("that may still be in force: 1 (" in s.read("dry"), s.read("dry"))
    expect(re.search(r"Valid:\.+1\b", s.read("between")), f"a dry run changed it:\n{s.read('between')}")
    expect("is undone" in s.read("second"), s.read("second"))
    expect(re.search(r"Valid:\.+0\b", s.read("after")), f"not restored:\n{s.read('after')}")


def case_two(s):
    """A second manager of the subnet is refused on the same machine, whatever its --state; when the first has ended, it
    may act."""
    need()
    s.write("tree.toml", TREE.format(k=2))
    s.write("policy.toml", POLICY.replace("1.075ms", "300ms").replace("100us", "100ms"))
    s.serve("tree.toml", EVENTUALLY + """
weir manage policy.toml --act --state first >first.out 2>&1 &
manager=$!
acts() { ls first/*.sqlite >/dev/null 2>&1; }
eventually acts
code=0
weir manage policy.toml --act --state second >second.out 2>&1 || code=$?
echo $code >code
weir manage policy.toml --until 1ms >dry.out 2>&1
kill -TERM $manager
wait $manager || true
weir manage policy.toml --act --state second --until 1ms >third.out 2>&1
""", "--up")
    expect(s.read("code").strip() == "2" and "another manager of this subnet" in s.read("second.out"),
           f"exit {s.read('code')}: {s.read('second.out')}")
    for name in ("dry.out", "third.out"):
        expect("sweeps" in s.read(name), s.read(name))


def case_aside(s):
    """When somebody else changes settings, the manager takes its own back, says so, and leaves theirs."""
    need("ibccquery", "ibccconfig")
    s.write("experiment.toml", LONG_EXPERIMENT)
    s.write("policy.toml", SLOW_POLICY)
    s.serve("experiment.toml", EVENTUALLY + """
weir manage policy.toml --act --state state >said 2>&1 &
manager=$!
valid() { kill -0 $manager && ibccquery SwitchPortCongestionSetting 8 23 >port && grep -q "Valid:.*$1" port; }
eventually valid 1
ibccconfig SwitchPortCongestionSetting 8 21 1 0 9 5 77
eventually valid 0
ibccquery SwitchPortCongestionSetting 8 21 >theirs
kill -TERM $manager
wait $manager || true
""", "--up", "--ratio", "1:100", "--out", "served")
    expect("stands aside" in s.read("said"), s.read("said"))
    expect(re.search(r"Marking_Rate:\.+77\b", s.read("theirs")), s.read("theirs"))


def case_diagnose(s):
    """A live subnet, two dumps of perfquery or ibqueryerrors and a recording of the manager lead to the same root."""
    need("perfquery", "ibnetdiscover", "ibqueryerrors", "opensm")
    s.write("hot.toml", HOTSPOT.replace("load = 0.6", "load = 0.9").replace("100us", "400us").replace("cca", "none"))
    s.write("policy.toml", POLICY.replace("1.075ms", "20us").replace("100us", "1us"))
    read = "for lid in $(seq 1 24); do perfquery -a -l $lid; done >"
    s.serve("hot.toml", f"""
ibnetdiscover >net.topo
weir fabric --tell 'until 100us'
{read}before
weir diagnose --live --seconds 200e-6 --lockstep $IBSIM_SOCKNAME --json live.json >live.out
{read}after
sh {READ_COUNTERS} net.topo >stamped 2>errors
weir fabric --tell 'until 350us'
sh {READ_COUNTERS} net.topo >stamped-later 2>errors
weir manage policy.toml --record telemetry --lockstep $IBSIM_SOCKNAME >manage.out
""", "--up", "--lockstep", "--out", "out")
    s.run("weir", "diagnose", "net.topo", "before", "after", "--seconds", "200e-6", "--wait-bytes", "128", "--json",
          "dumps.json")
    s.run("weir", "diagnose", "--recording", "telemetry", "--json", "recording.json")
    live, dumps, recording = (json.loads(s.read(name + ".json")) for name in ("live", "dumps", "recording"))
    port = lambda entry: (entry["guid"], entry["port"])
    found = [{port(root): {port(victim) for victim in root["held_back"]} for root in answer["roots"]}
             for answer in (live, dumps, recording)]
    expect(found[0] and found[0] == found[1], f"live {live['roots']}\ndumps {dumps['roots']}")
    expect(set(found[2]) == set(found[0]), f"live {set(found[0])}, recording {set(found[2])}")
    leaf = [root for root in live["roots"] if root["leads_to"] == "H0"]
    stamped = s.read("stamped")
    counted = lambda text: set(re.findall(r"Lid (\d+) port (\d+)", text))
    expect(stamped.startswith("# weir-read-counters: began at simulated time: 300 us\n"), stamped[:200])
    s.run("weir", "diagnose", "net.topo", "stamped", "stamped-later", "--json", "stamped.json")
    served = json.loads(s.read("stamped.json"))
    expect(abs(served["seconds"] - 50e-6) < 1e-12 and served["simulated_time"] and served["wait_bytes"] == 128 and
           any(root["leads_to"] == "H0" for root in served["roots"]), s.read("stamped.json"))
    expect(len(counted(stamped)) == 64, f"{len(counted(stamped))} ports")  # 16 of hosts, 48 of switches
    # The unit is known of a served fabric and of its recording, and follows from the dumps.
    s.run("weir", "diagnose", "net.topo", "before", "after", "--seconds", "200e-6", "--json", "derived.json")
    units = [json.loads(s.read(name + ".json"))["wait_bytes"] for name in ("live", "dumps", "recording", "derived")]
    expect(units == [128] * 4 and "wait-bytes 128\n" in s.read("telemetry"), f"units {units}")
    # Counters that did not grow lead to no conclusion; those of one port are an error.
    unmoved = s.run("weir", "diagnose", "net.topo", "before", "before", "--seconds", "1", code=1)
    expect(unmoved.startswith("inconclusive: the counters did not grow"), unmoved)
    s.write("one", s.read("before").split("\n# Port", 1)[0] + "\n")
    s.run("weir", "diagnose", "net.topo", "one", "one", "--seconds", "1", code=2)
    expect(len(leaf) == 1 and leaf[0]["load"] > 0.97 and len(leaf[0]["held_back"]) > 2, f"{live['roots']}")
    s.write("opensm.conf", "force_log_flush TRUE\n")
    # ibqueryerrors ends with an error where there are some.
    read = """{ ibqueryerrors --counters; ibqueryerrors --threshold-file /dev/null || true; } >errors-NAME
{ for lid in $(seq 1 24); do perfquery -a -l $lid; done; } >queries-NAME
"""
    s.serve("hot.toml", opensm() + "ibnetdiscover >net.topo\n" + "".join(
        f"weir fabric --tell 'until {at}'\n" + read.replace("NAME", at) for at in ("100us", "300us")) + "kill $sm\n",
        "--lockstep", "--out", "out-opensm")
    for tool in ("errors", "queries"):
        s.run("weir", "diagnose", "net.topo", f"{tool}-100us", f"{tool}-300us", "--seconds", "200e-6", "--wait-bytes",
              "128", "--json", f"{tool}.json")
    expect(json.loads(s.read("errors.json"))["roots"] and s.read("errors.json") == s.read("queries.json"),
           f"ibqueryerrors {s.read('errors.json')}\nperfquery {s.read('queries.json')}")


def case_prometheus(s):
    """Debian's Prometheus scrapes a served fabric and its manager; all series are there, and a manager that is killed
    and started again leaves no counter that seems to jump."""
    need("prometheus")
    ratio = 1e-5
    s.write("hot.toml", HOTSPOT.replace('duration = "100us"', 'duration = "100ms"'))
    s.write("policy.toml", POLICY.replace("1.075ms", "300ms").replace("100us", "100ms"))
    ports = [free_port() for _ in range(3)]
    steps = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prometheus_steps.py")
    s.serve("hot.toml", f"{sys.executable} {steps} {' '.join(map(str, ports))}\n", "--up", "--ratio", "1:100000",
            "--metrics", f"127.0.0.1:{ports[0]}", "--out", "out")
    answers = json.loads(s.read("answers.json"))
    port_series = [f"infiniband_switch_port_transmit_{what}_total" for what in ("data_bytes", "wait", "congested")]
    for name in port_series + ["weir_manager_sweeps_total", "weir_manager_answers_missing_total",
                               "weir_manager_settings_total", "weir_manager_sweep_seconds",
                               "process_start_time_seconds"]:
        expect(name in answers["manager"], f"{name} is missing: {answers['manager']}")
    for name in port_series + ["infiniband_hca_port_receive_packets_total", "weir_fabric_datagrams_total",
                               "weir_fabric_clock_seconds"]:
        expect(name in answers["fabric"], f"{name} is missing: {answers['fabric']}")
    for job in ("manager", "fabric"):  # 8 switches: 16 ports to hosts, 2 x 16 between switches
        expect(answers[job].count(port_series[0]) == 48, f"{answers[job].count(port_series[0])} ports of the {job}")
    expect(answers["restarts"] == 1 and answers["sweeps"] >= 4, f"sweeps across the restart: {answers}")
    expect(answers["port_resets"] == 0, f"counters of ports began anew: {answers}")
    most = 1.5 * 100e9 / 8 * ratio  # bytes per second of the wall that a link can carry
    expect(0 < answers["fabric_rate"] < most and answers["manager_rate"] < most, f"rates: {answers}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], globals()))
