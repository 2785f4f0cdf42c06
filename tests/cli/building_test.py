"""`trilith order` and `trilith gate` from outside. Usage: building_test.py PATH_OF_TRILITH"""
import json, os, time, unittest

from cli_test import CUBE, FACES, InFolder, run, stack


class Orders(InFolder):
    def order(self, doc, *args):
        code, out, err = run("order", self.write("in.json", doc), "--json", "-", *args)
        return code, json.loads(out) if out else None, err

    def generated(self, kind, *args):
        self.assertEqual(run("generate", kind, *args, "-o", self.path("g.json"), "--force")[0], 0)
        return json.load(open(self.path("g.json")))

    def test_a_wall_has_an_order_and_all_keys(self):
        start = time.time()
        code, out, err = self.order(self.generated("wall", "--columns", 10, "--rows", 10))
        self.assertLess(time.time() - start, 4)
        self.assertEqual((code, out["outcome"], out["first_failure"], out["props"]), (0, "stands", None, []))
        self.assertEqual(len(out["order"]), 105)
        self.assertEqual([s["id"] for s in out["steps"]], out["order"])
        self.assertEqual(set(out["steps"][0]), {"id", "verdict", "margin", "props"})
        self.assertEqual((out["steps"][0]["margin"], out["steps"][0]["props"], {s["verdict"] for s in out["steps"]}), (None, [], {"stands"}))
        self.assertTrue({"schema", "engine", "input_sha256", "settings", "warnings", "reason", "status", "time_s"} <= set(out))

    def test_an_arch_needs_props_until_its_key_stone(self):
        code, out, err = self.order(self.generated("arch"))
        self.assertEqual((code, out["outcome"], out["fewest_props"], len(out["props"])), (1, "with_props", True, 5))
        self.assertEqual(out["steps"][-1]["props"], [])
        self.assertTrue(out["steps"][-2]["props"])
        self.assertEqual(out["first_failure"]["id"], "v4")
        self.assertEqual({b["id"] for b in out["first_failure"]["collapse"]["bodies"]}, {"v2", "v3", "v4"})
        code, out, err = self.order(self.generated("arch"), "--no-props")
        self.assertEqual((code, out["outcome"], out["props"]), (1, "falls", []))

    def test_a_given_order_comes_from_words_files_and_the_file_itself(self):
        code, out, err = self.order(stack(), "--as-listed")
        self.assertEqual((code, out["order"], out["given"]), (0, ["low", "high"], True))
        code, out, err = self.order(stack(), "--order", "high,low")
        self.assertEqual((code, out["first_failure"]["step"], out["first_failure"]["id"], out["first_failure"]["unsupported"]), (1, 1, "high", ["high"]))
        for name, text in (("o.json", '["low", "high"]'), ("o2.json", '{"order": ["low", "high"]}'), ("o.txt", "low\nhigh\n")):
            self.assertEqual(self.order(stack(), "--order", self.write(name, text))[0], 0, name)
        code, out, err = self.order(stack(), "--order", "ground,low,high")
        self.assertEqual((code, out["order"]), (0, ["low", "high"]))
        self.assertIn("is a support", err)
        code, out, err = self.order(stack(), "--order", "low")
        self.assertEqual((code, out["outcome"], out["order"]), (2, "incomplete", ["low"]))
        self.assertIn("leaves out 1", err)

    def test_an_order_from_a_file_keeps_its_props(self):
        arch = self.generated("arch")
        code, out, err = self.order(arch)
        found = self.write("found.json", json.dumps(out))
        code, again, err = self.order(arch, "--order", found, "--margin")
        self.assertEqual((code, again["outcome"], again["props"]), (0, "with_props", out["props"]))
        for step in again["steps"]:  # a number or the reason why there is none
            self.assertEqual(step["margin"] is None, bool(step.get("margin_reason")), step)
        for props, word in (([{"id": "v9", "from_step": 1, "until_step": 2}], "placed in step"), ([{"id": "x", "from_step": 1, "until_step": 2}], "places no block"),
                            ([{"id": "v4", "from_step": 2, "until_step": 2}], "whole steps")):
            code, out, err = self.order(arch, "--order", self.write("bad.json", json.dumps({"order": again["order"], "props": props})))
            self.assertEqual(code, 65, props)
            self.assertIn(word, err)

    def test_margins_of_the_states_are_the_slide_and_the_tip(self):
        code, out, err = self.order(stack(), "--as-listed", "--margin")
        self.assertEqual(code, 0)
        # one cube slides at the friction; two, the upper one 0.2 aside, tip at 0.4 over 1
        for step, factor in zip(out["steps"], (0.6, 0.4)):
            self.assertAlmostEqual(step["margin"], factor, delta=1e-6)

    def test_wrong_orders_are_refused_by_name(self):
        for words, code, told in ((("--order", "low,low,high"), 65, "twice"), (("--order", "loww,high"), 65, 'did you mean "low"'), (("--order", "low", "--as-listed"), 64, "--as-listed"),
                                  (("--time-limit", "-1"), 64, "--time-limit"), (("--order", self.write("bad.json", "[1, 2]")), 65, "bad.json:/0")):
            got, out, err = self.order(stack(), *words)
            self.assertEqual((got, out), (code, None), words)
            self.assertIn(told, err)

    def test_an_order_without_a_block_is_no_order(self):
        for words in ("", ",,", "ground", self.write("none.json", "[]"), self.write("none.txt", "")):
            code, out, err = self.order(stack(), "--order", words)
            self.assertEqual((code, out), (65, None), words)
            self.assertIn("names no free block", err)

    def test_an_order_file_is_not_overwritten(self):
        path = self.write("order.json", ["low", "high"])
        self.assertEqual(run("order", self.write("in.json", stack()), "--order", path, "--json", path, "--force")[0], 74)
        self.assertEqual(json.load(open(path)), ["low", "high"])

    def test_threads_and_instruction_sets_do_not_change_the_order(self):
        self.generated("barrel-vault")
        answers = set()
        for threads, isa in ((1, "baseline"), (2, "v4"), (2, "v3")):
            code, out, err = run("order", self.path("g.json"), "--json", "-", "--threads", threads, env={**os.environ, "TRILITH_ISA": isa})
            answers.add(json.dumps({k: v for k, v in json.loads(out).items() if k != "time_s"}))
        self.assertEqual(len(answers), 1)

    def test_out_of_time_is_undecided(self):
        code, out, err = self.order(self.generated("dome"), "--time-limit", "0")
        self.assertEqual((code, out["outcome"], out["status"]), (2, "undecided", "time_limit"))


class Gates(InFolder):
    def mesh(self, name, *boxes):
        lines, first = [], 1
        for id_, at, size in boxes:
            lines.append("o " + id_)
            lines += ["v " + " ".join(str(a + s * c) for a, s, c in zip(at, size, v)) for v in CUBE]
            lines += ["f " + " ".join(str(first + i) for i in f) for f in FACES]
            first += 8
        return self.write(name, "\n".join(lines) + "\n")

    def gate(self, *args):
        code, out, err = run("gate", *args, "--json", "-")
        return code, json.loads(out) if out else None, err

    def setUp(self):
        super().setUp()
        self.stone = self.mesh("stone.obj", ("s", (0, 0, 5), (0.8, 0.4, 0.3)))
        self.bed = self.mesh("bed.obj", ("a", (-1, -1, -1), (1.5, 3, 1)), ("b", (0.5, -1, -1), (2, 3, 1)))

    def test_the_gate_has_all_keys_and_its_closed_form(self):
        code, out, err = self.gate(self.stone, "--support", self.bed, "--into", "0,1,0")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue({"clearance_m", "stable", "support_area_m2", "com_offset_m", "void_m3", "objective", "nbo", "resting_face", "placement", "seats", "schema", "engine",
                         "input_sha256", "settings", "warnings"} <= set(out))
        self.assertAlmostEqual(out["clearance_m"], 0.2, 9)
        self.assertAlmostEqual(out["support_area_m2"], 0.32, 9)
        self.assertAlmostEqual(out["nbo"]["margin"], 0.2 / 0.32 ** 0.5, 9)
        self.assertAlmostEqual(out["nbo"]["depth_ratio"], 4 / 3, 9)
        self.assertEqual((out["stable"], out["nbo"]["in_hull"], out["nbo"]["stable"], out["seats"]), (True, True, True, []))
        self.assertAlmostEqual(out["placement"]["nbo"]["depth_ratio"], 8 / 3, 9)

    def test_seats_are_ranked(self):
        seats = [{"id": "off", "pos": [2.6, 0, 0]}, {"id": "far", "pos": [9, 0, 0]}, {"id": "edge", "pos": [2.49, 0, 0]}, {"id": "good", "pos": [1, 0, 0]}]
        code, out, err = self.gate(self.stone, "--support", self.bed, "--into", "0,1,0", "--seats", self.write("seats.json", seats))
        self.assertEqual((code, [s["id"] for s in out["seats"]], out["seat"]), (0, ["good", "edge", "off", "far"], "good"))
        self.assertEqual([s["stable"] for s in out["seats"]], [True, True, False, False])
        self.assertEqual(out["seats"][3]["clearance_m"], -1)
        code, out, err = self.gate(self.stone, "--support", self.bed, "--into", "0,1,0", "--margin", "0.19", "--seats", self.path("seats.json"))
        self.assertEqual([s["stable"] for s in out["seats"]], [True, False, False, False])

    def test_a_closed_gate_is_exit_1_and_says_why(self):
        tall = self.mesh("tall.obj", ("s", (0, 0, 0), (0.8, 0.2, 0.6)))
        code, out, err = run("gate", tall, "--support", self.bed, "--into", "0,1,0")
        self.assertEqual(code, 1)
        self.assertIn("0.333 of its height into the wall", out)
        away = self.mesh("away.obj", ("s", (20, 0, 0), (1, 1, 1)))
        code, out, err = self.gate(away, "--support", self.bed)
        self.assertEqual((code, out["clearance_m"], out["objective"], out["lands"]), (1, -1, None, False))
        self.assertIn("into the wall is not given", err)

    def test_what_cannot_be_used_is_refused(self):
        both = self.mesh("two.obj", ("a", (0, 0, 0), (1, 1, 1)), ("b", (2, 0, 0), (1, 1, 1)))
        bad = self.write("bad.json", [{"pos": [1, 2]}])
        for args, code, told in (((self.stone,), 64, "--support"), ((both, "--support", self.bed), 65, "FILE#NAME"), ((both + "#c", "--support", self.bed), 65, 'no stone "c"'),
                                 ((self.stone, "--support", self.bed, "--seats", bad), 65, "bad.json:/0/pos"), ((self.stone, "--support", self.bed, "--weights", "1,2"), 64, "--weights"),
                                 ((self.stone, "--support", self.bed, "--gravity", "0,0,0"), 65, "gravity"), ((self.stone, "--support", self.path("none.obj")), 74, "none.obj")):
            got, out, err = self.gate(*args)
            self.assertEqual((got, out), (code, None), args)
            self.assertIn(told, err)
        self.assertEqual(self.gate(both + "#b", "--support", self.bed, "--into", "0,1,0")[0], 0)

    def test_thresholds_below_zero_and_cells_that_do_not_fit_are_refused(self):
        start = time.time()
        for option, value, code in (("--margin", "-1", 64), ("--nbo-margin", "-1", 64), ("--min-depth-ratio", "-1", 64), ("--cell", "1e-9", 65), ("--cell", "1e-300", 65),
                                    ("--cell", "9", 65)):
            got, out, err = self.gate(self.stone, "--support", self.bed, option + "=" + value)
            self.assertEqual((got, out), (code, None), option)
            self.assertIn(option.strip("-"), err)
        self.assertLess(time.time() - start, 10)

    def test_only_the_way_of_gravity_and_of_the_wall_counts(self):
        plain = self.gate(self.stone, "--support", self.bed, "--into", "0,1,0")[1]
        for gravity, into in (("0,0,-1e200", "0,1e200,0"), ("0,0,-1e-200", "0,1e-200,0")):
            code, out, err = self.gate(self.stone, "--support", self.bed, "--gravity", gravity, "--into", into)
            self.assertEqual((code, out["clearance_m"], out["nbo"]), (0, plain["clearance_m"], plain["nbo"]), err)

    def test_seats_that_say_more_or_less_than_they_should(self):
        def seats(*list_):
            return self.gate(self.stone, "--support", self.bed, "--into", "0,1,0", "--seats", self.write("seats.json", list(list_)))
        seat = {"id": "a", "pos": [1, 0, 0]}
        for other, where in ((seat, "/1/id"), ({"id": 3, "pos": [1, 0, 0]}, "/1/id"), ({"pos": [1e300, 0, 0]}, "/1/pos"), ({"pos": [1, 0, 0], "quat": [0, 0, 0, 0]}, "/1/quat")):
            code, out, err = seats(seat, other)
            self.assertEqual((code, out), (65, None), other)
            self.assertIn(where, err)
        code, out, err = seats({**seat, "quat": [1e-200, 0, 0, 0], "name": "x"})
        self.assertEqual(code, 0, err)
        self.assertIn("/0/name", err)

    def test_places_beyond_the_limit_are_refused(self):
        for name in ("stone", "bed"):
            far = self.mesh("far.obj", (name, (0, 0, 0), (1e300, 1, 1)))
            code, out, err = self.gate(*((far, "--support", self.bed) if name == "stone" else (self.stone, "--support", far)))
            self.assertEqual((code, out), (65, None))
            self.assertIn(name, err)

    def test_no_input_is_overwritten(self):
        stone = self.write("stone.json", {"units": "m", "blocks": [{"id": "s", "vertices": CUBE, "faces": FACES}]})
        seats = self.write("seats.json", [{"pos": [1, 0, 0]}])
        for path in (stone, seats):
            before = open(path).read()
            self.assertEqual(run("gate", stone + "#s", "--support", stone, "--seats", seats, "--json", path, "--force")[0], 74)
            self.assertEqual(open(path).read(), before)

    def test_units_scale_the_answer(self):
        code, out, err = self.gate(self.stone, "--support", self.bed, "--into", "0,1,0", "--unit", "cm")
        self.assertAlmostEqual(out["clearance_m"], 0.002, 12)
        self.assertEqual(code, 0)


if __name__ == "__main__":
    unittest.main()
