"""`trilith inspect` from outside. Usage: inspect_test.py PATH_OF_TRILITH"""
import json, math, os, unittest

from cli_test import InFolder, run

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
HEAVY = '<inertial><mass value="2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'
ARM = f"""<robot name="arm"><link name="base">{HEAVY}</link><link name="rod">{HEAVY}</link><link name="tip"/>
<joint name="swing" type="revolute"><origin xyz="0 0 1"/><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="9" velocity="3"/><dynamics damping=".5"/></joint>
<joint name="end" type="fixed"><origin xyz="0 0 -1"/><parent link="rod"/><child link="tip"/></joint></robot>"""
RING = ARM.replace('ixx=".1"', 'ixx=".4"')


class Inspect(InFolder):
    def inspect(self, path, *args, state=None):
        if state is not None:
            args = ("--state", self.write("state.json", state), *args)
        code, out, err = run("inspect", path, "--json", "-", *args)
        return code, json.loads(out) if out else None, err

    def file(self, text, name="arm.urdf"):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def test_what_was_read_has_every_key(self):
        code, out, err = self.inspect(self.file(ARM))
        self.assertEqual((code, err), (0, ""))
        self.assertTrue({"schema", "engine", "input_sha256", "settings", "bodies", "joints", "actuators", "warnings", "nq", "nv", "mass_kg"} <= set(out))
        self.assertEqual([b["name"] for b in out["bodies"]], ["base", "rod", "tip"])
        self.assertEqual((out["nq"], out["nv"], out["mass_kg"]), (1, 1, 4))
        self.assertEqual(out["bodies"][2]["pos"], [0, 0, 0])
        self.assertEqual(out["bodies"][1]["inertia"][1], [0, 0.1, 0])
        joint = out["joints"][0]
        self.assertEqual((joint["name"], joint["type"], joint["range"], joint["mimic"]), ("swing", "hinge", [-2, 2], None))
        self.assertNotIn("M", out)

    def test_terms_of_a_pendulum_are_those_of_the_book(self):
        code, out, err = self.inspect(self.file(ARM), "--bare", "--ee", "tip", "--ee", "end", "--ee", "swing", "--derivatives", "--gravity", "0,0,-10",
                                      state={"qpos": [0.5], "qvel": [2], "tau": [3], "a": [7]})
        self.assertEqual(code, 0, err)
        # the rod's centre lies in the joint: no weight, .1 kg m2
        self.assertAlmostEqual(out["M"][0][0], 0.1, 14)
        self.assertAlmostEqual(out["bias"][0], 0, 14)
        self.assertAlmostEqual(out["a"][0], 30, 12)
        self.assertAlmostEqual(out["tau"][0], 0.7, 14)
        self.assertAlmostEqual(out["kinetic"], 0.2, 14)
        self.assertAlmostEqual(out["da_dtau"][0][0], 10, 12)
        self.assertTrue({"dtau_dq", "dtau_dv", "da_dq", "da_dv"} <= set(out))
        for frame in out["ee"][:2]:
            self.assertAlmostEqual(frame["pos"][0], -math.sin(0.5), 14)
            self.assertAlmostEqual(frame["J_world_aligned"][0][0], -math.cos(0.5), 14)
            self.assertAlmostEqual(frame["J_spatial"][0][0], -1, 14)
        self.assertAlmostEqual(out["ee"][2]["pos"][2], 1, 14)

    def test_an_impossible_inertia_is_refused_by_name_and_mended_on_request(self):
        path = self.file(RING)
        code, out, err = self.inspect(path)
        self.assertEqual((code, out), (65, None))
        self.assertIn('link "rod"', err)
        self.assertIn("--balance-inertia", err)
        code, out, err = self.inspect(path, "--balance-inertia")
        self.assertEqual(code, 0)
        self.assertAlmostEqual(out["bodies"][1]["inertia"][0][0], 0.2, 14)
        self.assertIn("set to their mean", err)

    def test_a_default_pose_outside_its_range_is_told_and_moved_on_request(self):
        path = self.file(ARM.replace('lower="-2"', 'lower=".3"'))
        code, out, err = self.inspect(path)
        self.assertIn("by 0.3 rad", err)
        self.assertEqual((code, out["qpos"], len(out["warnings"])), (0, [0], 1))
        self.assertEqual(self.inspect(path, "--clamp-initial")[1]["qpos"], [0.3])

    def test_bad_states_and_names_are_refused_with_their_place(self):
        path = self.file(ARM)
        for state, where in (({"qpos": [0, 1]}, "/qpos"), ({"tau": ["x"]}, "/tau"), ([1], "state.json")):
            code, out, err = self.inspect(path, state=state)
            self.assertEqual((code, out), (65, None), state)
            self.assertIn(where, err)
        code, out, err = self.inspect(path, "--ee", "tipp", state={})
        self.assertEqual(code, 65)
        self.assertIn('did you mean "tip"?', err)
        self.assertEqual(self.inspect(path, "--ee", "tip")[0], 64)
        self.assertEqual(self.inspect(self.path("absent.urdf"))[0], 74)
        self.assertEqual(self.inspect(self.file("<sdf/>", "x.xml"))[0], 65)

    def test_a_floating_base_has_a_pose_and_bare_leaves_out_damping(self):
        code, out, err = self.inspect(self.file(ARM), "--floating-base", state={"qvel": [0] * 7})
        self.assertEqual((code, out["nq"], out["nv"], out["joints"][0]["type"]), (0, 8, 7, "free"), err)
        self.assertEqual(out["qpos"][3:7], [1, 0, 0, 0])

    def test_a_package_folder_is_looked_into(self):
        text = ARM.replace('<link name="tip"/>', '<link name="tip"><collision><geometry><mesh filename="package://arm/t.obj"/></geometry></collision></link>')
        path = self.file(text)
        code, out, err = self.inspect(path)
        self.assertEqual(code, 0)
        self.assertIn("the link has no such collision shape", err)
        os.makedirs(self.path("packages/arm"))
        with open(self.path("packages/arm/t.obj"), "w") as f:
            f.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        self.assertEqual(self.inspect(path, "--package", self.path("packages"))[2], "")

    def test_the_models_of_the_repository_are_shown_as_tables(self):
        for name, word in (("ur5e.urdf", "wrist_3_joint"), ("figure27.xml", "left_knee"), ("tendons.xml", "pull")):
            code, out, err = run("inspect", os.path.join(MODELS, name))
            self.assertEqual(code, 0, err)
            self.assertIn(word, out)

    def test_the_text_counts_contacts_and_their_rows_at_the_state(self):
        ball = '<body pos="0 0 .09"><freejoint/><geom size=".1"/></body>'
        path = self.file(f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{ball}</worldbody></mujoco>', "ball.xml")
        for state, args, line in (({}, (), "contacts  1, constraint rows 4"), ({}, ("--cone", "elliptic"), "contacts  1, constraint rows 3"),
                                  ({"qpos": [0, 0, 1, 1, 0, 0, 0]}, (), "contacts  0, constraint rows 0")):
            code, out, err = run("inspect", path, "--state", self.write("state.json", state), *args)
            self.assertEqual(code, 0, err)
            self.assertIn(line, out)

    def test_a_keyframe_without_a_rotation_and_an_option_out_of_range_are_refused_by_their_line(self):
        text = '<mujoco>\n<option timestep="2"/>\n<worldbody><body><freejoint name="f"/><geom size=".1"/></body></worldbody>\n<keyframe>\n{}</keyframe></mujoco>'
        path = self.file(text.format(""), "step.xml")
        code, out, err = self.inspect(path)
        self.assertEqual(code, 65)
        self.assertIn("step.xml:2:9:/mujoco/option/@timestep: timestep must be above 0", err)
        path = self.file(text.replace(' timestep="2"', "").format('<key name="k" qpos="0 0 0 0 0 0 0"/>'), "key.xml")
        code, out, err = self.inspect(path)
        self.assertEqual(code, 65)
        self.assertIn("key.xml:5:", err)
        self.assertIn('the quaternion of joint "f" is 0 0 0 0', err)


if __name__ == "__main__":
    unittest.main()
