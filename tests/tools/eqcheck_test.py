#!/usr/bin/python3
from support import ToolCase, unittest


class EqcheckTest(ToolCase):
    def setUp(self):
        super().setUp()
        self.put("docs/theory/cones.md", "## (CONE-1) The cone\ntext\n**(CONE-2)** `a = b`\n")
        self.put("src/cones/a.h", "// projection (CONE-1, CONE-2)\n")

    def test_defined_and_cited_tags_pass(self):
        self.assertEqual(self.run_tool("eqcheck.py"), (0, "tags ok: 2 defined, 2 citations in code\n"))

    def test_an_undefined_citation_fails_with_its_place(self):
        self.put("tests/cones/a_test.cpp", "\n// see (CONE-3)\n")
        status, text = self.run_tool("eqcheck.py")
        self.assertEqual(status, 1)
        self.assertIn("tests/cones/a_test.cpp:2: (CONE-3) is defined in no docs/theory page", text)

    def test_a_second_tag_of_one_pair_of_brackets_is_seen(self):
        self.put("src/cones/b.h", "// (CONE-1, QP-9)\n")
        self.assertIn("src/cones/b.h:1: (QP-9)", self.run_tool("eqcheck.py")[1])

    def test_a_citation_in_a_theory_page_counts(self):
        self.put("docs/theory/other.md", "by (RBE-77) it follows\n")
        self.assertIn("docs/theory/other.md:1: (RBE-77)", self.run_tool("eqcheck.py")[1])

    def test_a_tag_within_a_line_is_no_definition(self):
        self.put("docs/theory/other.md", "the tag (RBE-1) is here, **bold (RBE-1)** too\n")
        self.assertEqual(self.run_tool("eqcheck.py")[0], 1)

    def test_a_tag_defined_twice_fails(self):
        self.put("docs/theory/more.md", "**(CONE-2)** again\n")
        status, text = self.run_tool("eqcheck.py")
        self.assertEqual(status, 1)
        self.assertIn("docs/theory/more.md:1: (CONE-2) is defined again", text)

    def test_a_tag_that_no_code_cites_gives_a_warning_only(self):
        self.put("docs/theory/more.md", "**(CONE-3)** unused\n**(CONE-4)** *(background)* unused\n")
        status, text = self.run_tool("eqcheck.py")
        self.assertEqual(status, 0)
        self.assertIn("warning: docs/theory/more.md:1: (CONE-3)", text)
        self.assertNotIn("CONE-4", text)

    def test_names_of_standards_and_cases_are_no_tags(self):
        self.put("src/cones/b.h", "// bytes (UTF-8), (SHA-256), case (ST-11)\n")
        self.assertEqual(self.run_tool("eqcheck.py")[0], 0)


if __name__ == "__main__":
    unittest.main()
