"""Generated assemblies near their limits, judged by the program and by linear programs (equilibrium.py).

    cross_check.py PATH_OF_TRILITH [--count 60] [--seed 1] [--first 0] [--verbose]        the full run: --count 2000

Each assembly is brought near a limit in one of three ways: a sideways load, found by a linear program; the friction, by bisection with linear
programs; or a size, by bisection with the program. Then it is judged a little to both sides of that limit, from 1e-5 to 1e-2 of it. A case is
wrong where the program says `falls` and the inscribed pyramid finds a force state, or `stands` and the circumscribed pyramid finds none.
"""
import argparse
import collections
import json
import math
import random
import sys

import kinds
from equilibrium import FACES, Structure
from program import Program

GRAVITY = 9.80665
NEAREST, FURTHEST = 1e-5, 1e-2  # of the limit; the linear programs are good to about 1e-9


class Case:
    """One assembly and what was said about it."""

    def __init__(self, program, rng):
        self.program, self.rng = program, rng
        self.kind, self.options, self.knob = kinds.draw(rng)
        self.friction = math.exp(rng.uniform(math.log(0.2), math.log(1.2)))
        self.offset = math.exp(rng.uniform(math.log(NEAREST), math.log(FURTHEST)))
        self.probes = []  # (what was asked, verdict, what the linear programs say, proof verified)

    def make(self, name, **changed):
        path = self.program.generate(self.kind, name, **{**self.options, "friction": self.friction, **changed})
        with open(path) as f:
            assembly = json.load(f)
        return path, assembly, self.program.check(path)

    def structure(self, assembly, answer):
        structure = Structure(assembly, answer["interfaces"])
        for block in answer["blocks"]:
            if block["id"] in structure.free:
                mass = structure.mass[structure.free[block["id"]]]
                assert abs(block["mass_kg"] - mass) <= 1e-9 * mass, (self.kind, block["id"], block["mass_kg"], mass)
        return structure

    def note(self, asked, answer, structure, mu, direction):
        """judges one answer: possible, impossible, or between the two pyramids"""
        inside = structure.feasible(mu, direction)
        outside = True if inside else structure.feasible(mu, direction, True)
        expected = "possible" if inside else "impossible" if outside is False else "between" if outside else "no answer"
        self.probes.append((asked, answer["verdict"], expected, answer["certificate"]["verified"]))

    def probe_load(self, structure, down):
        turn = self.rng.uniform(0, 2 * math.pi)
        sideways = [math.cos(turn), math.sin(turn), 0.0]
        low = structure.largest_load(self.friction, down, sideways)
        high = structure.largest_load(self.friction, down, sideways, True)
        if low is None or high is None:
            return False
        step = self.offset * max(abs(low), 0.1)
        for load in (low - step, high + step, (low + high) / 2):
            direction = [load * sideways[0], load * sideways[1], -1.0]
            answer = self.program.check(self.path, "--gravity=" + ",".join(repr(GRAVITY * d) for d in direction))
            self.note(f"load {load!r} at {turn!r} rad", answer, structure, self.friction, direction)
        return True

    def probe_friction(self, structure, down):
        low, high = 1e-3, 5.0
        if not structure.feasible(high, down) or structure.feasible(low, down):
            return False
        while high / low > 1 + 0.1 * self.offset:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if structure.feasible(middle, down) else (middle, high)
        for mu in (high * (1 + self.offset), low * math.cos(math.pi / FACES) * (1 - self.offset), low):
            answer = self.program.check(self.path, "--friction", repr(mu))
            self.note(f"friction {mu!r}", answer, structure, mu, down)
        return True

    def probe_size(self):
        name, stands, falls = self.knob
        verdict = lambda value: self.make("sized.json", **{name: value})[2]["verdict"]
        if verdict(stands) != "stands" or verdict(falls) != "falls":
            return False
        while abs(falls - stands) > self.offset * max(abs(stands), abs(falls)):
            middle = (stands + falls) / 2
            said = verdict(middle)
            if said not in ("stands", "falls"):
                break
            stands, falls = (middle, falls) if said == "stands" else (stands, middle)
        for value in (stands, falls):
            path, assembly, answer = self.make("sized.json", **{name: value})
            self.note(f"{name} {value!r}", answer, self.structure(assembly, answer), self.friction, [0.0, 0.0, -1.0])
        return True

    def run(self):
        self.path, assembly, answer = self.make("made.json")
        structure, down = self.structure(assembly, answer), [0.0, 0.0, -1.0]
        ways = [lambda: self.probe_load(structure, down), lambda: self.probe_friction(structure, down)]
        if self.knob:
            ways.append(self.probe_size)
        self.rng.shuffle(ways)
        if not any(way() for way in ways):
            self.note("as made", answer, structure, self.friction, down)

    def wrong(self):
        pairs = (("falls", "possible"), ("stands", "impossible"))
        return [p for p in self.probes if p[1:3] in pairs or (p[1] in ("stands", "falls") and not p[3])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    a = parser.parse_args()
    program, wrong, table, each = Program(a.program), 0, collections.Counter(), collections.Counter()
    for number in range(a.first, a.first + a.count):
        case = Case(program, random.Random(a.seed * 1_000_003 + number))
        case.run()
        each[case.kind] += 1
        for probe in case.probes:
            table[probe[1], probe[2]] += 1
            if a.verbose or probe[1] not in ("stands", "falls"):
                print(f"{number} {case.kind} {case.options} friction {case.friction!r}: {probe[0]}: {probe[1]}, {probe[2]}", flush=True)
        for asked, verdict, expected, verified in case.wrong():
            wrong += 1
            print(f"WRONG {number} {case.kind} {case.options} friction {case.friction!r}: {asked}: {verdict} (verified: {verified}), {expected}", flush=True)
    print(f"{a.count} assemblies, {sum(table.values())} verdicts, {wrong} wrong")
    for (verdict, expected), count in sorted(table.items()):
        print(f"  {verdict:<10} {expected:<11} {count}")
    print("  kinds: " + ", ".join(f"{kind} {count}" for kind, count in sorted(each.items())))
    decided = sum(count for (verdict, _), count in table.items() if verdict in ("stands", "falls"))
    return 1 if wrong or decided < 0.9 * sum(table.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
