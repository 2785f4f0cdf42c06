#!/usr/bin/env python3
"""Runs clang-tidy-19 over translation units of a build folder, each once, in parallel, and remembers what was clean.

A file that is named without being compiled itself (a header) is checked through one unit that includes it. A unit is clean in the
cache of the build folder while its text, the project headers it reaches, its command and .clang-tidy stay the same.
"""
import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import time

TIDY = "clang-tidy-19"
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
GNU_ONLY = ("-Wno-restrict", "-Wno-maybe-uninitialized", "-Wno-stringop-overflow", "-Wno-stringop-overread", "-Wno-dangling-pointer")
PRECOMPILED = re.compile(r" (-Winvalid-pch|-include \S*cmake_pch\.hxx)")  # of g++ too: what a source includes is what it needs
ROOTS = ("src", "include", "apps", "tests", "bench", "fuzz")


class Sources:
    """The include graph of the project's own files."""

    def __init__(self, root):
        self.root = root
        self.texts = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = path.read_text(errors="replace")
        return self.texts[path]

    def includes(self, path):
        for name in INCLUDE.findall(self.text(path)):
            for base in [path.parent] + [self.root / top for top in ROOTS]:
                if (base / name).is_file():
                    yield (base / name).resolve()
                    break

    def reached(self, unit):
        """`unit` and every project file it includes, sorted"""
        seen, todo = {unit}, [unit]
        while todo:
            for path in self.includes(todo.pop()):
                if path not in seen:
                    seen.add(path)
                    todo.append(path)
        return sorted(seen)


def read_units(build, root):
    """path -> compile command; the first of several (a kernel is compiled once per instruction set)"""
    units = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        for option in GNU_ONLY:
            entry["command"] = entry["command"].replace(" " + option, "")
        entry["command"] = PRECOMPILED.sub("", entry["command"])
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if root in path.parents:
            units.setdefault(path, dict(entry, file=str(path)))
    return units


def choose_units(units, wanted, sources):
    """the units of `wanted`, and for each header among them one unit that includes it, its own .cpp or test first"""
    chosen = {path for path in wanted if path in units}
    for header in (path for path in wanted if path.suffix == ".h"):
        users = [unit for unit in units if header in sources.reached(unit)]
        if users and not chosen & set(users):
            chosen.add(min(users, key=lambda unit: (not unit.stem.startswith(header.stem), len(sources.reached(unit)), str(unit))))
    return sorted(chosen)


def fingerprint(unit, command, sources, config):
    digest = hashlib.sha256((command + config).encode())
    for path in sources.reached(unit):
        digest.update(str(path.relative_to(sources.root)).encode() + sources.text(path).encode())
    return digest.hexdigest()


def check_unit(unit, database):
    run = subprocess.run([TIDY, "--quiet", "-p", str(database), str(unit)], capture_output=True, text=True)
    noise = re.compile(r"^\d+ warnings? (generated|treated)|^Suppressed|^Use -header-filter|^$")
    lines = [line for line in (run.stdout + run.stderr).splitlines() if not noise.match(line)]
    return run.returncode, "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="begin no further unit after this time; what is left is counted, not failed")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    root = options.root.resolve()
    sources, units = Sources(root), read_units(options.build, root)
    chosen = choose_units(units, {path.resolve() for path in options.files}, sources)

    # one command per unit, where clang-tidy looks for it
    database = options.build / "tidy"
    (database / "clean").mkdir(parents=True, exist_ok=True)
    (database / "compile_commands.json").write_text(json.dumps([units[unit] for unit in chosen]))
    config = (root / ".clang-tidy").read_text()
    stamps = {unit: database / "clean" / fingerprint(unit, units[unit]["command"], sources, config) for unit in chosen}
    todo = [unit for unit in chosen if not stamps[unit].exists()]

    end = time.monotonic() + options.seconds if options.seconds else float("inf")
    in_time = lambda unit: check_unit(unit, database) if time.monotonic() < end else (None, "")
    failed = left = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for unit, (status, text) in zip(todo, pool.map(in_time, todo)):
            if status is None:
                left += 1
            elif status:
                failed += 1
                print(text, flush=True)
            else:
                stamps[unit].touch()
    print(f"clang-tidy: {failed} of {len(todo)} units with findings ({len(chosen) - len(todo)} unchanged since they were clean)")
    if left:
        print(f"clang-tidy: {left} units were left out for lack of time: run tools/dev lint")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
