#!/usr/bin/python3
from support import ToolCase, unittest


class LayersTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.put("tools/layers.txt", "# a table\nbase:\nsolve: base\nstatics: base solve\napps: *\n")
        self.put("tools/outside_headers.txt", "gmp: src/base/exact.cpp\n")
        self.put("src/base/a.h", '#include <vector>\n#include "trilith/vec.h"\n#include "base/b.h"\n')
        self.put("src/solve/a.cpp", '#include "base/a.h"\n')
        self.put("apps/cli/main.cpp", '#include "statics/check.h"\n#include "cli/other.h"\n')

    def test_a_tree_that_follows_the_table_passes(self):
        self.assertEqual(self.run_tool("layers.py"), (0, "layers ok\n"))

    def test_an_upward_include_is_named_with_file_and_line(self):
        self.put("src/solve/b.h", '#pragma once\n#include "statics/check.h"\n')
        status, text = self.run_tool("layers.py")
        self.assertEqual(status, 1)
        self.assertIn("src/solve/b.h:2: solve must not include statics", text)

    def test_an_include_of_no_module_fails(self):
        self.put("src/base/c.cpp", '#  include "helper.h"\n')
        self.assertIn("src/base/c.cpp:1: base must not include helper.h", self.run_tool("layers.py")[1])

    def test_a_module_that_is_not_in_the_table_fails(self):
        self.put("src/extra/c.cpp", "\n")
        self.assertIn("module extra is not in tools/layers.txt", self.run_tool("layers.py")[1])

    def test_a_public_header_may_not_reach_into_the_library(self):
        self.put("include/trilith/c.h", '#include "base/a.h"\n')
        self.assertIn("include must not include base", self.run_tool("layers.py")[1])

    def test_an_outside_header_stays_behind_its_door(self):
        self.put("src/base/exact.cpp", "#include <gmpxx.h>\n")
        self.assertEqual(self.run_tool("layers.py")[0], 0)
        self.put("src/solve/c.cpp", "#include <gmp.h>\n")
        self.assertIn("src/solve/c.cpp:1: <gmp.h> belongs in src/base/exact.cpp only", self.run_tool("layers.py")[1])


if __name__ == "__main__":
    unittest.main()
