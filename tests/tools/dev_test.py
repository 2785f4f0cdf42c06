#!/usr/bin/python3
import os
import re
import subprocess

from support import TOOLS, ToolCase, unittest

COMMANDS = ("setup", "build", "test", "demo", "lint", "fmt", "fuzz", "bench", "docs", "ci")


class DevTest(ToolCase):
    """tools/dev with a package manager that only writes down what it is told."""

    def setUp(self):
        super().setUp()
        self.log = self.root / "log"
        self.fake("apt-get", f'echo "apt-get $*" >>{self.log}')
        self.fake("sudo", f'echo "sudo $*" >>{self.log}\n"$@"')
        self.fake("id", "echo 0")
        self.installed(".*")

    def fake(self, name, body):
        path = self.put(f"bin/{name}", f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def installed(self, pattern):
        """the packages whose names match count as installed"""
        self.fake("dpkg-query", f'for name; do :; done\necho "$name" | grep -qE "^({pattern})$" && echo "install ok installed"')

    def dev(self, *arguments):
        environment = dict(os.environ, PATH=f"{self.root}/bin:{os.environ['PATH']}")
        run = subprocess.run([str(TOOLS / "dev"), *arguments], capture_output=True, text=True, env=environment)
        return run.returncode, run.stdout, run.stderr

    def calls(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def test_help_has_one_line_for_every_command(self):
        status, text, _ = self.dev("help")
        self.assertEqual(status, 0)
        for command in COMMANDS:
            self.assertEqual(len(re.findall(rf"^  {command}\b", text, re.M)), 1, command)

    def test_an_unknown_command_is_refused(self):
        status, _, errors = self.dev("deploy")
        self.assertEqual(status, 1)
        self.assertIn("unknown command 'deploy'", errors)

    def test_setup_is_silent_and_asks_no_archive_when_all_is_there(self):
        self.assertEqual(self.dev("setup"), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_setup_names_and_installs_only_what_is_missing(self):
        self.installed("[^n].*")
        status, _, errors = self.dev("setup", "build")
        self.assertEqual(status, 0)
        self.assertIn("installing ninja-build nlohmann-json3-dev", errors)
        self.assertEqual(self.calls()[0], "apt-get update -qq")
        self.assertRegex(self.calls()[1], r"^apt-get install -y -qq --no-install-recommends ninja-build nlohmann-json3-dev$")

    def test_without_root_it_uses_sudo(self):
        self.fake("id", "echo 1000")
        self.installed("[^n].*")
        self.assertEqual(self.dev("setup", "build")[0], 0)
        self.assertEqual(self.calls()[0], "sudo apt-get update -qq")

    def test_an_unknown_group_is_refused(self):
        status, _, errors = self.dev("setup", "games")
        self.assertEqual(status, 1)
        self.assertIn("no group 'games'", errors)

    def test_every_group_that_a_script_needs_is_in_the_list(self):
        groups = {line.split(":")[0] for line in (TOOLS / "packages.txt").read_text().splitlines() if ":" in line and line[0] != "#"}
        text = (TOOLS / "dev").read_text() + (TOOLS / "lint.sh").read_text() + (TOOLS.parent / ".ci/run").read_text()
        needed = re.findall(r"^\s*(?:need|tools/dev setup)((?: [a-z]+)+)$", text, re.M)
        self.assertGreaterEqual(len(needed), 5)
        self.assertLessEqual({group for line in needed for group in line.split()}, groups)


if __name__ == "__main__":
    unittest.main()
