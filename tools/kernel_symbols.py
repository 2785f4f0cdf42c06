#!/usr/bin/env python3
"""Fails on weak symbols in kernel objects of the v3 and v4 instruction sets under a build folder.

The linker keeps one copy of a weak symbol: were it the one compiled for v4, an older CPU would run it. docs/decisions/0001.
"""
import pathlib
import re
import subprocess
import sys

KERNEL_FOLDER = re.compile(r"_(v3|v4)\.dir$")
# a constant that says where the unwinder's routine is: the same in every object
HARMLESS = {"DW.ref.__gxx_personality_v0"}


def kernel_objects(build):
    return sorted(path for path in build.rglob("*.o") if any(KERNEL_FOLDER.search(part) for part in path.parts))


def weak_symbols(path):
    listing = subprocess.run(["nm", "--defined-only", "--demangle", str(path)], capture_output=True, text=True, check=True).stdout
    for line in listing.splitlines():
        match = re.match(r"[0-9a-f]* +([VWuvw]) (.*)", line)
        if match and match[2] not in HARMLESS:
            yield match[2]


def main():
    build = pathlib.Path(sys.argv[1])
    objects = kernel_objects(build)
    if not objects:
        print(f"{build}: no kernel objects found")
        return 1
    found = [f"{path.relative_to(build)}: weak symbol {name}" for path in objects for name in weak_symbols(path)]
    print("\n".join(found) if found else f"kernel symbols ok: {len(objects)} objects")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
