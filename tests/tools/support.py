"""A temporary tree with a few files, and the tools of this repository run on it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(__file__).resolve().parent.parent.parent / "tools"


class ToolCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_tool(self, name, *arguments):
        """exit status and what was printed"""
        command = [sys.executable, str(TOOLS / name), *map(str, arguments or ("--root", self.root))]
        run = subprocess.run(command, capture_output=True, text=True)
        return run.returncode, run.stdout + run.stderr
