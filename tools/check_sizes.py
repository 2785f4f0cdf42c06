#!/usr/bin/env python3
"""Fails on files over 800 lines and on Python functions over 80. C++ functions are measured by clang-tidy (readability-function-size)."""
import argparse
import ast
import pathlib

FILE_LIMIT = 800
FUNCTION_LIMIT = 80
TOPS = ("src", "include", "apps", "python", "tests", "bench", "fuzz", "tools", "cmake")
SUFFIXES = (".h", ".cpp", ".py", ".sh", ".cmake", "")


def long_functions(path, text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LIMIT:
                yield f"{path}:{node.lineno}: function {node.name} has {length} lines, limit {FUNCTION_LIMIT}"


def faults(root):
    for top in TOPS:
        for path in sorted((root / top).rglob("*")):
            if not path.is_file() or path.suffix not in SUFFIXES or "corpus" in path.parts:
                continue
            text = path.read_text(errors="replace")
            name = path.relative_to(root)
            if text.count("\n") > FILE_LIMIT:
                yield f"{name}: {text.count(chr(10))} lines, limit {FILE_LIMIT}"
            if path.suffix == ".py":
                yield from long_functions(name, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    found = list(faults(parser.parse_args().root))
    print("\n".join(found) if found else "sizes ok")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
