"""Assemblies with known limits, decided on both sides of them through the program (GEN-1) to (GEN-8). Usage: limits_test.py PATH_OF_TRILITH"""
import math
import sys
import unittest

from program import Program

program = Program(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release/trilith")


class BothSides(unittest.TestCase):
    def bracket(self, verdict, falls, stands):
        self.assertEqual((verdict(falls), verdict(stands)), ("falls", "stands"), (falls, stands))


class Limits(BothSides):
    def test_a_slope_slides_at_the_friction_angle(self):
        for mu in (0.1, 0.84, 2.0):
            limit = math.degrees(math.atan(mu))
            self.bracket(lambda angle: program.verdict("incline", angle=angle, height=0.1, friction=mu), limit * (1 + 1e-6), limit * (1 - 1e-6))

    def test_a_tilted_stack_tips_at_its_diagonal(self):
        limit = math.degrees(math.atan(1 / (4 * 0.5)))
        self.bracket(lambda angle: program.verdict("tilted-stack", angle=angle, count=4), limit * (1 + 1e-6), limit * (1 - 1e-6))

    def test_a_harmonic_stack_falls_beyond_factor_one(self):
        for count in (1, 2, 4, 8, 16, 32):
            self.bracket(lambda factor: program.verdict("overhang", count=count, factor=factor), 1 + 1e-6, 1 - 1e-6)

    def test_a_wedge_holds_from_the_tangent_of_its_angle(self):
        # the squeeze is the weight over the angle left, 1e-6 cos^2 of it: beyond 1e6 weights neither proof is asked for
        for degrees, within in ((5.0, 1e-6), (10.0, 1e-6), (20.0, 1e-6), (30.0, 1e-6), (45.0, 4e-6), (60.0, 8e-6)):
            limit = math.tan(math.radians(degrees))
            self.bracket(lambda mu: program.verdict("wedge", angle=degrees, friction=mu), limit - within, limit + within)

    def test_a_corbel_turns_about_the_edge_with_the_least_balance(self):
        rows = 6
        moment = lambda o, k: sum((1 + i * o) * ((i * o - 1) / 2 - (k - 1) * o) for i in range(k, rows + 1))
        low, high = 0.0, 1.0
        while high - low > 1e-13:
            middle = (low + high) / 2
            low, high = (low, middle) if max(moment(middle, k) for k in range(1, rows + 1)) > 0 else (middle, high)
        self.bracket(lambda offset: program.verdict("corbel", rows=rows, offset=offset), low * (1 + 1e-6), low * (1 - 1e-6))

    def test_an_h_model_on_free_posts_needs_its_friction(self):
        # own weight w of the bar, thrust h: a post turns outwards about its outer lower edge; .75 for these sizes
        self.bracket(lambda mu: program.verdict("h-model", free_posts=True, friction=mu), 0.75 * (1 - 1e-5), 0.75 * (1 + 1e-5))

    def test_a_keystone_stands_by_itself(self):
        self.assertEqual(program.verdict("wedge", angle=-10, friction=0.01), "stands")


class SemicircularArch(BothSides):
    def test_least_thickness_of_20_and_of_40_voussoirs(self):
        for count, limit, within in ((20, 0.10735, 1e-5), (40, 0.10743, 1e-5)):
            self.bracket(lambda t: program.verdict("arch", count=count, thickness=t), limit - within, limit + within)

    def test_least_thickness_of_other_counts(self):
        # found by linear programs to 1e-7
        for count, limit in ((5, 0.094980), (7, 0.095703), (9, 0.101525), (11, 0.104589), (16, 0.107076), (25, 0.106959), (51, 0.107357)):
            self.bracket(lambda t: program.verdict("arch", count=count, thickness=t), limit - 2e-6, limit + 2e-6)

    @staticmethod
    def thrust_over_weight(count, ratio):
        """H / W of half an arch of straight-sided stones at its least thickness (GEN-6)"""
        inner, outer, area, moment = 1 - ratio / 2, 1 + ratio / 2, 0.0, 0.0
        for i in range(count // 2):
            a, b = math.pi * i / count, math.pi * (i + 1) / count
            quad = [(inner * math.sin(a), inner * math.cos(a)), (outer * math.sin(a), outer * math.cos(a)), (outer * math.sin(b), outer * math.cos(b)),
                    (inner * math.sin(b), inner * math.cos(b))]
            for (x, z), (u, w) in zip(quad, quad[1:] + quad[:1]):
                area += (x * w - u * z) / 2
                moment += (x + u) * (x * w - u * z) / 6
        return 1 - moment / area / outer

    def test_friction_at_the_least_thickness_is_thrust_over_weight(self):
        found = {}
        for count, ratio in ((20, 0.1073478), (30, 0.1074230), (40, 0.1074321)):
            found[count] = limit = self.thrust_over_weight(count, ratio)
            # 1e-5 thicker than the least, the thrust and with it the friction may be a little lower
            self.bracket(lambda mu: program.verdict("arch", count=count, thickness=ratio + 1e-5, friction=mu), limit - 3e-5, limit + 1e-6)
        self.assertAlmostEqual(found[30], 0.3958, delta=5e-5)

    def test_below_the_least_friction_no_thickness_helps(self):
        self.bracket(lambda mu: program.verdict("arch", count=100, thickness=0.25, friction=mu), 0.3092 - 1e-4, 0.3092 + 1e-4)
        self.bracket(lambda mu: program.verdict("arch", count=100, thickness=0.25, friction=mu), 0.309215 - 1e-5, 0.309215 + 1e-5)
        for thickness in (0.2, 0.3, 0.4, 0.6):
            self.assertEqual(program.verdict("arch", count=100, thickness=thickness, friction=0.3092 - 1e-4), "falls")

    def test_between_both_limits_friction_decides_the_thickness(self):
        verdict = lambda mu, t: program.verdict("arch", count=40, thickness=t, friction=mu)
        self.assertEqual((verdict(0.35, 0.1075), verdict(0.35, 0.2), verdict(0.4, 0.1075)), ("falls", "stands", "stands"))


class PublishedWalls(BothSides):
    def test_sideways_load_of_the_published_walls(self):
        # associative values .643, .58, .404; these brackets by linear programs with 64-faced pyramids
        for number, low, high in ((1, 0.642857, 0.642861), (2, 0.579997, 0.580001), (3, 0.403692, 0.403696)):
            path = program.generate("published-wall", number=number)
            verdict = lambda load: program.check(path, "--gravity", f"{9.80665 * load!r},0,-9.80665")["verdict"]
            self.bracket(verdict, high + 1e-6, low - 1e-6)


if __name__ == "__main__":
    unittest.main(verbosity=1)
