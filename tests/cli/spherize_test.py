"""`trilith spherize` from outside. Usage: spherize_test.py PATH_OF_TRILITH"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)

URDF = """<robot name="two">
  <link name="base"><collision><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.3"/><geometry><cylinder radius="0.05" length="0.6"/></geometry></collision>
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.2 0.1 0.1"/></geometry></collision>
    <visual><geometry><sphere radius="3"/></geometry></visual>
  </link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


def run(*args):
    done = subprocess.run([PROGRAM, "spherize", *map(str, args)], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


class SpherizeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = self.write("two.urdf", URDF)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as f:
            f.write(text)
        return path

    def spheres(self, *args):
        code, out, err = run(self.model, "--json", "-", *args)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def covered(self, spheres, p):
        return any(math.dist(s[:3], p) <= s[3] for s in spheres)

    def test_spheres_cover_the_shapes_in_the_frame_of_the_link(self):
        answer = self.spheres()
        self.assertEqual(answer["links"]["base"], [[0, 0, 0, 0.2]])
        arm = answer["links"]["arm"]
        for i in range(60):
            turn = 2 * math.pi * i / 60
            for z in (0, 0.123, 0.6):
                self.assertTrue(self.covered(arm, (0.05 * math.cos(turn), 0.05 * math.sin(turn), z)), (i, z))
        for corner in ((0, 0.05, 0.05), (0.2, -0.05, 0.05), (0.2, 0.05, -0.05)):
            self.assertTrue(self.covered(arm, corner), corner)
        self.assertLessEqual(max(s[3] for s in arm), 0.2)       # the visual sphere of 3 m is no shape that touches

    def test_excess_and_count_are_kept_or_told(self):
        fine = self.spheres("--excess", "0.015")
        self.assertLessEqual(fine["excess_m"]["arm"], 0.015)
        coarse = self.spheres("--excess", "0.001", "--count", "1")
        self.assertEqual(len(coarse["links"]["arm"]), 2)        # one for each shape
        self.assertGreater(coarse["excess_m"]["arm"], 0.05)
        text = run(self.model, "--excess", "0.001", "--count", "1")[1]
        self.assertIn("more than asked", text)

    def test_one_link_can_be_named_and_a_wrong_name_is_refused(self):
        self.assertEqual(list(self.spheres("--body", "arm")["links"]), ["arm"])
        code, out, err = run(self.model, "--body", "leg")
        self.assertEqual(code, 64)
        self.assertIn("leg", err)

    def test_output_file_holds_the_json(self):
        path = os.path.join(self.folder, "spheres.json")
        self.assertEqual(run(self.model, "-o", path)[0], 0)
        with open(path) as f:
            self.assertEqual(json.load(f)["robot"], "two")
        self.assertEqual(run(self.model, "-o", path)[0], 74)    # an existing file stays

    def test_bad_input_is_refused(self):
        self.assertEqual(run(self.model, "--excess", "0")[0], 64)
        self.assertEqual(run(self.write("no.urdf", "<robot/>"))[0], 65)
        self.assertEqual(run(os.path.join(self.folder, "absent.urdf"))[0], 74)


if __name__ == "__main__":
    unittest.main()
