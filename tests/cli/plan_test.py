"""`trilith plan` from outside. Usage: plan_test.py PATH_OF_TRILITH"""
import json, math, unittest

from cli_test import InFolder, run

ROD = """<robot name="rod"><link name="base"/>
<joint name="pivot" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="60" velocity="20"/></joint>
<link name="rod"><inertial><origin xyz="0 0 -0.6"/><mass value="2"/><inertia ixx="0.05" iyy="0.05" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="tip_fix" type="fixed"><parent link="rod"/><child link="tip"/><origin xyz="0 0 -1.2"/></joint><link name="tip"/></robot>"""
SWING = {"robot": "rod.urdf", "x0": [0, 0], "goal_q": [0.4], "dt": 0.02, "N": 60, "cost": {"q": 5, "qd": 0.1, "u": 0.001, "q_terminal": 500}}
LINEAR = {"A": [[1, 0.2], [0, 1]], "B": [[0.02], [0.2]], "Q": [[1, 0], [0, 0.5]], "R": [[0.3]], "N": 15, "x0": [1, -0.5]}


def step(q, v, u, dt):
    """The rod under gravity and torque u: inertia about the pivot 0.05 + 2 * 0.36."""
    a = (u - 2 * 9.81 * 0.6 * math.sin(q)) / 0.77
    return q + dt * v + dt * dt / 2 * a, v + dt * a


class Plan(InFolder):
    def plan(self, doc, *args):
        with open(self.path("rod.urdf"), "w") as f:
            f.write(ROD)
        code, out, err = run("plan", self.write("plan.json", doc), "--json", "-", *args)
        return code, json.loads(out) if out else None, err

    def test_a_plan_obeys_the_dynamics_and_reaches_the_goal(self):
        code, out, err = self.plan({**SWING, "limits": "off"})
        self.assertEqual((code, err, out["status"]), (0, "", "solved"))
        self.assertTrue({"schema", "engine", "input_sha256", "settings", "x", "u", "cost", "iterations", "defect_max", "violations", "initial_violation", "goal",
                         "clearance_min_dense", "K0", "V0", "batch", "warnings"} <= set(out))
        self.assertEqual((len(out["x"]), len(out["u"])), (60, 59))
        x = tuple(SWING["x0"])
        for k, u in enumerate(out["u"]):
            x = step(*x, u[0], 0.02)
            self.assertAlmostEqual(out["x"][k + 1][0], x[0], 5)
            self.assertAlmostEqual(out["x"][k + 1][1], x[1], 5)
        self.assertTrue(out["goal"]["reached"])
        self.assertAlmostEqual(out["goal"]["residual"], abs(out["x"][-1][0] - 0.4), 12)

    def test_an_end_effector_goal_out_of_reach_is_told(self):
        doc = {**SWING, "goal_xyz": [0, 0, -2], "goal_frame": "tip", "cost": {"ee": 5, "qd": 0.1, "u": 0.001}, "limits": "off"}
        del doc["goal_q"]
        code, out, _ = self.plan(doc)
        self.assertEqual((code, out["status"], out["goal"]["reached"]), (1, "goal_not_reached", False))
        self.assertAlmostEqual(out["goal"]["residual"], 0.8, 3)
        self.assertEqual(self.plan({**doc, "goal_frame": "tipp"})[0], 65)
        self.assertIn("tip", self.plan({**doc, "goal_frame": "tipp"})[2])

    def test_limits_are_measured_and_a_plan_outside_is_not_solved(self):
        code, out, err = self.plan({**SWING, "x0": [2.25, 0], "N": 20})
        self.assertEqual(out["initial_violation"], [{"joint": "pivot", "quantity": "q", "value": 0.25}])
        self.assertNotEqual(out["status"], "solved")
        self.assertEqual(code, 2)
        self.assertIn("not enforced", err)
        self.assertGreater({v["group"]: v["max"] for v in out["violations"]}["q"], 0.1)
        self.assertEqual(self.plan({**SWING, "x0": [2.25, 0], "N": 20}, "--mechanism", "off")[1]["warnings"], [])

    def test_linear_problems_are_exact_in_one_step(self):
        code, out, err = self.plan(LINEAR)
        self.assertEqual((code, out["status"]), (0, "solved"), err)
        self.assertLessEqual(out["iterations"], 2)
        # the same by the recursion of two states, written down
        A, B, Q, R = LINEAR["A"], [0.02, 0.2], LINEAR["Q"], 0.3
        P, K = Q, None
        for _ in range(15):
            PA = [[sum(P[i][k] * A[k][j] for k in range(2)) for j in range(2)] for i in range(2)]
            PB = [sum(P[i][k] * B[k] for k in range(2)) for i in range(2)]
            F = [sum(B[i] * PA[i][j] for i in range(2)) for j in range(2)]
            G = R + sum(B[i] * PB[i] for i in range(2))
            K = [f / G for f in F]
            P = [[Q[i][j] + sum(A[k][i] * PA[k][j] for k in range(2)) - K[i] * F[j] for j in range(2)] for i in range(2)]
        for got, want in zip(out["K0"][0], K):
            self.assertAlmostEqual(got, want, 10)
        x = LINEAR["x0"]
        self.assertAlmostEqual(out["V0"], 0.5 * sum(x[i] * P[i][j] * x[j] for i in range(2) for j in range(2)), 10)

    def test_a_table_of_iterations(self):
        self.plan(SWING)
        code, out, _ = run("plan", self.path("plan.json"), "--verbose", "--mechanism", "off")
        lines = out.splitlines()
        self.assertEqual(lines[0].split(), ["iter", "cost", "defect", "merit", "step", "alpha", "rho", "linsys"])
        merits = [float(line.split()[3]) for line in lines[1:] if len(line.split()) == 8 and line.split()[0].isdigit()]
        self.assertGreater(len(merits), 2)
        self.assertEqual(merits, sorted(merits, reverse=True))
        self.assertEqual(code, 0)

    def test_one_iteration_is_no_answer(self):
        code, out, _ = self.plan({**SWING, "max_iterations": 1, "initial_guess": "linear_states", "limits": "off"})
        self.assertEqual((code, out["status"], out["iterations"]), (2, "iteration_limit", 1))
        self.assertGreater(out["defect_max"], 0)

    def test_a_given_guess_is_the_start(self):
        _, first, _ = self.plan({**SWING, "limits": "off"})
        code, out, _ = self.plan({**SWING, "limits": "off", "initial_guess": {"x": first["x"], "u": first["u"]}})
        self.assertEqual((code, out["iterations"]), (0, 1))

    def test_entries_of_a_batch_have_their_own_start(self):
        code, out, _ = self.plan({**SWING, "limits": "off", "batch": [{"x0": [0.1, 0]}, {}]})
        self.assertEqual(code, 0)
        self.assertEqual([entry["x"][0][0] for entry in out["batch"]], [0.1, 0])
        self.assertEqual(out["batch"][1]["u"], out["u"])
        alone = self.plan({**SWING, "limits": "off", "x0": [0.1, 0]})[1]
        self.assertEqual(out["batch"][0]["u"], alone["u"])

    def test_bad_input_is_named(self):
        for change, word in (({"x0": ["nan", 0]}, "x0/0"), ({"x0": [0]}, "x0"), ({"goal_q": [0.1, 0.2]}, "goal_q"), ({"goal_q": ["inf"]}, "goal_q/0"),
                             ({"N": 1}, "N"), ({"N": 2.5}, "N"), ({"dt": 0}, "dt"), ({"robot": "none.urdf"}, "none.urdf"), ({"limits": "perhaps"}, "limits"),
                             ({"limits": {"mechanism": "glue"}}, "glue"), ({"cost": {"q": -1}}, "cost/q"), ({"goal_xyz": [1, 2, 3]}, "goal_q"),
                             ({"groups": [{"name": "g", "rows": [[0, 0, 1]]}]}, "groups/0"), ({"obstacles": [{"sphere": [1]}]}, "obstacles"),
                             ({"initial_guess": {"x": [], "u": []}}, "initial_guess/x"), ({"schema": "trilith.plan/9"}, "schema")):
            code, out, err = self.plan({**SWING, **change})
            self.assertEqual((code, out), (65 if word != "none.urdf" else 74, None), (change, err))
            self.assertIn(word, err)
        self.assertEqual(self.plan({**SWING, "N": 6, "unheard": 1, "limits": "off"})[1]["warnings"][0]["where"].split(":")[-1], "/unheard")

    def test_joints_that_follow_others_are_told(self):
        follower = """<joint name="follow" type="revolute"><parent link="rod"/><child link="end"/><origin xyz="0 0 -1"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="5" velocity="5"/><mimic joint="pivot" multiplier="2"/></joint>
<link name="end"><inertial><mass value="0.1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
        with open(self.path("pair.urdf"), "w") as f:
            f.write(ROD.replace("</robot>", follower))
        code, out, _ = self.plan({**SWING, "robot": "pair.urdf", "x0": [0] * 4, "goal_q": [0.1, 0.2], "limits": "off"})
        self.assertTrue([w for w in out["warnings"] if "follow" in w["what"] and "freely" in w["what"]], out["warnings"])

    def test_a_disabled_group_is_as_if_absent(self):
        group = {"name": "g", "rows": [[0, 0, 1]], "lower": [-0.1], "upper": [0.1], "enabled": False}
        with_it, without = self.plan({**SWING, "groups": [group]})[1], self.plan(SWING)[1]
        self.assertEqual((with_it["x"], with_it["u"]), (without["x"], without["u"]))


if __name__ == "__main__":
    unittest.main(argv=["plan_test"])
