#!/usr/bin/env python3
# Runs inside of a served fabric: starts a manager and Debian's Prometheus, kills the manager and starts it again, and
# leaves what Prometheus says in answers.json.
#
# usage: prometheus_steps.py PORT-OF-FABRIC PORT-OF-MANAGER PORT-OF-PROMETHEUS
import json
import os
import signal
import subprocess
import sys
import time
import urllib.parse
import urllib.request

FABRIC, MANAGER, PROMETHEUS = map(int, sys.argv[1:])
LIMIT = 180  # seconds, of a slow machine
CONFIG = f"""global:
  scrape_interval: 500ms
scrape_configs:
  - job_name: manager
    static_configs:
      - targets: ['127.0.0.1:{MANAGER}']
  - job_name: fabric
    static_configs:
      - targets: ['127.0.0.1:{FABRIC}']
"""
BYTES = "infiniband_switch_port_transmit_data_bytes_total"


def ask(query):
    url = f"http://127.0.0.1:{PROMETHEUS}/api/v1/query?" + urllib.parse.urlencode({"query": query})
    with urllib.request.urlopen(url, timeout=10) as answer:
        return json.load(answer)["data"]["result"]


def wait_for(query):
    """Until the query has a result, which is returned."""
    until = time.time() + LIMIT
    while time.time() < until:
        try:
            if found := ask(query):
                return found
        except OSError:
            pass  # it is not up yet
        time.sleep(0.2)
    sys.exit(f"Prometheus never has {query}")


def start_manager(name):
    with open(name, "w", encoding="utf-8") as out:
        return subprocess.Popen(["weir", "manage", "policy.toml", "--metrics", f"127.0.0.1:{MANAGER}"], stdout=out,
                                stderr=out)


def number(query):
    found = ask(query)
    return float(found[0]["value"][1]) if found else None


def main():
    with open("prometheus.yml", "w", encoding="utf-8") as out:
        out.write(CONFIG)
    quiet = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    with open("prometheus.out", "w", encoding="utf-8") as out:
        server = subprocess.Popen(["prometheus", "--config.file=prometheus.yml", "--storage.tsdb.path=tsdb",
                                   f"--web.listen-address=127.0.0.1:{PROMETHEUS}"], stdout=out, stderr=out, env=quiet)
    manager = start_manager("first")
    try:
        began = wait_for('process_start_time_seconds{job="manager"}')[0]["value"][1]
        wait_for('weir_manager_sweeps_total{job="manager"} > 3')
        manager.send_signal(signal.SIGKILL)
        manager.wait()
        manager = start_manager("second")
        wait_for(f'process_start_time_seconds{{job="manager"}} > {began}')
        wait_for('weir_manager_sweeps_total{job="manager"} > 3')
        names = lambda job: [series["metric"]["__name__"] for series in ask(f'{{job="{job}"}}')]
        answers = {
            "manager": names("manager"), "fabric": names("fabric"),
            "restarts": number('resets(weir_manager_sweeps_total{job="manager"}[5m])'),
            "sweeps": number('increase(weir_manager_sweeps_total{job="manager"}[5m])'),
            # No counter of a port may seem to begin anew, or to have counted what was there before.
            "port_resets": number(f'sum(resets({BYTES}{{job="manager"}}[5m]))'),
            "manager_rate": number(f'max(rate({BYTES}{{job="manager"}}[5m]))'),
            "fabric_rate": number(f'max(rate({BYTES}{{job="fabric"}}[5m]))'),
            "fabric_clock": number("weir_fabric_clock_seconds"),
        }
        with open("answers.json", "w", encoding="utf-8") as out:
            json.dump(answers, out)
        manager.send_signal(signal.SIGTERM)
        manager.wait()
    finally:
        for process in (manager, server):
            process.kill()
            process.wait()


main()
