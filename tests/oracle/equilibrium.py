"""Equilibrium of rigid blocks as a linear program, with friction pyramids of 64 faces: written from the definitions, sharing nothing with the library.

Unknowns are the weights of the edges of each contact vertex's pyramid, so the only rows are the six equilibria of each free block. The inscribed
pyramid has its edges on the friction cone: what is possible with it is possible. The circumscribed one touches the cone with its faces: what is
impossible with it is impossible.
"""
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack, identity

FACES, COARSE = 64, 16
TOLERANCE = 1e-10  # of the simplex method, mean block weights; the program claims 1e-8
BALANCED, UNBALANCED = 1e-9, 1e-8  # sums of unbalanced forces, mean block weights


def mesh_mass(block, density):
    """mass and centre of mass, from tetrahedra between a corner of the mesh and the fans of its faces"""
    v = np.array(block["vertices"])
    origin, volume, moment = v[0], 0.0, np.zeros(3)
    for face in block["faces"]:
        a = v[face[0]] - origin
        for j, k in zip(face[1:], face[2:]):
            b, c = v[j] - origin, v[k] - origin
            tetrahedron = np.dot(a, np.cross(b, c)) / 6
            volume += tetrahedron
            moment += tetrahedron * (a + b + c) / 4
    return density * volume, origin + moment / volume


class Structure:
    """Blocks of an assembly file and the contacts of `check --json`."""

    def __init__(self, assembly, contacts):
        self.free = {b["id"]: i for i, b in enumerate([b for b in assembly["blocks"] if not b.get("fixed")])}
        masses = {b["id"]: mesh_mass(b, assembly["density"]) for b in assembly["blocks"] if b["id"] in self.free}
        self.mass = np.array([masses[i][0] for i in self.free])
        self.com = np.array([masses[i][1] for i in self.free])
        spans = [np.ptp(np.array(b["vertices"]), axis=0).max() for b in assembly["blocks"] if b["id"] in self.free]
        self.size = float(np.mean(spans))
        self.contacts = contacts
        self.mu = assembly["friction"]

    def columns(self, mu, circumscribed, faces=FACES):
        """the forces along all pyramid edges as columns of the equilibrium matrix, unit normal part"""
        spread = mu / np.cos(np.pi / faces) if circumscribed else mu
        turn = 2 * np.pi * np.arange(faces) / faces
        edges = np.vstack([np.ones(faces), spread * np.cos(turn), spread * np.sin(turn)])
        rows, cols, values, count = [], [], [], 0
        for contact in self.contacts:
            force = np.array(contact["frame"]).T @ edges
            for x, y, z in contact["vertices_m"]:
                for block, sign in ((contact["a"], -1.0), (contact["b"], 1.0)):
                    i = self.free.get(block)
                    if i is None:
                        continue
                    u, v, w = x - self.com[i, 0], y - self.com[i, 1], z - self.com[i, 2]
                    arm = np.array([[0, -w, v], [w, 0, -u], [-v, u, 0]]) / self.size
                    rows.append(np.repeat(6 * i + np.arange(6), faces)), cols.append(np.tile(count + np.arange(faces), 6))
                    values.append(sign * np.concatenate([force.ravel(), (arm @ force).ravel()]))
                count += faces
        shape = (6 * len(self.free), count)
        return coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(cols))), shape=shape).tocsc()

    def load(self, direction):
        """what the contacts must give against a body force along the direction, in mean block weights"""
        b = np.zeros((len(self.free), 6))
        b[:, :3] = -np.outer(self.mass / self.mass.mean(), direction)
        return b.ravel()

    def feasible(self, mu, direction, circumscribed=False):
        """True, False, or None without an answer. Coarse pyramids first: inscribed ones lie in the cone, circumscribed ones around it."""
        b = self.load(direction)
        if balanced(self.columns(mu, False, COARSE), b):
            return True
        if balanced(self.columns(mu, True, COARSE), b) is False:
            return False
        return balanced(self.columns(mu, circumscribed), b)

    def largest_load(self, mu, down, sideways, circumscribed=False):
        """the largest x for which down + x sideways is in equilibrium; None: no x, or no largest one, or no answer"""
        column = coo_matrix(-self.load(sideways)[:, None]).tocsc()
        both = hstack([self.columns(mu, circumscribed), column, -column]).tocsc()
        rough = hstack([self.columns(mu, circumscribed, COARSE), column, -column]).tocsc()
        if not balanced(rough, self.load(down)):
            return None
        cost = np.zeros(both.shape[1])
        cost[-2:] = -1, 1
        answer = solve(cost, both, self.load(down))
        return -answer.fun if answer.status == 0 else None


def balanced(a, b):
    """whether a x = b has a solution x >= 0, from the least sum of misfits: a program that always has a solution"""
    elastic = hstack([a, identity(a.shape[0]), -identity(a.shape[0])]).tocsc()
    answer = solve(np.concatenate([np.zeros(a.shape[1]), np.ones(2 * a.shape[0])]), elastic, b)
    if answer.status != 0 or BALANCED < answer.fun < UNBALANCED:
        return None
    return bool(answer.fun <= BALANCED)


def solve(cost, a, b):
    """the simplex method, which is exact on small problems, and interior points where it has trouble or takes long"""
    for method, seconds in (("highs-ds", 2), ("highs-ipm", 10)):
        options = {"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE, "time_limit": seconds}
        answer = linprog(cost, A_eq=a, b_eq=b, bounds=(0, None), method=method, options=options)
        if answer.status in (0, 2, 3):
            break
    return answer
