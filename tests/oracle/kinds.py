"""Small assemblies of every kind, with sizes drawn at random."""


def draw(rng):
    """(kind, options, knob): the knob names an option with two values, or is None; the assembly stands for the first, falls for the second"""
    kind = rng.choice(sorted(KINDS))
    return KINDS[kind](rng)


def wall(rng):
    return "wall", dict(columns=rng.randint(1, 4), rows=rng.randint(1, 4), length=rng.uniform(0.3, 1), height=rng.uniform(0.1, 0.5), depth=rng.uniform(0.1, 0.5)), None


def opening(rng):
    options = dict(columns=rng.randint(3, 4), rows=4, opening_columns=1, opening_rows=2, sill=rng.randint(0, 1), top=rng.choice(["none", "lintel", "arch"]))
    return "opening", dict(options, voussoirs=rng.randint(2, 4), skew=rng.uniform(5, 30), length=rng.uniform(0.6, 1), height=rng.uniform(0.2, 0.4)), None


def polygonal(rng):
    return "polygonal-wall", dict(columns=rng.randint(2, 4), rows=rng.randint(1, 3), jitter=rng.uniform(0, 0.45), height=rng.uniform(0.2, 0.5), seed=rng.randint(0, 10**6)), None


def rubble(rng):
    options = dict(columns=rng.randint(1, 3), rows=rng.randint(1, 3), layers=1, jitter=rng.uniform(0, 0.4), seed=rng.randint(0, 10**6))
    return "rubble", dict(options, height=rng.uniform(0.15, 0.35), size_spread=rng.uniform(0, 0.4)), None


def portal(rng):
    return "portal", dict(drums=rng.randint(1, 4), span=rng.uniform(0.5, 4), width=rng.uniform(0.2, 1), height=rng.uniform(1, 4), overhang=rng.uniform(0, 0.5)), None


def portico(rng):
    options = dict(columns=rng.randint(1, 3), drums=rng.randint(1, 3), span=rng.uniform(1, 3), width=rng.uniform(0.2, 0.8), height=rng.uniform(1, 4))
    return "portico", dict(options, lean=0.0), ("lean", 0.0, 60.0)


def stack(rng):
    count, length = rng.randint(2, 6), rng.uniform(0.3, 2)
    return "stack", dict(count=count, length=length, height=rng.uniform(0.1, 1), depth=rng.uniform(0.2, 2), offset=0.0), ("offset", 0.0, 0.9 * length)


def tilted(rng):
    options = dict(count=rng.randint(1, 5), length=rng.uniform(0.3, 2), height=rng.uniform(0.1, 1), depth=rng.uniform(0.2, 2), angle=0.0)
    return "tilted-stack", options, ("angle", 0.0, 75.0)


def overhang(rng):
    return "overhang", dict(count=rng.randint(1, 8), length=rng.uniform(0.3, 2), height=rng.uniform(0.05, 0.5), factor=0.5), ("factor", 0.5, 1.9)


def corbel(rng):
    rows = rng.randint(1, 6)
    return "corbel", dict(rows=rows, length=rng.uniform(0.5, 2), height=rng.uniform(0.1, 0.4), offset=0.01), ("offset", 0.01, 1.5)


def corbelled(rng):
    rows, offset = rng.randint(2, 4), rng.uniform(0.05, 0.4)
    return "corbel", dict(rows=rows, length=rng.uniform(0.5, 1.5), offset=offset, span=2 * rows * offset), None


def incline(rng):
    return "incline", dict(length=rng.uniform(0.2, 2), height=rng.uniform(0.05, 2), depth=rng.uniform(0.2, 2), angle=0.0), ("angle", 0.0, 80.0)


def h_model(rng):
    options = dict(span=rng.uniform(0.5, 3), height=rng.uniform(0.1, 0.9), width=rng.uniform(0.1, 0.5), depth=rng.uniform(0.1, 0.5))
    return "h-model", dict(options, **({"free_posts": True} if rng.random() < 0.5 else {})), None


def wedge(rng):
    return "wedge", dict(angle=rng.uniform(-30, 40), width=rng.uniform(0.3, 2), height=rng.uniform(0.3, 2)), None


def arch(rng):
    return "arch", dict(count=rng.randint(3, 14), depth=rng.uniform(0.1, 1), thickness=0.6), ("thickness", 0.6, 0.02)


def pointed(rng):
    span = rng.uniform(1, 3)
    return "pointed-arch", dict(count=2 * rng.randint(2, 6), span=span, radius=span * rng.uniform(0.5, 1.2), thickness=0.25), ("thickness", 0.25, 0.02)


def jack(rng):
    return "jack-arch", dict(count=rng.randint(2, 9), span=rng.uniform(0.5, 3), height=rng.uniform(0.1, 0.8), skew=rng.uniform(2, 45)), None


def barrel(rng):
    options = dict(count=rng.randint(4, 7), columns=rng.randint(1, 2), depth=rng.uniform(0.5, 2), bond=rng.choice(["stack", "running"]), thickness=0.5)
    return "barrel-vault", options, ("thickness", 0.5, 0.02)


def cross(rng):
    return "cross-vault", dict(count=2 * rng.randint(1, 2), thickness=0.5, edge=rng.uniform(0.1, 0.6)), ("thickness", 0.5, 0.02)


def dome(rng):
    options = dict(rows=rng.randint(1, 3), columns=rng.randint(4, 6), eye=rng.uniform(10, 40), springing=rng.uniform(60, 90), bond=rng.choice(["stack", "running"]))
    return "dome", dict(options, thickness=0.4, **({"keystone": True} if rng.random() < 0.5 else {})), ("thickness", 0.4, 0.01)


KINDS = {f.__name__: f for f in (wall, opening, polygonal, rubble, portal, portico, stack, tilted, overhang, corbel, corbelled, incline, h_model, wedge, arch,
                                 pointed, jack, barrel, cross, dome)}
