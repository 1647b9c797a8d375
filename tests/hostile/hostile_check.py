#!/usr/bin/env python3
# Attacks on weir by its command line, its input files, its outputs, signals and its server. Every case names the exit
# code, a pattern of the message, what may stay behind, and limits of memory and time.
#
# usage: hostile_check.py WEIR [--show] [PATTERN]    --show: what weir answers; PATTERN: only cases with such a name
import concurrent.futures
import os
import re
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is

import commands
import fabrics
import outputs
import scenarios
import serving
import tables
import work

GROUPS = (commands, scenarios, fabrics, tables, outputs, serving, work)


def main(arguments):
    show = "--show" in arguments
    weir, *rest = [word for word in arguments if word != "--show"]
    cases = [case for group in GROUPS for case in group.CASES if not rest or re.search(rest[0], case.name)]
    names = [case.name for case in cases]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        print(f"names used twice: {doubled}")
        return 2
    limited = os.environ.get("WEIR_SANITIZED") is None  # a sanitizer reserves terabytes
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda case: case.run(os.path.abspath(weir), limited), cases))
    for case, (wrong, text, took) in zip(cases, results):
        if wrong or show:
            answer = text.strip().replace("\n", "\n      ")[-700:]
            print(f"{'FAILED' if wrong else 'ok'} {case.name} ({took:.1f} s): {wrong}\n    {case.words}\n      "
                f"{answer}")
        failures += bool(wrong)
    print(f"note: {len(cases)} attacks, {failures} failed; the longest took {max(r[2] for r in results):.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
