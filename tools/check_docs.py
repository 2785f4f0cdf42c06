#!/usr/bin/env python3
"""Checks the Markdown pages: links to files and headings of this repository, module pages with a title and 20 to 60 lines, decisions of at most 40."""
import argparse
import pathlib
import re

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
MODULE_LINES = (20, 60)
DECISION_LIMIT = 40
SKIPPED = {"build", ".git", "node_modules"}


def pages(root):
    return sorted(page for page in root.rglob("*.md") if not SKIPPED & set(page.relative_to(root).parts))


def prose(page):
    """lines outside of code fences, with their numbers"""
    fenced = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(page):
    for _, line in prose(page):
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            yield title.replace(" ", "-")


def broken_links(root):
    for page in pages(root):
        for number, line in prose(page):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                path = (page.parent / name) if name else page
                place = f"{page.relative_to(root)}:{number}"
                if not path.exists():
                    yield f"{place}: link to {target}: no such file"
                elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                    yield f"{place}: link to {target}: no such heading"


def page_lengths(root):
    for module in sorted(path for path in (root / "src").glob("*") if path.is_dir() and any(path.glob("*.*"))):
        page = module / "README.md"
        text = page.read_text() if page.exists() else ""
        lines = len(text.splitlines())
        if text and not text.startswith("# "):
            yield f"{page.relative_to(root)}:1: no title: was the page formatted as code?"
        if not MODULE_LINES[0] <= lines <= MODULE_LINES[1]:
            yield f"{page.relative_to(root)}: {lines} lines, a module page has {MODULE_LINES[0]} to {MODULE_LINES[1]}"
    for page in sorted((root / "docs/decisions").glob("[0-9]*.md")):
        lines = len(page.read_text().splitlines())
        if lines > DECISION_LIMIT:
            yield f"{page.relative_to(root)}: {lines} lines, a decision has at most {DECISION_LIMIT}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    root = parser.parse_args().root
    found = list(broken_links(root)) + list(page_lengths(root))
    print("\n".join(found) if found else "docs ok")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
