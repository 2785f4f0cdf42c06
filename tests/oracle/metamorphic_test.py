"""What must not change an answer, through the program, on every generated kind. Usage: metamorphic_test.py PATH_OF_TRILITH"""
import copy
import json
import math
import random
import sys
import unittest

from program import Program

program = Program(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/trilith")

# both sides of a limit where one is known, else a structure that stands
CASES = [("wall", {}), ("published-wall", {"number": 3}), ("opening", {}), ("opening", {"top": "arch"}), ("polygonal-wall", {"columns": 4, "rows": 3}),
         ("rubble", {"columns": 3, "rows": 3}), ("rubble", {"columns": 3, "rows": 3, "friction": 0.2}), ("portal", {}), ("portico", {}), ("portico", {"lean": 30}),
         ("stack", {"offset": 0.33}), ("stack", {"offset": 0.34}), ("tilted-stack", {"angle": 26.5}), ("tilted-stack", {"angle": 26.6}),
         ("overhang", {"factor": 0.9999}), ("overhang", {"factor": 1.0001}), ("corbel", {}), ("corbel", {"offset": 0.3}), ("incline", {"angle": 40.02, "height": 0.1}),
         ("incline", {"angle": 40.04, "height": 0.1}), ("h-model", {}), ("h-model", {"free_posts": True, "friction": 0.74}), ("wedge", {}),
         ("wedge", {"friction": 0.577}), ("arch", {"thickness": 0.1072}), ("arch", {"thickness": 0.1070}), ("pointed-arch", {}), ("pointed-arch", {"thickness": 0.03}),
         ("jack-arch", {}), ("jack-arch", {"friction": 0.05}), ("barrel-vault", {}), ("barrel-vault", {"thickness": 0.08}), ("cross-vault", {}), ("dome", {}),
         ("dome", {"keystone": True}), ("dome", {"thickness": 0.01})]


def moved(assembly, point, turned=None, flip=False):
    """every corner through `point`, gravity through `turned`; faces turned where the map is a mirror"""
    result = copy.deepcopy(assembly)
    for block in result["blocks"]:
        block["vertices"] = [point(v) for v in block["vertices"]]
        if flip:
            block["faces"] = [face[::-1] for face in block["faces"]]
    result["gravity"] = (turned or (lambda v: v))([0, 0, -9.80665])
    return result


def rotation(rng):
    """a random rotation, as a function"""
    while True:
        q = [rng.gauss(0, 1) for _ in range(4)]
        length = math.sqrt(sum(c * c for c in q))
        if length > 1e-3:
            break
    w, x, y, z = (c / length for c in q)
    rows = [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]
    return lambda v: [sum(r * c for r, c in zip(row, v)) for row in rows]


class Metamorphic(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = []
        for kind, options in CASES:
            with open(program.generate(kind, **options)) as f:
                assembly = json.load(f)
            cls.cases.append((kind, options, assembly, cls.verdict(assembly)))

    @staticmethod
    def verdict(assembly):
        path = program.file("changed.json")
        with open(path, "w") as f:
            json.dump(assembly, f)
        return program.check(path)["verdict"]

    def expect_same(self, change):
        rng = random.Random(7)
        for kind, options, assembly, verdict in self.cases:
            self.assertEqual(self.verdict(change(assembly, rng)), verdict, (kind, options))

    def test_all_are_decided_and_both_answers_occur(self):
        self.assertEqual({verdict for *_, verdict in self.cases}, {"stands", "falls"})

    def test_rotation_with_gravity(self):
        def change(assembly, rng):
            turn = rotation(rng)
            return moved(assembly, turn, turn)
        self.expect_same(change)

    def test_another_place(self):
        self.expect_same(lambda assembly, rng: moved(assembly, lambda v: [v[0] + 4096, v[1] - 8192, v[2] + 512]))

    def test_another_size(self):
        for scale in (1 / 1024, 64):
            self.expect_same(lambda assembly, rng: moved(assembly, lambda v: [scale * c for c in v]))

    def test_a_mirror(self):
        self.expect_same(lambda assembly, rng: moved(assembly, lambda v: [-v[0], v[1], v[2]], flip=True))

    def test_the_order_of_blocks(self):
        def change(assembly, rng):
            result = copy.deepcopy(assembly)
            rng.shuffle(result["blocks"])
            return result
        self.expect_same(change)

    def test_the_order_of_corners_and_faces(self):
        def change(assembly, rng):
            result = copy.deepcopy(assembly)
            for block in result["blocks"]:
                count = len(block["vertices"])
                place = rng.sample(range(count), count)
                block["vertices"] = [block["vertices"][place.index(i)] for i in range(count)]
                block["faces"] = [[place[c] for c in face] for face in block["faces"]]
                rng.shuffle(block["faces"])
            return result
        self.expect_same(change)

    def test_heavier_stones(self):
        self.expect_same(lambda assembly, rng: {**assembly, "density": 10 * assembly["density"]})

    def test_more_friction_never_makes_it_fall(self):
        for kind, options, assembly, verdict in self.cases:
            if verdict == "stands":
                self.assertEqual(self.verdict({**assembly, "friction": 1.1 * assembly["friction"]}), "stands", (kind, options))


if __name__ == "__main__":
    unittest.main(verbosity=1)
