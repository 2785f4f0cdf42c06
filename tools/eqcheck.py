#!/usr/bin/env python3
"""Checks equation tags such as (CONE-4): every tag cited in code or docs is defined, once, in docs/theory/*.md.

A definition is a tag at the start of a heading, `## (CONE-4) Projection`, or at the start of a bold line, `**(CONE-4)** ...`.
A tag that is defined and nowhere cited in code gives a warning, unless its line says *(background)*. Rules: docs/theory/README.md.
"""
import argparse
import collections
import pathlib
import re

DEFINITION = re.compile(r"^(?:#{1,6} +|\*\*)\(([A-Z]{2,}-\d+)\)")
TAG = r"[A-Z]{2,}-\d+"
CITATION = re.compile(rf"\(({TAG}(?:(?:, | and | to |; ){TAG})*)\)")
NOT_TAGS = ("AVX-", "SSE-", "FIPS-", "UTF-", "SHA-", "ISO-", "IEEE-", "RFC-", "ASCII-", "CT-", "DY-", "ST-")  # the last three: names of reference cases
CODE = ("src", "include", "apps", "python", "tests", "bench", "fuzz")
SUFFIXES = (".h", ".cpp", ".py", ".md", ".cmake")


def read_definitions(root):
    """tag -> list of (place, is background)"""
    definitions = collections.defaultdict(list)
    for page in sorted((root / "docs/theory").glob("*.md")):
        if page.name == "README.md":
            continue
        for number, line in enumerate(page.read_text().splitlines(), 1):
            match = DEFINITION.match(line)
            if match:
                definitions[match[1]].append((f"{page.relative_to(root)}:{number}", "*(background)*" in line))
    return definitions


def read_citations(root, tops):
    """(tag, place) of every citation under the folders `tops`"""
    for top in tops:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SUFFIXES or "tests/tools" in path.as_posix():
                continue
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
                for group in CITATION.findall(line):
                    for tag in re.findall(TAG, group):
                        if not tag.startswith(NOT_TAGS) and not DEFINITION.match(line):
                            yield tag, f"{path.relative_to(root)}:{number}"


def check(root):
    definitions = read_definitions(root)
    in_code = list(read_citations(root, CODE))
    in_docs = [(tag, place) for tag, place in read_citations(root, ("docs",)) if not place.startswith("docs/theory/README.md")]
    errors = [f"{place}: ({tag}) is defined in no docs/theory page" for tag, place in in_code + in_docs if tag not in definitions]
    errors += [f"{places[1][0]}: ({tag}) is defined again (first {places[0][0]})" for tag, places in definitions.items() if len(places) > 1]
    cited = {tag for tag, _ in in_code}
    warnings = [f"{places[0][0]}: ({tag}) is cited by no code" for tag, places in definitions.items()
                if tag not in cited and not places[0][1]]
    return errors, warnings, len(definitions), len(in_code)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    errors, warnings, defined, cited = check(parser.parse_args().root)
    for warning in warnings:
        print(f"warning: {warning}")
    print("\n".join(errors) if errors else f"tags ok: {defined} defined, {cited} citations in code")
    return 1 if errors else 0


if __name__ == "__main__":
    raise SystemExit(main())
