"""`trilith simulate` and `trilith replay` from outside. Usage: simulate_test.py PATH_OF_TRILITH"""
import json, math, unittest

from cli_test import InFolder, run

PENDULUM = """<mujoco model="pendulum"><option timestep="0.001" integrator="RK4"/>
<worldbody><body name="rod"><joint name="pivot" axis="0 1 0" damping="0.1"/><inertial pos="0 0 -1" mass="1" diaginertia=".001 .001 .001"/></body></worldbody>
<actuator><motor name="drive" joint="pivot" ctrlrange="-5 5"/></actuator>
<sensor><jointpos name="angle" joint="pivot"/></sensor>
<keyframe><key name="side" qpos="1.5" qvel="0"/></keyframe></mujoco>"""
BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1"/>
<body name="ball" pos="0 0 {height}"><freejoint/><geom name="skin" size="0.1"/></body></worldbody></mujoco>"""


class Simulate(InFolder):
    def model(self, text=PENDULUM, name="model.xml"):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def simulate(self, *args):
        code, out, err = run("simulate", *args, "--json", "-")
        return code, json.loads(out) if out else None, err

    def lines(self, name):
        with open(self.path(name)) as f:
            return [json.loads(line) for line in f]

    def test_a_run_has_every_key_and_ends_where_it_should(self):
        code, out, err = self.simulate(self.model(), "--time", "0.25", "--keyframe", "0")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue({"schema", "engine", "input_sha256", "settings", "status", "steps", "time", "final", "telemetry", "steps_per_second", "warnings"} <= set(out))
        self.assertEqual((out["status"], out["steps"]), ("done", 250))
        self.assertAlmostEqual(out["time"], 0.25, 12)
        self.assertLess(out["final"]["qpos"][0], 1.5)
        self.assertGreater(out["steps_per_second"], 0)
        self.assertEqual(set(out["final"]["sensors"]), {"angle"})

    def test_records_hold_the_start_every_kth_step_and_the_last(self):
        code, _, err = self.simulate(self.model(), "--steps", "10", "--record", self.path("r.jsonl"), "--every", "4")
        self.assertEqual(code, 0, err)
        lines = self.lines("r.jsonl")
        self.assertEqual([line["step"] for line in lines], [0, 4, 8, 10])
        self.assertTrue(all({"step", "time", "qpos", "qvel"} <= set(line) for line in lines))
        self.assertEqual(lines[0]["schema"], "trilith.record/1")
        code, out, err = self.simulate(self.model(), "--steps", "1", "--record", self.path("r.jsonl"))
        self.assertEqual((code, out), (74, None))
        self.assertIn("r.jsonl", err)

    def test_a_replay_is_the_same_bit_for_bit_or_names_the_step(self):
        with open(self.path("ctrl.jsonl"), "w") as f:
            f.writelines(f"[{math.sin(k)}]\n" for k in range(50))
        model = self.model()
        code, _, err = self.simulate(model, "--steps", "60", "--keyframe", "0", "--controls", self.path("ctrl.jsonl"), "--integrator", "implicit",
                                     "--record", self.path("r.jsonl"), "--every", "7")
        self.assertEqual(code, 0, err)
        self.assertIn("fewer rows", err)
        code, out, err = run("replay", self.path("r.jsonl"), "--json", "-")
        self.assertEqual((code, json.loads(out)["identical"], err), (0, True, ""))
        lines = self.lines("r.jsonl")
        lines[3]["qvel"][0] = math.nextafter(lines[3]["qvel"][0], 9)
        with open(self.path("other.jsonl"), "w") as f:
            f.writelines(json.dumps(line) + "\n" for line in lines)
        code, out, _ = run("replay", self.path("other.jsonl"), "--json", "-")
        self.assertEqual((code, json.loads(out)["first_difference"]["step"], json.loads(out)["first_difference"]["key"]), (1, 21, "qvel"))
        self.model(PENDULUM.replace('mass="1"', 'mass="1.5"'))
        code, _, err = run("replay", self.path("r.jsonl"))
        self.assertEqual(code, 65)
        self.assertIn("is not the model of the record", err)

    def test_controls_act_and_are_bounded(self):
        with open(self.path("ctrl.jsonl"), "w") as f:
            f.write("[100]\n")
        state = self.write("s.json", {"qpos": [0], "qvel": [0]})
        held = self.simulate(self.model(), "--steps", "1", "--controls", self.path("ctrl.jsonl"), "--state", state, "--integrator", "euler")[1]
        # 5 N m on 1.001 kg m2, damping .1 implicit
        self.assertAlmostEqual(held["final"]["qvel"][0], 0.001 * 5 / (1.001 + 0.001 * 0.1), 12)

    def test_a_ball_comes_to_rest_on_the_floor_and_the_softness_is_told(self):
        code, out, err = self.simulate(self.model(BALL.format(height=0.5)), "--time", "3")
        self.assertEqual((code, out["status"]), (0, "done"), err)
        self.assertLess(max(map(abs, out["final"]["qvel"])), 1e-3)
        self.assertGreater(out["telemetry"]["penetration_max_m"], 0)
        self.assertGreater(out["telemetry"]["contacts_mean"], 0.5)
        code, out, err = self.simulate(self.model(BALL.format(height=0.05)), "--time", "1", "--no-constraints")
        self.assertEqual((code, out["status"]), (0, "done"), err)
        self.assertLess(out["final"]["qpos"][2], -4)

    def test_laws_that_the_run_changes_are_told(self):
        short = BALL.format(height=0.5).replace('name="skin"', 'name="skin" priority="1" solref="0.001 1" friction="8"')
        code, out, err = self.simulate(self.model(short), "--steps", "1")
        self.assertEqual(code, 0, err)
        self.assertIn("below two time steps", err)
        self.assertIn("friction 8", err)
        self.assertNotIn("friction 8", self.simulate(self.model(short), "--steps", "1", "--cone", "elliptic")[2])

    def test_exact_friction_is_the_default_of_elliptic_cones_and_keeps_the_normal_force(self):
        slab = """<mujoco><option cone="elliptic" impratio="1"/><worldbody><geom type="plane" size="1 1 1"/>
          <body pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="1"/></body></worldbody></mujoco>"""
        model, state = self.model(slab), self.write("s.json", {"qvel": [3, 0, 0, 0, 0, 0]})
        for law in ("convex", "signorini"):
            code, out, err = self.simulate(model, "--state", state, "--time", "0.1", "--contact", law)
            self.assertEqual(code, 0, err)
            self.assertEqual(out["telemetry"]["latch_gap_N"] is None, law == "convex")
            self.assertEqual(out["last_step_by_both_laws"] is None, law == "convex")
        self.assertLess(abs(out["final"]["qpos"][2] - 0.05), 1e-3)
        last = out["last_step_by_both_laws"]
        self.assertAlmostEqual(last["normal_force_N"], 9.81, delta=0.5)
        self.assertAlmostEqual(last["friction_N"], last["normal_force_N"], delta=1e-5)  # it slides, friction 1
        self.assertGreater(last["normal_force_convex_N"], 1.05 * last["normal_force_N"])
        self.assertGreater(last["lift_m_s2"], 0)
        code, out, err = self.simulate(model, "--steps", "1")
        self.assertEqual(out["settings"]["contact"], "signorini", err)

    def test_no_slip_stops_the_creep_of_soft_friction_in_both_cones(self):
        slope = """<mujoco><option gravity="1.7 0 -9.66" cone="CONE"/><worldbody><geom type="plane" size="1 1 1"/>
          <body pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.05" mass="1"/></body></worldbody></mujoco>"""
        for cone in ("pyramidal", "elliptic"):
            model = self.model(slope.replace("CONE", cone))
            speed = {}
            for words in ((), ("--noslip",)):
                code, out, err = self.simulate(model, "--time", "1", "--mujoco", *words)
                self.assertEqual(code, 0, err)
                speed[words] = abs(out["final"]["qvel"][0])
            self.assertGreater(speed[()], 1e-4)
            self.assertLess(speed[("--noslip",)], 1e-8)

    def test_a_run_that_blows_up_is_exit_2_with_body_and_time(self):
        state = self.write("s.json", {"qpos": [0.1], "qvel": [1e9]})
        code, out, err = self.simulate(self.model(), "--state", state, "--timestep", "1", "--time", "100", "--integrator", "rk4")
        self.assertEqual((code, out["status"]), (2, "diverged"), err)
        self.assertIn('"rod"', err)
        self.assertTrue(all(math.isfinite(x) for x in out["final"]["qpos"]))

    def test_options_that_cannot_go_together_are_exit_64(self):
        model = self.model()
        for words, word in ((("--contact", "signorini"), "--cone elliptic"), (("--contact", "signorini", "--cone", "elliptic", "--solver", "cg"), "--solver newton"),
                            (("--rolling",), "--torsional"), (("--steps", "1", "--time", "1"), "--time"), (("--timestep", "-1"), "--timestep"), (("--integrator", "leapfrog"), "integrator")):
            code, out, err = self.simulate(model, *words)
            self.assertEqual((code, out), (64, None), words)
            self.assertIn(word, err)

    def test_bad_files_are_refused_by_place(self):
        model = self.model()
        for doc, where in (({"qpos": [1, 2]}, "/qpos"), ({"qvel": ["a"]}, "/qvel"), ([1], "s.json")):
            code, out, err = self.simulate(model, "--state", self.write("s.json", doc))
            self.assertEqual((code, out), (65, None), doc)
            self.assertIn(where, err)
        with open(self.path("c.jsonl"), "w") as f:
            f.write("[1]\n[1, 2]\n")
        code, _, err = self.simulate(model, "--controls", self.path("c.jsonl"))
        self.assertEqual(code, 65)
        self.assertIn("c.jsonl:2", err)
        self.assertEqual(self.simulate(model, "--keyframe", "7")[0], 65)
        self.assertEqual(self.simulate(self.path("absent.xml"))[0], 74)
        with open(self.path("r.jsonl"), "w") as f:
            f.write('{"step": 0}\n')
        self.assertEqual(run("replay", self.path("r.jsonl"))[0], 65)

    def test_contacts_left_out_for_want_of_room_are_told(self):
        pair = BALL.format(height=0.1).replace("</worldbody>", """<body name="other" pos="1 0 0.1"><freejoint/><geom size="0.1"/></body></worldbody>""")
        code, out, err = self.simulate(self.model(pair), "--steps", "20", "--max-contacts", "1")
        self.assertEqual(code, 0)
        self.assertGreater(out["telemetry"]["steps_without_room"], 0)
        self.assertTrue(any("--max-contacts" in w["what"] for w in out["warnings"]), out["warnings"])
        self.assertIn("raise --max-contacts", err)
        self.assertEqual(self.simulate(self.model(pair), "--steps", "20", "--max-contacts", "2")[1]["warnings"], [])

    def test_copies_do_not_change_the_answer(self):
        model = self.model()
        one = self.simulate(model, "--steps", "50", "--keyframe", "0")[1]
        many = self.simulate(model, "--steps", "50", "--keyframe", "0", "--batch", "8", "--threads", "2")[1]
        self.assertEqual(one["final"], many["final"])
        self.assertEqual(many["batch"], 8)

    def test_a_zero_time_limit_is_exit_2(self):
        code, out, _ = self.simulate(self.model(), "--time-limit", "0")
        self.assertEqual((code, out["status"], out["steps"]), (2, "time_limit", 0))


if __name__ == "__main__":
    unittest.main()
