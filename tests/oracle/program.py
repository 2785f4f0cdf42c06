"""Drives the program for the tests of this folder: generate, check, read the answer."""
import atexit
import json
import os
import shutil
import subprocess
import tempfile


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        self.folder = tempfile.mkdtemp(prefix="trilith-oracle-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.folder, name)

    def generate(self, kind, name="in.json", **options):
        """path of the assembly; options by their names, with _ for -; True for a flag"""
        words = [self.path, "generate", kind, "-o", self.file(name), "--force", "--quiet"]
        for option, value in options.items():
            words.append("--" + option.replace("_", "-"))
            if value is not True:
                words.append(value if isinstance(value, str) else repr(value))
        run = subprocess.run(words, capture_output=True, text=True, timeout=60)
        if run.returncode != 0:
            raise RuntimeError(" ".join(words) + ": " + run.stderr)
        return self.file(name)

    def check(self, path, *words):
        """the answer of `check` as read from its JSON"""
        run = subprocess.run([self.path, "check", path, "--threads", "1", "--json", "-", *words], capture_output=True, text=True, timeout=120)
        if run.returncode not in (0, 1, 2):
            raise RuntimeError(f"check {path} {' '.join(words)}: exit {run.returncode}: {run.stderr}")
        return json.loads(run.stdout)

    def verdict(self, kind, words=(), **options):
        return self.check(self.generate(kind, **options), *words)["verdict"]
