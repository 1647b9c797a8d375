#!/usr/bin/env python3
# A subnet of 11,664 hosts and 1,620 switches of 36 ports, in three levels: opensm brings it up, and the manager sweeps
# all ports of switches through datagrams. Minutes; part of the tests at full scale only.
#
# usage: scale_check.py WEIR [RADIX]      RADIX: ports of a switch, 36 unless given
import os
import re
import shutil
import subprocess
import sys
import time

from served import EVENTUALLY, FULL, POLICY, WAIT_FOR_OPENSM, Failure, Scratch, expect, free_port, need

STEPS = """
import os, re, subprocess, sys, time, urllib.request
def memory(pid):
    return int(re.search(r"VmHWM:\\s+(\\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024
began = time.time()
manager = subprocess.Popen(["weir", "manage", "policy.toml", "--metrics", "127.0.0.1:PORT"],
                           stdout=open("manage.out", "w"), stderr=subprocess.STDOUT)
sweep = 0.0
while sweep == 0 and time.time() < began + 600 and manager.poll() is None:
    time.sleep(0.5)
    try:
        page = urllib.request.urlopen("http://127.0.0.1:PORT/metrics", timeout=10).read().decode()
        sweep = float((re.findall(r"^weir_manager_sweep_seconds (\\S+)", page, re.M) or [0])[0])
    except OSError:
        pass
ports = re.findall(r"^infiniband_switch_port_transmit_data_bytes_total", page, re.M)
missing = re.search(r"^weir_manager_answers_missing_total (\\d+)", page, re.M).group(1)
print(f"sweep {sweep:.2f} s of {len(ports)} ports, {missing} answers missing; known {time.time() - began:.1f} s after "
      "the start of the manager")
print(f"memory: manager {memory(manager.pid):.0f} MiB, opensm {memory(int(sys.argv[1])):.0f} MiB, "
      f"weir fabric {memory(int(sys.argv[2])):.0f} MiB")
open("sweep", "w").write(f"{sweep} {len(ports)} {missing}")
manager.terminate()
manager.wait()
"""


def fat_tree(radix):
    """ibnetdiscover's text of a tree of three levels: half of a switch's ports lead down, all of them at the top."""
    half = radix // 2
    lines = {}  # by node: its lines
    switch = lambda level, number: f"{(level << 20) + number + 0x100:016x}"
    host = lambda number: f"{(9 << 20) + number:016x}"

    def cable(a, a_port, b, b_port, a_kind, b_kind):
        lines.setdefault((a_kind, a), []).append(f'[{a_port}]\t"{b_kind}-{b}"[{b_port}] # "x" lid 0 4xHDR')
        if b_kind == "S":
            lines.setdefault((b_kind, b), []).append(f'[{b_port}]\t"{a_kind}-{a}"[{a_port}] # "x" lid 0 4xHDR')

    for pod in range(radix):
        for leaf in range(half):
            at = pod * half + leaf
            for port in range(half):
                cable(switch(1, at), port + 1, host(at * half + port), 1, "S", "H")
                cable(switch(1, at), half + port + 1, switch(2, pod * half + port), leaf + 1, "S", "S")
        for middle in range(half):
            for up in range(half):
                cable(switch(2, pod * half + middle), half + up + 1, switch(3, middle * half + up), pod + 1, "S", "S")
    text = []
    for (_, guid), cables in lines.items():
        text.append(f'Switch\t{radix} "S-{guid}" # "s{guid[-6:]}" enhanced port 0 lid 0 lmc 0')
        text += [re.sub(r'"H-(\w+)"\[1\]', r'"H-\1"[1](\1)', line) for line in cables] + [""]
    return "\n".join(text) + "\n"


def measure(s, radix):
    hosts = radix ** 3 // 4
    s.write("tree.topo", fat_tree(radix))
    s.write("policy.toml", POLICY.replace("1.075ms", "60s").replace("100us", "10s"))
    s.write("opensm.conf", "force_log_flush TRUE\n")
    s.write("steps.py", STEPS.replace("PORT", str(free_port())))
    # Patience for opensm: it is the slower the more switches there are.
    script = EVENTUALLY + WAIT_FOR_OPENSM.replace("{options}", "--maxsmps 64").replace("-gt 2400", "-gt 24000")
    began = time.time()
    out = s.serve("tree.topo", script + "date +%s.%N >up\n" + sys.executable +
                  " steps.py $sm ${IBSIM_SOCKNAME#weir-}\nkill $sm\n", "--lockstep")
    print(f"{hosts} hosts: opensm up {float(s.read('up')) - began:.1f} s after the start of weir fabric")
    print("\n".join(line for line in out.split("\n") if re.match("sweep|memory|answered", line)))
    sweep, ports, missing = map(float, s.read("sweep").split())
    expect(ports == hosts * 5 and missing == 0, f"{ports} ports, {missing} answers are missing")
    expect(0 < sweep <= 10, f"a sweep takes {sweep} s")


def main(arguments):
    need("opensm")
    if not FULL and len(arguments) < 2:
        print("skipped: minutes; WEIR_TEST_SCALE=full runs it")
        return 77
    s = Scratch(os.path.abspath(arguments[0]))
    try:
        measure(s, int(arguments[1]) if len(arguments) > 1 else 36)
    except (Failure, subprocess.TimeoutExpired) as failure:
        print(f"FAILED scale: {failure}")
        return 1
    finally:
        shutil.rmtree(s.home, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
