"""Load sharing with feet, cables, struts, play and preloads, against a solver that tries every set of bearing parts.

    python benchmarks/one_way_oracle.py 2000 --seed 1 --families table,lift --keep /tmp/wrong

Small displacements u of rigid bodies, and one force λ for every direction in which a joint acts:

    A u + F λ = δ − g   (bearing),     λ = 0 and δ − A u inside the gap   (idle),     Aᵀ λ + f = 0

A: directions, rows × (3 or 6 per body); F = 1/k, 0 where rigid [m/N]; δ misfit [m]; g the side of the gap that bears
[m]; f loads less the inertia of motions that nothing holds [N, N m].  Every combination of idle and bearing parts is
tried.  Forces are unique where all parts that share load give way: the first combination with the right signs answers.
"""

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

import reactio as ro

Vector = NDArray[np.float64]
NEVER = 1e9  # gap [m] on the side where a part does not act
AGREE = 1e-6  # of the largest force; rounding makes 1e-11 of it with stiffnesses over three decades
DOUBLINGS = 24  # of the shim that a part in rigid surroundings would need: softer ones are loose
SIZE = 300.0  # force [N] by which misfits, gaps and preloads are scaled: about the load of one part


@dataclass(frozen=True)
class Row:
    """A direction of a joint: λ = k (s − push)₊ − k (−s − pull)₊ on its second body, s = misfit − a·u."""

    joint: str
    a: Vector
    axis: Vector  # of force and moment, world axes
    k: float
    misfit: float = 0.0
    push: float = 0.0
    pull: float = 0.0
    preload: float | None = None


@dataclass
class Machine:
    """The same machine as sections of a model file and as rows; f are its loads, `mass` the diagonal of M."""

    d: int  # dimension: 2 or 3
    gravity: float
    rng: np.random.Generator
    bodies: dict[str, Any] = field(default_factory=dict)
    joints: dict[str, Any] = field(default_factory=dict)
    forces: dict[str, Any] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    f: Vector = field(default_factory=lambda: np.zeros(0))
    mass: Vector = field(default_factory=lambda: np.zeros(0))

    @property
    def text(self) -> str:
        space, gravity = ("planar", "spatial")[self.d - 2], [0.0] * (self.d - 1) + [-self.gravity]
        sections = {"bodies": self.bodies, "joints": self.joints, "forces": self.forces}
        return json.dumps({"space": space, "gravity": gravity, **sections}, indent=1)

    def origin(self, body: str) -> Vector:
        return np.zeros(self.d) if body == "ground" else np.array(self.bodies[body]["position"])

    def displacement(self, body: str, point: Vector, axis: Vector) -> Vector:
        """Row that gives the displacement of a point of a body along (the rotation about) an axis."""
        n, row = len(axis), np.zeros(len(axis) * len(self.bodies))
        if body != "ground":
            arm, along, about = point - self.origin(body), axis[: self.d], axis[self.d :]
            moment = np.cross(arm, along) if self.d == 3 else np.array([arm[0] * along[1] - arm[1] * along[0]])
            at = n * list(self.bodies).index(body)
            row[at : at + n] = np.concatenate([along, moment + about])
        return row

    def add_body(self, position: Vector) -> str:
        name, mass = f"body{len(self.bodies) + 1}", float(self.rng.uniform(5, 50))
        inertia = self.rng.uniform(1, 1.9, 2 * self.d - 3)
        written = inertia.tolist() if self.d == 3 else float(inertia[0])
        self.bodies[name] = {"mass": mass, "inertia": written, "position": position.tolist()}
        self.mass = np.concatenate([self.mass, [mass] * self.d, inertia])
        self.f = np.concatenate([self.f, np.zeros(self.d - 1), [-self.gravity * mass], 0 * inertia])
        return name

    def add_load(self, body: str, point: Vector, force: Vector) -> None:
        at = {"body": body, "point": (point - self.origin(body)).tolist()}
        self.forces[f"load{len(self.forces) + 1}"] = {"type": "force", "at": at, "force": force.tolist()}
        self.f = self.f + self.displacement(body, point, np.concatenate([force, np.zeros(2 * self.d - 3)]))

    def add_fixed(self, a: str, b: str, point: Vector, elastic: bool) -> None:
        """A fixed joint, rigid, or elastic in all directions and with a misfit along y."""
        name, n = f"j{len(self.joints) + 1}", 3 * self.d - 3
        k = 10 ** self.rng.uniform(4, 7) * self.rng.uniform(0.1, 1, n) if elastic else np.full(n, np.inf)
        misfit = float(SIZE / k[1] * self.rng.normal())
        says = {"stiffness": k.tolist(), "misfit": {"y": misfit}} if elastic else {}
        self.joints[name] = {"type": "fixed", "bodies": [a, b], "at": point.tolist(), **says}
        for i, axis in enumerate(np.eye(n)):
            row = self.displacement(b, point, axis) - self.displacement(a, point, axis)
            self.rows.append(Row(name, row, axis, float(k[i]), misfit if i == 1 else 0.0))

    def add_part(self, kind: str, b: str, point: Vector, axis: Vector, misfit: float, gap: float, **say: float) -> None:
        """A part between ground and body b that acts along one axis; rods reach from point − axis to point."""
        name, k = f"j{len(self.joints) + 1}", float(10 ** self.rng.uniform(4, 7))
        misfit, gap, preload = misfit * SIZE / k, gap * SIZE / k, say["preload"] * SIZE if "preload" in say else None
        rod, one_way = kind in ("cable", "strut", "distance"), kind in ("cable", "strut") or kind.startswith("contact")
        n, word = axis / np.linalg.norm(axis), "zy"[self.d == 2]
        if rod:
            end = {"body": b, "point": (point - self.origin(b)).tolist()}
            joint: dict[str, Any] = {"a": {"body": "ground", "point": (point - axis).tolist()}, "b": end}
        else:  # in the plane `axis` is the x axis of the joint, and the joint acts along y
            frame = [n[1], -n[0]] if self.d == 2 else n.tolist()
            joint = {"bodies": ["ground", b], "at": point.tolist(), "axis": frame}
        numbers = {"stiffness": k, "misfit": misfit} | ({} if preload is None else {"preload": preload})
        joint |= {"type": kind} | {key: x if rod else {word: x} for key, x in numbers.items()}
        size = -gap if "pressed" in say else gap
        joint |= {"slack": size} if one_way else {"play": {"along" if rod else word: size}} if gap else {}
        joint |= {"fit": "interference"} if "pressed" in say else {}
        width = (-gap if one_way else 0.0) if "pressed" in say else gap
        push, pull = (NEVER if one_way else width, width) if kind == "cable" else (width, NEVER if one_way else width)
        self.joints[name] = joint
        direction = np.concatenate([n, np.zeros(2 * self.d - 3)])
        self.rows.append(Row(name, self.displacement(b, point, direction), direction, k, misfit, push, pull, preload))


def solve(rows: Sequence[Row], f: Vector, mass: Vector) -> Vector | None:
    """λ of every row; None where no combination holds the load, or where rigid rows leave forces open."""
    A = np.array([r.a for r in rows])
    _, s, V = np.linalg.svd(A)
    rank = int(np.sum(s > 1e-9 * s[0]))  # random directions: no singular value lies between rounding and 1e-6
    held, loose = V[:rank].T, V[rank:].T
    f = f - mass * (loose @ np.linalg.solve(loose.T @ (mass[:, None] * loose), loose.T @ f))
    F = np.array([1 / r.k for r in rows])
    unit = np.exp(np.mean(np.log(F[F > 0])))  # lengths are counted in this [m/N], so that all equations are in N
    F, delta = F / unit, np.array([r.misfit for r in rows]) / unit
    push, pull = np.array([r.push for r in rows]) / unit, np.array([r.pull for r in rows]) / unit
    slip = 1e-9 * (np.abs(f).max() + np.abs(delta).max())  # above rounding, and below what AGREE sees
    choices = [
        (2,) if r.push == r.pull == 0 else (0, *((1,) * (r.push < NEVER)), *((-1,) * (r.pull < NEVER))) for r in rows
    ]
    for choice in itertools.product(*choices):
        state = np.array(choice)
        on = state != 0
        B, count = A[on] @ held, int(on.sum())
        equations = np.block([[np.diag(F[on]), B], [B.T, np.zeros((rank, rank))]])
        if count < rank or np.linalg.cond(equations) > 1e11:
            continue  # a part that just touches holds what is loose here: another combination has the same forces
        gap = np.where(state == 1, push, np.where(state == -1, -pull, 0.0))
        x = np.linalg.solve(equations, np.concatenate([(delta - gap)[on], -held.T @ f]))
        lam, overlap = np.zeros(len(rows)), delta - A @ (held @ x[count:])
        lam[on] = x[:count]
        inside = (overlap <= push + slip) & (overlap >= -pull - slip)
        if np.all(np.select([state == 0, state == 1, state == -1], [inside, lam >= -slip, lam <= slip], True)):
            return lam
    return None


def tightened(m: Machine) -> Vector | None:
    """λ where the preloaded row is shimmed until it carries its preload without loads; None where no shim does that.

    Its force rises with the shim along straight pieces, some of them flatter than those on both sides, among which
    Newton's method may run in circles: the shim is bracketed.
    """
    rows = list(m.rows)
    for i in (i for i, row in enumerate(rows) if row.preload is not None):
        row, target = rows[i], float(rows[i].preload or 0.0)

        def excess(shim: float, row: Row = row, i: int = i, target: float = target) -> float:
            tried = [*rows[:i], replace(row, misfit=row.misfit + shim), *rows[i + 1 :]]
            lam = solve(tried, 0 * m.f, m.mass)
            return np.nan if lam is None else float(lam[i]) - target

        width = SIZE / row.k
        for _ in range(DOUBLINGS):
            ends = excess(-width), excess(width)
            if not ends[0] * ends[1] > 0:
                break
            width *= 2
        if not ends[0] * ends[1] <= 0:
            return None
        shim = brentq(excess, -width, width, xtol=1e-12 * width, rtol=1e-14)
        rows[i] = replace(row, misfit=row.misfit + shim)
    return solve(rows, m.f, m.mass)


def by_joint(m: Machine, lam: Vector) -> dict[str, Vector]:
    """Force and moment of every joint on its second body, world axes."""
    wrench = {name: np.zeros(3 * m.d - 3) for name in m.joints}
    for x, row in zip(lam, m.rows, strict=True):
        wrench[row.joint] = wrench[row.joint] + x * row.axis
    return wrench


ONE_WAY = {2: ("contact-line", "cable", "strut"), 3: ("contact-plane", "cable", "strut")}
TWO_WAY = {2: ("revolute-translational", "distance"), 3: ("point-on-plane", "distance")}
FAMILIES = ("table", "lift", "beam", "pair", "unloaded", "preload", "pressed")


def machine(family: str, rng: np.random.Generator) -> Machine:
    """A table on feet, a lift on slings, a beam of 1 to 3 bodies in the plane, or a pair of bodies, loaded or not."""
    d = {"beam": 2, "table": 3, "lift": 3}.get(family) or int(rng.integers(2, 4))
    m = Machine(d, 0.0 if family == "unloaded" else 9.81, rng)
    along, up, places = np.eye(d)[0], np.eye(d)[d - 1], rng.uniform(-1, 1, (9, d))
    count = {"table": 1, "lift": 1, "beam": int(rng.integers(1, 4))}.get(family, 2)
    names = [m.add_body(2.0 * i * along + rng.uniform(-0.3, 0.3, d)) for i in range(count)]
    for i, (a, b) in enumerate(itertools.pairwise(names)):
        m.add_fixed(a, b, (2.0 * i + 1) * along, elastic=bool(rng.random() < 0.7))
    if rng.random() < 0.5 or family in ("preload", "pressed", "unloaded"):
        m.add_fixed("ground", names[0], places[8], elastic=True)
    for i in range(int(rng.integers(3, 8))):
        kind = str(rng.choice(ONE_WAY[d] if rng.random() < 0.75 else TWO_WAY[d]))
        kind = {"table": kind if rng.random() < 0.15 else "contact-plane", "lift": "cable"}.get(family, kind)
        axis = (-1 if kind == "cable" else 1) * (up + rng.normal(0, 0.3, d) * (family not in ("beam", "table")))
        misfit, gap = rng.normal(0, rng.choice([0, 0.3, 1])), abs(rng.normal()) if rng.random() < 0.4 else 0.0
        say = {"pressed": 1.0} if family == "pressed" and gap else {}
        if family == "preload" and i == 0:
            kind, gap, say = str(rng.choice(TWO_WAY[d])), 0.0, {"preload": float(rng.uniform(-1, 1))}
        j = int(rng.integers(count))
        m.add_part(kind, names[j], places[i] + 2.0 * j * along, axis, float(misfit), float(gap), **say)
    for j in range(count if family != "unloaded" else 0):
        sideways = rng.normal(0, 100, d) * (1 - up) * (rng.random() < 0.3)
        m.add_load(names[j], 0.4 * places[7] + 2.0 * j * along, sideways - up * rng.uniform(0, 500))
    return m


def verdict(m: Machine) -> str:
    """What Reactio's answer is beside that of all combinations."""
    lam = tightened(m)
    try:
        answer = ro.reactions(ro.parse_model(m.text), "compliance")
    except ro.ReactioError as error:
        return f"{'refused' if lam is not None else 'rightly refused'}: {str(error).split(':')[0][:100]}"
    theirs = np.array([[*answer[name].force, *answer[name].moment] for name in m.joints])
    if np.isnan(theirs).any():
        return "left open (a singular pose)"
    if lam is None:
        return "answered where nothing holds"
    mine = np.array(list(by_joint(m, lam).values()))
    off = np.abs(mine - theirs).max() / max(np.abs(mine).max(), 1e-3 * SIZE)
    return "right" if off < AGREE else "wrong"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Parts that act one way, against trial of all combinations.")
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--keep", type=Path, help="a folder for the models that are not answered rightly")
    args = parser.parse_args()
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    families, counts = args.families.split(","), Counter[str]()
    for i in range(args.count):
        family = families[i % len(families)]
        m = machine(family, np.random.default_rng([args.seed, i]))
        counts[f"{family:9s} {(said := verdict(m))}"] += 1
        if args.keep and not said.startswith("right"):
            (args.keep / f"{family}-{args.seed}-{i}.yaml").write_text(m.text)
    print("\n".join(f"{number:6d}  {line}" for line, number in sorted(counts.items())))
