#!/usr/bin/python3
from support import ToolCase, unittest

MODULE_PAGE = "# Module\n" + "text\n" * 30


class CheckDocsTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.put("src/base/a.h", "")
        self.put("src/base/README.md", MODULE_PAGE)
        self.put("docs/a.md", "# One title (with 1e-8)\nsee [b](b.md), [top](#one-title-with-1e-8), [web](https://example.org)\n")
        self.put("docs/b.md", "## Second part\n")

    def test_good_pages_pass(self):
        self.assertEqual(self.run_tool("check_docs.py"), (0, "docs ok\n"))

    def test_a_link_to_a_missing_file_fails(self):
        self.put("README.md", "\n[map](docs/map.md)\n")
        self.assertEqual(self.run_tool("check_docs.py"), (1, "README.md:2: link to docs/map.md: no such file\n"))

    def test_a_link_to_a_missing_heading_fails(self):
        self.put("README.md", "[ok](docs/b.md#second-part) [no](docs/b.md#third-part)\n")
        self.assertEqual(self.run_tool("check_docs.py"), (1, "README.md:1: link to docs/b.md#third-part: no such heading\n"))

    def test_code_is_not_read_as_links(self):
        self.put("README.md", "```\n[a](nowhere.md)\n```\n`[a](nowhere.md)`\n")
        self.assertEqual(self.run_tool("check_docs.py")[0], 0)

    def test_a_module_without_a_page_fails(self):
        self.put("src/solve/a.h", "")
        self.assertIn("src/solve/README.md: 0 lines", self.run_tool("check_docs.py")[1])

    def test_a_module_page_that_was_formatted_as_code_fails(self):
        self.put("src/base/README.md", "#" + MODULE_PAGE[2:])
        self.assertIn("src/base/README.md:1: no title", self.run_tool("check_docs.py")[1])

    def test_a_long_decision_fails(self):
        self.put("docs/decisions/0001-x.md", "a\n" * 41)
        self.assertIn("docs/decisions/0001-x.md: 41 lines", self.run_tool("check_docs.py")[1])


if __name__ == "__main__":
    unittest.main()
