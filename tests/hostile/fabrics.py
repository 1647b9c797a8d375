# Fabrics of others: dumps of ibnetdiscover and ibdm files, cut short, doubled, contradicting themselves.
from case import Case

SWITCH = ('Switch\t4 "S-b1"\t\t# "one" enhanced port 0 lid 1 lmc 0\n[1]\t"H-a1"[1]\t\t# "a" lid 2 4xHDR\n'
          '[2]\t"H-a2"[1]\t\t# "b" lid 3 4xHDR\n')
HOSTS = 'Ca\t1 "H-a1"\t\t# "a"\n[1](1)\t"S-b1"[1]\t\t# lid 2 lmc 0 "one" lid 1 4xHDR\n' \
        'Ca\t1 "H-a2"\t\t# "b"\n[1](2)\t"S-b1"[2]\t\t# lid 3 lmc 0 "one" lid 1 4xHDR\n'


def topo(name, text, code, says, **more):
    return Case("fabric: " + name, ["topo", "c.topo", "--check"], code, says, files={"c.topo": text}, **more)


CASES = [
    topo("sound", SWITCH + HOSTS, 0, r"hosts +2"),
    topo("only blank lines", "\n\n\n", 2, r"c\.topo"),
    topo("no node", "vendid=0x2c9\n", 2, r"c\.topo"),
    topo("a port before any node", '[1] "H-a1"[1]\n', 2, r"c\.topo:1"),
    topo("a switch without ports", 'Switch 0 "S-b1" # "one"\n', 2, r"c\.topo"),
    topo("four billion ports", 'Switch 4000000000 "S-b1" # "one"\n[1] "H-a1"[1] # 4xHDR\n', 2, r"c\.topo:1"),
    topo("a number of ports beyond 64 bits", 'Switch 99999999999999999999 "S-b1" # "one"\n', 2, r"c\.topo:1"),
    topo("a port number out of range", SWITCH + '[9]\t"H-a3"[1]\n', 2, r"c\.topo:4"),
    topo("a negative port", 'Switch 4 "S-b1" # "one"\n[-1] "H-a1"[1]\n', 2, r"c\.topo:2"),
    topo("a port used twice", SWITCH + '[1]\t"H-a3"[1]\t\t# 4xHDR\n', 2, r"c\.topo"),
    topo("a name without an end", 'Switch 4 "S-b1\n', 2, r"c\.topo:1"),
    topo("an unknown speed", SWITCH.replace("4xHDR", "7xFAST") + HOSTS.replace("4xHDR", "7xFAST"), 0,
        "speed|7xFAST|guess"),
    topo("a node twice", SWITCH + SWITCH + HOSTS, 0, r"hosts +2"),
    topo("no host", 'Switch 4 "S-b1" # "one"\n[1] "S-b2"[1]\nSwitch 4 "S-b2" # "two"\n[1] "S-b1"[1]\n', 2, "host"),
    topo("two fabrics in one file", SWITCH + HOSTS + (SWITCH + HOSTS).replace("-a", "-c").replace("-b", "-d"), 0,
         "adapters without a cable to this network, left out: 2"),
    topo("noise after a sound part", (SWITCH + HOSTS).encode() + bytes(range(256)) * 50, 0, r"hosts +2"),
    topo("a line of a megabyte", SWITCH + "#" + "x" * 1000000 + "\n" + HOSTS, 0, r"hosts +2"),
    topo("escape sequences in names", (SWITCH + HOSTS).replace('"a"', '"\x1b[31m\x07a"'), 0, r"hosts +2",
        silent="\x1b\\[31m"),
    topo("an ibdm file cut short", "MTS2400 SW1\nP1 -> \n", 2, r"c\.topo:2"),
    topo("an ibdm system of unknown type", "NOSUCH9000 SW1\n  P1 -> Cougar H1 P1\n", 2, r"c\.topo:1|NOSUCH"),
    topo("an ibdm cable to itself", "MTS2400 SW1\n  P1 -> MTS2400 SW1 P1\n", 2, r"c\.topo"),
    topo("an ibdm port of no number", "MTS2400 SW1\n  Px -> Cougar H1 P1\n", 2, r"c\.topo"),
    topo("a table of cables with five columns", "MTS2400 SW1 P1 Cougar H1\n", 2, r"c\.topo"),
    Case("fabric: the wrong format", ["run", "x.toml", "--out", "o"], 2, r"c\.topo",
         files={"c.topo": SWITCH + HOSTS, "x.toml": '[topology]\nkind = "file"\npath = "c.topo"\nformat = "ibdm"\n'
                '[[traffic]]\npattern = "uniform"\nload = 0.1\n[run]\nduration = "1us"\n'}),
    Case("fabric: a path to a directory", ["topo", "x.toml"], 2, "cannot be read|directory",
         files={"x.toml": '[topology]\nkind = "file"\npath = "."\n'}),
    Case("fabric: a FIFO nobody writes to", "mkfifo p; $W topo p", 2, "p", leaves="p$"),
]
