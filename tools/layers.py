#!/usr/bin/env python3
"""Checks every #include of src/, apps/ and python/ against tools/layers.txt, and of include/ against itself.

A module may include itself, `trilith/` and what its line in the table lists; public headers only `trilith/`. Outside headers that
tools/outside_headers.txt names stay inside the files it lists. Prints `layers ok`, or one line FILE:LINE per fault and exit 1.
"""
import argparse
import pathlib
import re

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')


def read_table(path):
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return {name.strip(): allowed.split() for name, allowed in (line.split(":", 1) for line in lines if line)}


def files(root):
    for top in ("src", "apps", "python", "include"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cpp"):
                parts = path.relative_to(root).parts
                yield path, parts[1] if top == "src" else top


def faults(root):
    layers, outside = read_table(root / "tools/layers.txt"), read_table(root / "tools/outside_headers.txt")
    layers["include"] = []
    for path, module in files(root):
        allowed = layers.get(module)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            place = f"{path.relative_to(root)}:{number}"
            if allowed is None:
                yield f"{place}: module {module} is not in tools/layers.txt"
                break
            if match and match[1] == '"':
                target = match[2].split("/")[0]
                if target not in (module, "trilith") and allowed != ["*"] and target not in allowed:
                    yield f'{place}: {module} must not include {target} ("{match[2]}")'
            elif match:
                homes = next((homes for header, homes in outside.items() if match[2].startswith(header)), None)
                if homes is not None and str(path.relative_to(root)) not in homes:
                    yield f"{place}: <{match[2]}> belongs in {' '.join(homes)} only"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    found = list(faults(parser.parse_args().root))
    print("\n".join(found) if found else "layers ok")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
