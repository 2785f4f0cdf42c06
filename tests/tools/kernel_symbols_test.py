#!/usr/bin/python3
import shutil
import subprocess

from support import ToolCase, unittest

WEAK = "template <class T> __attribute__((noinline)) T twice(T a) { return a + a; }\ndouble f(double a) { return twice(a); }\n"


@unittest.skipUnless(shutil.which("g++") and shutil.which("nm"), "no compiler")
class KernelSymbolsTest(ToolCase):
    def compile(self, folder, text):
        source = self.put("k.cpp", text)
        target = self.root / "build" / folder / "k.cpp.o"
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["g++", "-O2", "-c", str(source), "-o", str(target)], check=True)

    def test_a_template_that_was_not_inlined_is_found_in_a_v3_object(self):
        self.compile("trilith_base_v3.dir", WEAK)
        status, text = self.run_tool("kernel_symbols.py", self.root / "build")
        self.assertEqual(status, 1)
        self.assertIn("trilith_base_v3.dir/k.cpp.o: weak symbol double twice<double>(double)", text)

    def test_static_functions_pass_and_the_baseline_may_be_weak(self):
        self.compile("trilith_base_v4.dir", "static double twice(double a) { return a + a; }\ndouble f(double a) { return twice(a); }\n")
        self.compile("trilith_base_baseline.dir", WEAK)
        self.assertEqual(self.run_tool("kernel_symbols.py", self.root / "build"), (0, "kernel symbols ok: 1 objects\n"))

    def test_no_objects_at_all_is_a_failure(self):
        self.put("build/empty", "")
        self.assertEqual(self.run_tool("kernel_symbols.py", self.root / "build")[0], 1)


if __name__ == "__main__":
    unittest.main()
