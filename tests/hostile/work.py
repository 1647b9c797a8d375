# Work that is too large, too long, or interrupted.
import os

from case import Case, FLOWS, SCENARIO, sets

HOTSPOT = os.path.join(os.path.dirname(__file__), "..", "..", "scenarios", "hotspot.toml")
INCAST = SCENARIO.replace('pattern = "uniform"\nload = 0.3', 'pattern = "incast"\ntarget = 0\nbytes = "100kB"').replace(
    'duration = "20us"', 'until = "flows"')

FLUID = FLOWS.replace('until = "flows"', 'until = "flows"\nengine = "fluid"') + '[scheme]\nname = "ffa"\n'
MANY = SCENARIO.split("[[traffic]]")[0] + "".join(
    f'[[traffic]]\nname = "t{i}"\npattern = "uniform"\nload = 0.00001\n'
    for i in range(20000)) + '[run]\nduration = "1us"\n'
LONG = SCENARIO.replace("load = 0.3", "load = 0.9").replace('"20us"', '"10s"')
SEEDS = SCENARIO.replace('"20us"', '"400ms"') + f"[sweep]\nseed = {list(range(1, 61))}\n"


def killed(signal, code):
    return Case(f"SIG{signal} in the middle of a run",
        f"set -m; $W run l.toml --out r & p=$!; sleep 1; kill -{signal} $p; wait $p", code, "",
                files={"l.toml": LONG})


CASES = [
    Case("fluid: completion times beyond the clock", ["run", "x.toml", "--out", "o"], 2,
        "times above .* cannot be counted",
         files={"x.toml": FLUID.replace("20kB", "1000TB").replace("10Gbps", "100Mbps")}),
    Case("fluid: weights of 1e-9 and 1e9", ["run", "x.toml", "--out", "o"], 0, "flows", silent=r"-\d+\.?\d* s",
        leaves="o",
         files={"x.toml": FLUID.replace('pattern = "shift"\noffset = 1\nbytes = "20kB"',
             'pattern = "flows"\nfile = "t.csv"'),
                "t.csv": "src,dst,bytes,weight\n0,1,10kB,1e-9\n2,1,10kB,1e9\n"}),
    Case("frames of zero do not hide the root", sets("x.toml", "measure.frames=0"), 0, "",
        silent="no link they wait for is saturated", leaves="o",
         files={"x.toml": INCAST}),
    Case("a billion packets of a byte", sets("f.toml", "packet.payload=[1]", "traffic.all.bytes=1GB",
        "run.max_time=1us"), 0, "", leaves="o"),
    killed("INT", 130), killed("TERM", 143), killed("HUP", 129),
    Case("SIGKILL leaves nothing that the next run trips over",
         "$W run l.toml --out r & p=$!; sleep 1; kill -9 $p; wait $p 2>/dev/null; $W run s.toml --out r", 0, "",
             files={"l.toml": LONG}, leaves="r"),
    Case("SIGINT during a sweep keeps what is done",
         "set -m; $W sweep w.toml --threads 1 --out w.sqlite & p=$!; sleep 1.5; kill -INT $p; wait $p", 130,
             "same command|kept",
         files={"w.toml": SEEDS},
         leaves=r"w\.(sqlite|html)"),
    Case("a sweep killed can be asked",
         "$W sweep w.toml --threads 1 --out w.sqlite >/dev/null 2>&1 & p=$!; sleep 1.5; kill -9 $p; wait $p "
             "2>/dev/null; "
         "$W query w.sqlite 'SELECT count(*) AS n FROM runs'", 0, "n",
         files={"w.toml": SEEDS},
         leaves=r"w\.(sqlite|html)"),
    Case("samples of a picosecond", sets("s.toml", "measure.sample=1ps"), 2, "sample"),
    Case("/dev/zero as a scenario", ["run", "/dev/zero"], 2, "/dev/zero", memory_mb=4096),
    Case("/dev/zero as a fabric", sets("s.toml", "topology.kind=file", "topology.path=/dev/zero"), 2, "/dev/zero",
        memory_mb=4096),
    Case("/dev/zero as a list of links", ["rates", "--links", "/dev/zero", "--paths", "p.csv"], 2, "/dev/zero",
        files={"p.csv": "id,path\n1,a\n"}, memory_mb=4096),
    Case("/dev/urandom as a trace", sets("f.toml", "traffic.all.pattern=trace", "traffic.all.file=/dev/urandom"), 2,
        "/dev/urandom", memory_mb=4096),
    Case("a fabric of 2 million hosts in half a gigabyte", sets("s.toml", "topology.k=128", "topology.n=3"), 2,
         "memory", memory_mb=512),
    Case("a backlog without end in little memory", sets("s.toml", "traffic.all.load=100", "run.duration=1s"), 0,
        "more than 20000000 packets wait", leaves="o", memory_mb=512, seconds=60),
    Case("a backlog that is kept, in little memory", sets("s.toml", "traffic.all.load=100", "run.duration=1s",
        "adapter.memory=100kB"), 2, "max_backlog[\\s\\S]*memory", memory_mb=1024),
    Case("20,000 traffic entries", ["run", "x.toml", "--out", "o"], 0, "", files={"x.toml": MANY}, leaves="o",
        memory_mb=2048, seconds=20),
    Case("a scheme that never acts says so", sets(HOTSPOT, "scheme.name=qcn", "scheme.qeq=33kB", "run.max_time=20us"),
        0,
         "qcn never acted", leaves="o"),
    Case("dcms does not deadlock the hot spot", sets(HOTSPOT, "scheme.name=dcms", "scheme.manager=H5",
        "run.max_time=200us"),
         0, "", silent="deadlock", leaves="o", seconds=60),
    Case("a comparison says what can be deployed", ["compare", "x.toml", "--schemes", "none,window,renato", "--out",
        "o"],
         0, "window +available[\\s\\S]*renato +research", files={"x.toml": INCAST}, leaves="o"),
    Case("flows that are idle after a nanosecond are not asked each nanosecond",
         sets("x.toml", "scheme.name=saa", "scheme.idle=1ns", "link.rate=100kbps", "run.duration=20s"), 0, "",
         files={"x.toml": SCENARIO.replace("uniform", "burst").replace("load = 0.3",
             'packets = 40\ntarget = 0\nspread = "1us"')},
         leaves="o", seconds=10),
]
