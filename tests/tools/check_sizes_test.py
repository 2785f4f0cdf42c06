#!/usr/bin/python3
from support import ToolCase, unittest


class CheckSizesTest(ToolCase):
    def test_a_file_at_the_limit_passes_and_one_line_more_fails(self):
        self.put("src/base/a.cpp", "\n" * 800)
        self.assertEqual(self.run_tool("check_sizes.py"), (0, "sizes ok\n"))
        self.put("src/base/a.cpp", "\n" * 801)
        self.assertEqual(self.run_tool("check_sizes.py"), (1, "src/base/a.cpp: 801 lines, limit 800\n"))

    def test_a_script_without_suffix_counts(self):
        self.put("tools/dev", "\n" * 900)
        self.assertIn("tools/dev: 900 lines", self.run_tool("check_sizes.py")[1])

    def test_a_long_python_function_is_named(self):
        self.put("tools/a.py", "def short():\n    pass\n\n\ndef long():\n" + "    pass\n" * 80)
        self.assertEqual(self.run_tool("check_sizes.py"), (1, "tools/a.py:5: function long has 81 lines, limit 80\n"))


if __name__ == "__main__":
    unittest.main()
