"""`trilith qp` from outside. Usage: qp_test.py PATH_OF_TRILITH"""
import json, unittest

from cli_test import InFolder, run


class Programs(InFolder):
    def qp(self, doc, *args):
        code, out, err = run("qp", self.write("qp.json", doc), "--json", "-", *args)
        return code, json.loads(out) if out else None, err

    def test_both_engines_give_the_answer_and_are_echoed(self):
        doc = {"P_diag": [1, 2], "q": [-3, -2], "A": [[1, 1], [1, 0], [0, 1]], "l": ["-inf", 0, 0], "u": [2, "Infinity", "1e30"]}
        for engine in ("auto", "ipm", "admm"):
            code, out, err = self.qp(doc, "--solver", engine)
            self.assertEqual((code, out["status"], out["settings"]["solver"]), (0, "solved", engine), err)
            self.assertTrue(out["certificate"]["verified"])
            for x, want in zip(out["x"], (5 / 3, 1 / 3)):
                self.assertAlmostEqual(x, want, 7)
        self.assertEqual(run("qp", self.write("a.json", doc), "--solver", "osqp")[0], 64)

    def test_a_minimiser_comes_with_its_proof(self):
        code, result, err = self.qp({"P_diag": [1, 2], "q": [-3, -2], "A": [[1, 1], [1, 0], [0, 1]], "l": [None, 0, 0], "u": [2, None, 1e30]})
        self.assertEqual((code, err, result["status"]), (0, "", "solved"))
        for got, want in zip(result["x"], (5 / 3, 1 / 3)):
            self.assertAlmostEqual(got, want, 8)
        self.assertAlmostEqual(result["y"][0], 4 / 3, 7)
        self.assertAlmostEqual(result["objective"], -25 / 6, 8)
        self.assertEqual((result["certificate"]["kind"], result["certificate"]["verified"]), ("kkt_point", True))
        self.assertTrue({"schema", "engine", "input_sha256", "settings", "iterations", "time_s", "warnings"} <= set(result))

    def test_contradicting_rows_and_falling_costs_are_exit_1_with_a_ray(self):
        code, result, _ = self.qp({"q": [0, 0], "soc": [{"t": 1, "rows": [0, 1]}], "A": [[1, 0]], "l": [1.5], "u": [None]})
        self.assertEqual((code, result["status"], result["x"]), (1, "primal_infeasible", None))
        self.assertEqual((result["certificate"]["kind"], result["certificate"]["verified"]), ("infeasibility_ray", True))
        y, soc = result["certificate"]["y"], result["certificate"]["soc"]
        self.assertAlmostEqual(y[0] + soc[0], 0, 8)
        self.assertLess(-1.5 * abs(y[0]) + (soc[0] ** 2 + soc[1] ** 2) ** 0.5, 0)
        code, result, _ = self.qp({"q": [1]})
        self.assertEqual((code, result["status"], result["certificate"]["ray"]), (1, "dual_infeasible", [-1.0]))

    def test_bad_programs_are_refused_by_path(self):
        for doc, where in (({"q": [1], "P_diag": [1, 2]}, "/P_diag"), ({"q": ["a"]}, "/q/0"), ({"q": [1], "A": [[1]], "l": [2], "u": [1]}, "/l/0"), ({}, ":/"), ({"P": [[0, 1], [1, 0]]}, "/P")):
            code, result, err = self.qp(doc)
            self.assertEqual((code, result), (65, None), doc)
            self.assertIn(where, err)
        self.assertEqual(run("qp", self.write("a.json", {"q": [1]}), "--tolerance", "2")[0], 64)
        self.assertEqual(run("qp", self.path("absent.json"))[0], 74)

    def test_a_zero_time_limit_is_exit_2(self):
        code, result, err = self.qp({"P_diag": [1, 2], "q": [-3, -2], "A": [[1, 1]], "l": [0], "u": [2]}, "--time-limit", "0")
        self.assertEqual((code, result["status"]), (2, "time_limit"), err)

    def test_text_shows_the_point_and_the_proof(self):
        code, out, err = run("qp", self.write("qp.json", {"P_diag": [1], "q": [-2]}))
        self.assertEqual(code, 0)
        self.assertIn("x[0] = ", out)
        self.assertIn("Proved", out)


if __name__ == "__main__":
    unittest.main()
