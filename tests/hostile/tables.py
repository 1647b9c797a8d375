# Lists of flows, traces, links, paths and rates: wrong columns, wrong cells, loops, and numbers that overflow.
from case import Case, FLOWS, SCENARIO

LINKS = "link,capacity\na,10Gbps\nb,10Gbps\n"
PATHS = "id,path,weight,app\n1,a b,1,x\n2,b,1,x\n"


def rates(name, says, links=LINKS, paths=PATHS, more=(), code=2, **rest):
    return Case("rates: " + name, ["rates", "--links", "l.csv", "--paths", "p.csv", *more], code, says,
                files={"l.csv": links, "p.csv": paths}, **rest)


def listed(pattern, name, text, says, code=2, **rest):
    entry = f'pattern = "{pattern}"\nfile = "t.csv"'
    scenario = FLOWS.replace('pattern = "shift"\noffset = 1\nbytes = "20kB"', entry)
    return Case(f"{pattern}: {name}", ["run", "x.toml", "--out", "o"], code, says,
                files={"x.toml": scenario, "t.csv": text}, **rest)


def flows(name, text, says, **rest):
    return listed("flows", name, text, says, **rest)


def trace(name, text, says, **rest):
    return listed("trace", name, text, says, **rest)


def sizes(name, text, says, code=2, more="", **rest):
    entry = f'pattern = "flow-arrivals"\nsizes = "t.cdf"\nload = 0.5\nflows = 20\n{more}'
    scenario = FLOWS.replace('pattern = "shift"\noffset = 1\nbytes = "20kB"', entry)
    return Case("sizes: " + name, ["run", "x.toml", "--out", "o"], code, says,
                files={"x.toml": scenario, "t.cdf": text}, **rest)


HEAD = "src,dst,bytes\n"
TRACE = "time,source,destination,bytes\n"
CASES = [
    rates("sound", "1,x,", code=0),
    rates("an empty list of links", r"l\.csv", links=""), rates("an empty list of paths", r"p\.csv", paths=""),
    rates("links without a capacity", "capacity", links="link\na\n"), rates("an unknown column", "speed",
        links="link,speed\na,1\n"),
    rates("a column twice", "twice", links="link,capacity,capacity\na,1,1\n"), rates("a link twice", "a",
        links=LINKS + "a,1Gbps\n"),
    rates("a capacity of zero", "capacity", links="link,capacity\na,0\nb,1\n"), rates("a negative capacity", "capacity",
        links="link,capacity\na,-1\nb,1\n"),
    rates("a capacity that is no number", "capacity", links="link,capacity\na,nan\nb,1\n"),
    rates("an infinite capacity", "capacity", links="link,capacity\na,inf\nb,1\n"),
    rates("a capacity beyond doubles", "capacity", links="link,capacity\na,1e999\nb,1\n"),
    rates("an unknown link", "zz", paths="id,path\n1,a zz\n"), rates("a path without links", "path",
        paths="id,path\n1,\n"),
    rates("a link twice in a path", r"p\.csv:2|twice", paths="id,path\n1,a a\n"),
    rates("a flow twice", r"p\.csv:3|twice", paths="id,path\n1,a\n1,b\n"),
    rates("a negative weight", "weight", paths="id,path,weight\n1,a,-1\n"), rates("a weight of zero", "weight",
        paths="id,path,weight\n1,a,0\n"),
    rates("a weight that is no number", "weight", paths="id,path,weight\n1,a,x\n"),
    rates("weights 1 and 1e16", r"1,0,1e-06,", code=0, silent=r",-|,0,0,", paths="id,path,weight\n1,a,1\n2,a,1e16\n"),
    rates("weights 1e-300 and 1e300", "weight", paths="id,path,weight\n1,a,1e-300\n2,a,1e300\n"),
    rates("more cells than columns", r"p\.csv:2", paths="id,path\n1,a,b,c,d\n"), rates("a quote never closed",
        "never closed", paths='id,path\n1,"a\n'),
    rates("a quote inside a cell", "quote", paths='id,path\n1,a"b\n'), rates("an unknown algorithm", "magic",
        more=["--algorithm", "magic"]),
    rates("noise", r"p\.csv", paths=bytes(range(256)) * 100), rates("given rates of other flows", r"g\.csv",
        more=["--given", "g.csv"]),
    rates("a formula as a name is written as text", "'=cmd", code=0, paths="id,path\n=cmd()|x,a\n"),
    Case("rates: no input", ["rates"], 2, "--links|--topology"),
    Case("rates: flows without a topology", ["rates", "--flows", "f.csv"], 2, "topology|flows"),
    Case("rates: a topology without flows", ["rates", "--topology", "s.toml"], 2, "flows"),
    Case("rates: a flow from a host to itself", ["rates", "--topology", "s.toml", "--flows", "f.csv"], 2, r"f\.csv:2",
         files={"f.csv": "src,dst\n1,1\n"}),
    Case("rates: a host that is not there", ["rates", "--topology", "s.toml", "--flows", "f.csv"], 2, r"f\.csv:2",
         files={"f.csv": "src,dst\n1,99\n"}),
    flows("empty", "", r"t\.csv"), flows("only a header", HEAD, r"t\.csv|flow"), flows("an unknown column",
        "src,dst,size\n", "size"),
    flows("no host", HEAD + "0,77,1kB\n", r"t\.csv:2"), flows("a host by an unknown name", HEAD + "0,nobody,1kB\n",
        r"t\.csv:2"),
    flows("to itself", HEAD + "1,1,1kB\n", r"t\.csv:2"), flows("no bytes", HEAD + "0,1,0\n", r"t\.csv:2"),
    flows("negative bytes", HEAD + "0,1,-5\n", r"t\.csv:2"), flows("bytes beyond 64 bits",
        HEAD + "0,1,99999999999999999999\n", r"t\.csv:2"),
    flows("bytes of the wrong unit", HEAD + "0,1,5ns\n", r"t\.csv:2"), flows("a negative start",
        "src,dst,bytes,start\n0,1,1kB,-1us\n", r"t\.csv:2"),
    flows("after itself", "src,dst,bytes,id,after\n0,1,1kB,a,a\n", "a"), flows("a circle",
        "src,dst,bytes,id,after\n0,1,1kB,a,b\n1,0,1kB,b,a\n", "a|b"),
    flows("after nobody", "src,dst,bytes,id,after\n0,1,1kB,a,zz\n", "zz"), flows("an id twice",
        "src,dst,bytes,id\n0,1,1kB,a\n1,0,1kB,a\n", "a"),
    flows("a weight of nan", "src,dst,bytes,weight\n0,1,1kB,nan\n", r"t\.csv:2"), flows("noise",
        bytes(range(256)) * 100, r"t\.csv"),
    trace("empty", "", r"t\.csv"), trace("only a header", TRACE, r"t\.csv|message"), trace("an unknown column",
        "time,from,to\n", "from|column"),
    trace("no host", TRACE + "0,0,77,1\n", r"t\.csv:2"), trace("a negative time", TRACE + "-1,0,1,1\n", r"t\.csv:2"),
    trace("a time beyond 64 bits", TRACE + "99999999999999999999,0,1,1\n", r"t\.csv:2"),
    trace("a circle", "time,source,destination,bytes,id,after\n0,0,1,1,a,b\n0,1,0,1,b,a\n", "a|b"),
    trace("a quote never closed", TRACE + '0,0,1,"1\n', "never closed"), trace("noise", bytes(range(256)) * 100,
        r"t\.csv"),
    trace("GOAL without ranks", "rank 0 {\n}\n", r"t\.csv"), trace("GOAL of four billion ranks",
        "num_ranks 4000000000\n", r"t\.csv"),
    trace("GOAL cut short", "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n", r"t\.csv"),
    trace("GOAL to no rank", "num_ranks 2\nrank 0 {\nl1: send 8b to 9 tag 0\n}\n", r"t\.csv:3"),
    trace("GOAL with a send that nobody receives", "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\n}\n",
        r"t\.csv"),
    trace("GOAL with a circle", "num_ranks 2\nrank 0 {\na: calc 1\nb: calc 1\na requires b\nb requires a\n}\n",
        r"t\.csv"),
    trace("GOAL with a label twice", "num_ranks 1\nrank 0 {\na: calc 1\na: calc 1\n}\n", r"t\.csv"),
    trace("GOAL with negative bytes", "num_ranks 2\nrank 0 {\nl1: send -8b to 1 tag 0\n}\n", r"t\.csv:3"),
    Case("flows: a file that is not there", ["run", "x.toml", "--out", "o"], 2, "t.csv",
         files={"x.toml": FLOWS.replace('pattern = "shift"\noffset = 1\nbytes = "20kB"',
             'pattern = "flows"\nfile = "t.csv"')}),
    sizes("sound", "0 0\n1000 50\n2000 100\n", "slowdown of flows", code=0, leaves="o"),
    sizes("empty", "", r"t\.cdf:1"), sizes("noise", bytes(range(256)) * 100, r"t\.cdf"),
    sizes("a size that is no number", "0 0\nx 100\n", r"t\.cdf:2"), sizes("an infinite size", "inf 100\n", r"t\.cdf:1"),
    sizes("shares that go down", "1 50\n2 40\n3 100\n", r"t\.cdf:2"), sizes("shares without an end", "1 50\n", "100"),
    sizes("empty flows", "0 50\n5 100\n", r"t\.cdf:1"), sizes("a million million bytes each", "1000000000000 0\n"
        "1000000000000 1\n", "no flow arrives", more='stop = "1ns"'),
    flows("phases of 1e9", "src,dst,bytes,phase\n0,1,1kB,1000000000\n", "", code=0, leaves="o", memory_mb=512),
]
