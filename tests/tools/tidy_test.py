#!/usr/bin/python3
import json
import os
import subprocess
import sys

from support import TOOLS, ToolCase, unittest


class TidyTest(ToolCase):
    """tools/tidy.py with a clang-tidy that complains about units that contain the word `bad` and writes down what it saw."""

    def setUp(self):
        super().setUp()
        self.log = self.root / "log"
        fake = self.put("bin/clang-tidy-19", f'#!/bin/sh\nfor unit; do :; done\nbasename "$unit" >>{self.log}\n! grep -n bad "$unit"\n')
        fake.chmod(0o755)
        self.put(".clang-tidy", "Checks: '*'\n")
        self.put("src/base/a.h", "#pragma once\n")
        self.put("src/base/a.cpp", '#include "base/a.h"\n')
        self.put("src/base/b.cpp", '#include "base/a.h"\n')
        self.put("src/base/c_kernel.cpp", "\n")
        units = ["a.cpp", "b.cpp", "c_kernel.cpp", "c_kernel.cpp", "c_kernel.cpp"]
        entries = [{"directory": str(self.root), "file": f"src/base/{name}", "command": f"c++ -c src/base/{name}"} for name in units]
        self.put("build/compile_commands.json", json.dumps(entries))

    def tidy(self, *files):
        """exit status, output, and the units that were looked at"""
        self.log.write_text("")
        command = [sys.executable, str(TOOLS / "tidy.py"), "--root", str(self.root), "--build", str(self.root / "build"), "--jobs", "1"]
        environment = dict(os.environ, PATH=f"{self.root}/bin:{os.environ['PATH']}")
        run = subprocess.run(command + [str(self.root / name) for name in files], capture_output=True, text=True, env=environment)
        return run.returncode, run.stdout + run.stderr, self.log.read_text().split()

    def test_a_finding_fails_and_is_shown(self):
        self.put("src/base/b.cpp", "bad\n")
        status, text, _ = self.tidy("src/base/a.cpp", "src/base/b.cpp")
        self.assertEqual(status, 1)
        self.assertIn("1:bad", text)
        self.assertIn("1 of 2 units", text)

    def test_a_kernel_is_looked_at_once_though_it_is_compiled_three_times(self):
        self.assertEqual(self.tidy("src/base/c_kernel.cpp")[2], ["c_kernel.cpp"])

    def test_a_header_is_looked_at_through_its_own_source(self):
        self.assertEqual(self.tidy("src/base/a.h")[2], ["a.cpp"])

    def test_a_clean_unit_is_not_looked_at_again_until_a_header_it_reaches_changes(self):
        self.assertEqual(self.tidy("src/base/a.cpp")[2], ["a.cpp"])
        self.assertEqual(self.tidy("src/base/a.cpp")[2], [])
        self.put("src/base/a.h", "#pragma once\nint a();\n")
        self.assertEqual(self.tidy("src/base/a.cpp")[2], ["a.cpp"])

    def test_a_unit_with_findings_is_looked_at_again(self):
        self.put("src/base/a.cpp", "bad\n")
        self.assertEqual(self.tidy("src/base/a.cpp")[0], 1)
        self.assertEqual(self.tidy("src/base/a.cpp")[0], 1)

    def test_another_configuration_looks_at_everything_again(self):
        self.tidy("src/base/a.cpp")
        self.put(".clang-tidy", "Checks: 'bugprone-*'\n")
        self.assertEqual(self.tidy("src/base/a.cpp")[2], ["a.cpp"])


if __name__ == "__main__":
    unittest.main()
