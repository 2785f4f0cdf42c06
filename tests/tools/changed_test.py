#!/usr/bin/python3
import os
import shutil
import subprocess

from support import TOOLS, ToolCase, unittest


@unittest.skipUnless(shutil.which("git"), "no git")
class ChangedTest(ToolCase):
    """what `tools/dev lint --changed` looks at"""

    def setUp(self):
        super().setUp()
        self.repository = self.root / "repository"
        self.repository.mkdir()
        self.git("init", "-q", "-b", "main")
        self.commit("old.cpp")
        self.commit("base.cpp")

    def git(self, *arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *identity, *arguments], cwd=self.repository, check=True, capture_output=True)

    def commit(self, name):
        self.put(f"repository/{name}", "\n")
        self.git("add", name)
        self.git("commit", "-q", "-m", name)

    def changed(self, folder="repository", **environment):
        script = f"preset=release jobs=1; source {TOOLS}/lint.sh; changed_files"
        run = subprocess.run(["bash", "-c", script], cwd=self.root / folder, capture_output=True, text=True, check=True,
                             env=dict({k: v for k, v in os.environ.items() if k != "TRILITH_BASE"}, **environment))
        return run.stdout.split()

    def test_on_a_branch_it_is_everything_since_the_fork_from_main(self):
        self.git("checkout", "-q", "-b", "work")
        self.commit("one.cpp")
        self.commit("two.cpp")
        self.assertEqual(self.changed(), ["one.cpp", "two.cpp"])

    def test_on_main_it_is_the_last_commit(self):
        self.assertEqual(self.changed(), ["base.cpp"])

    def test_edited_and_new_files_count_and_removed_ones_do_not(self):
        self.put("repository/old.cpp", "edited\n")
        self.put("repository/new.cpp", "\n")
        (self.repository / "base.cpp").unlink()
        self.assertEqual(self.changed(), ["new.cpp", "old.cpp"])

    def test_the_base_can_be_named(self):
        self.commit("one.cpp")
        self.assertEqual(self.changed(TRILITH_BASE="HEAD~2"), ["base.cpp", "one.cpp"])

    def test_in_a_clone_of_depth_one_it_is_everything(self):
        subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{self.repository}", str(self.root / "clone")], check=True)
        self.assertEqual(self.changed("clone"), ["base.cpp", "old.cpp"])


if __name__ == "__main__":
    unittest.main()
