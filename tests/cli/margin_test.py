"""`trilith margin` from outside. Usage: margin_test.py PATH_OF_TRILITH"""
import json, signal, subprocess, time, unittest

from cli_test import PROGRAM, InFolder, box, run


class Margin(InFolder):
    """A column of 1 x 1 x 2 on a wide floor: tips at half its weight, slides at its friction."""
    def column(self, friction=0.8, **more):
        return {"units": "m", "friction": friction, "density": 1000, "gravity": [0, 0, -10],
                "blocks": [box("floor", (-5, -5, -1), (10, 10, 1), fixed=True), box("column", size=(1, 1, 2))], **more}

    def margin(self, doc, *args):
        code, out, err = run("margin", self.write("in.json", doc), "--json", "-", *args)
        return code, json.loads(out) if out else None, err

    def test_result_has_the_keys_of_the_contract(self):
        code, out, err = self.margin(self.column())
        self.assertEqual(code, 0, err)
        for key in ("schema", "engine", "input_sha256", "settings", "load", "tilt", "critical_friction", "erosion_factor", "capacity_N", "settlement_m",
                    "non_associative", "collapse", "warnings"):
            self.assertIn(key, out)
        self.assertEqual(len(out["load"]), 4)
        for row in out["load"]:
            self.assertAlmostEqual(row["load_factor"], 0.5, 6)
            self.assertLess(row["falls_from"] - row["stands_to"], 1e-6)
        self.assertEqual(out["critical_friction"], 0)
        self.assertEqual(set(out["collapse"]["bodies"][0]) & {"id", "velocity"}, {"id", "velocity"})
        self.assertEqual(out["collapse"]["bodies"][0]["id"], "column")
        self.assertIn("sliding_power_W", out["collapse"]["joints"][0])

    def test_each_question_is_answered(self):
        code, out, err = self.margin(self.column(0.3), "--load", "1,0,0", "--tilt", "0", "--tilt", "90", "--friction-limit", "--live", "column,1000,0,0",
                                     "--capacity", "column,0,-7,0", "--erosion", "--non-associative")
        self.assertEqual(code, 0, err)
        self.assertAlmostEqual(out["load"][0]["load_factor"], 0.3, 6)
        self.assertAlmostEqual(out["load"][1]["load_factor"], 6, 5)
        self.assertIsNone(out["load"][1]["direction"])
        self.assertEqual([round(t["angle_deg"], 4) for t in out["tilt"]], [16.6992, 16.6992])
        self.assertAlmostEqual(out["capacity_N"], 6000, 2)
        self.assertEqual(out["erosion_factor"], 0)
        self.assertAlmostEqual(out["non_associative"][0], 0, 6)
        self.assertAlmostEqual(out["non_associative"][1], 0.3, 6)

    def test_oppenheims_arch_is_made_and_met(self):
        path = self.path("arch.json")
        self.assertEqual(run("generate", "arch", "--count", "7", "--angle", "157.5", "--thickness", "0.15", "-o", path)[0], 0)
        code, out, err = run("margin", path, "--load", "1,0,0", "--json", "-")
        self.assertAlmostEqual(json.loads(out)["load"][0]["load_factor"], 0.37361, 5)
        self.assertEqual(run("generate", "arch", "--angle", "181", "-o", path, "--force")[0], 64)
        whole, plain = self.path("whole.json"), self.path("plain.json")
        for target, args in ((whole, ["--angle", "180"]), (plain, [])):
            self.assertEqual(run("generate", "arch", *args, "-o", target)[0], 0)
        with open(whole, "rb") as a, open(plain, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_a_support_that_gives_way(self):
        code, out, err = self.margin(self.column(), "--settle", "floor,0,0,-2", "--settle", "floor,1,0,0")
        self.assertEqual(code, 0, err)
        self.assertEqual(out["load"], [])
        self.assertIsNone(out["settlement_m"])
        self.assertIn("infinitesimal", out["settlement_reason"])
        down, side = out["settle"]
        self.assertEqual((down["id"], down["direction"], down["follows"]), ("floor", [0, 0, -1], True))
        for value, wanted in zip(down["reaction_N"] + side["reaction_N"], (20000, 20000, 0, 0)):
            self.assertAlmostEqual(value, wanted, 1)
        self.assertEqual([body["id"] for body in down["collapse"]["bodies"] if body["velocity"] != [0] * 6], ["floor", "column"])
        text = run("margin", self.path("in.json"), "--settle", "floor,0,0,-1")[1]
        self.assertIn("Support floor along (0, 0, -1): pushed with 20000 N to 20000 N", text)
        self.assertEqual(run("margin", self.path("in.json"), "--settle", "column,0,0,-1")[0], 65)
        self.assertEqual(run("margin", self.path("in.json"), "--settle", "floor,0,0,0")[0], 64)

    def test_what_has_no_end_is_null(self):
        code, out, err = self.margin(self.column(), "--load", "0,0,-1")
        self.assertEqual((code, out["load"][0]["load_factor"], out["load"][0]["unbounded"]), (0, None, True), err)

    def test_given_loads_and_joints_that_pull_count(self):
        joint = {"a": "floor", "b": "column", "polygon": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], "tension_N": 8000}
        doc = self.column(interfaces=[joint], loads=[{"block": "column", "force_N": [2000, 0, 0]}])
        code, out, err = self.margin(doc, "--load", "1,0,0")
        self.assertEqual((code, round(out["load"][0]["load_factor"], 6)), (0, 0.6), err)

    def test_a_tower_of_another_unit_is_the_same(self):
        doc = self.column(units="mm")
        for block in doc["blocks"]:
            block["vertices"] = [[1000 * c for c in v] for v in block["vertices"]]
        self.assertAlmostEqual(self.margin(doc, "--load", "0,1,0")[1]["load"][0]["load_factor"], 0.5, 6)

    def test_text_says_which_way_it_goes_and_which_block_moves(self):
        code, out, err = run("margin", self.write("in.json", self.column()), "--load", "1,0,0")
        self.assertEqual(code, 0, err)
        for words in ("Pushed along (1, 0, 0): stands to 0.5", "column", "turns about its edge"):
            self.assertIn(words, out)

    def test_wrong_words_and_unknown_blocks(self):
        path = self.write("in.json", self.column())
        for args in (["--load", "1,2"], ["--load", "0,0,0"], ["--tilt", "x"], ["--live", "column"], ["--capacity", "column,1,2"], ["--time-limit", "-1"]):
            self.assertEqual(run("margin", path, *args)[0], 64, args)
        code, out, err = run("margin", path, "--live", "colum,1,0,0")
        self.assertEqual(code, 65)
        self.assertIn("column", err)
        self.assertEqual(run("margin", path, "--capacity", "floor,1,0,0")[0], 65)

    def test_only_the_way_of_a_direction_counts_however_long_it_is(self):
        for length in ("1e300", "1e-300", "7"):
            code, out, err = self.margin(self.column(), "--load", length + ",0,0", "--capacity", "column," + length + ",0,0", "--settle", "floor,0,0," + length)
            self.assertAlmostEqual(out["settle"][0]["reaction_N"][0], -20000, 2)
            self.assertEqual((code, out["load"][0]["unbounded"]), (0, False), err)
            self.assertAlmostEqual(out["load"][0]["load_factor"], 0.5, 6)
            self.assertAlmostEqual(out["capacity_N"], 10000, 2)
        for args in (["--live", "column,1e200,0,0"], ["--live", "column,1e-200,0,0"], ["--tilt", "1e17"]):
            self.assertEqual(run("margin", self.write("in.json", self.column()), *args)[0], 64, args)

    def test_text_claims_no_proof_of_what_is_undecided(self):
        path = self.write("in.json", self.column())
        self.assertIn("Every limit is proved", run("margin", path, "--load", "1,0,0")[1])
        code, out, err = run("margin", path, "--load", "1,0,0", "--time-limit", "0")
        self.assertEqual(code, 2)
        self.assertNotIn("Every limit is proved", out)

    def test_capacity_is_not_rounded_up(self):
        doc = self.column()
        doc["density"] = 1234.567
        out = run("margin", self.write("in.json", doc), "--capacity", "column,1,0,0")[1]
        self.assertIn("carries 12345.6", out)

    def test_a_weightless_block_is_told_as_such(self):
        code, out, err = self.margin(self.column() | {"gravity": [0, 0, 0]}, "--load", "1,0,0")
        self.assertEqual((out["load"][0]["unbounded"], out["load"][0]["reason"]), (True, "the load is zero"))

    def test_a_zero_time_limit_is_undecided_and_quick(self):
        code, out, err = self.margin(self.column(), "--time-limit", "0")
        self.assertEqual(code, 2, err)
        self.assertFalse(any(row["decided"] for row in out["load"]))

    def test_an_interrupt_is_exit_130_with_what_was_found(self):
        path = self.path("wall.json")
        self.assertEqual(run("generate", "wall", "--columns", 60, "--rows", 40, "-o", path)[0], 0)
        p = subprocess.Popen([PROGRAM, "margin", path, "--polar", "3600", "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        time.sleep(1)
        p.send_signal(signal.SIGINT)
        out = p.communicate(timeout=30)[0]
        self.assertEqual(p.returncode, 130)
        self.assertIn("tilt", json.loads(out))

    def test_threads_do_not_change_the_answer(self):
        answers = [self.margin(self.column(), "--load", "1,0,0", "--threads", n)[1]["load"] for n in (1, 2)]
        self.assertEqual(answers[0], answers[1])


if __name__ == "__main__":
    unittest.main()
