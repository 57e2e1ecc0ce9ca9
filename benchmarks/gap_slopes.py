"""Slopes, changes if rigid and tolerances with one-way parts, play and preloads, against solving again.

``python benchmarks/gap_slopes.py 500 --seed 1``: random tables on four to seven feet that only push, some of them too
low, tables on legs of which one is preloaded, and tables that a preloaded clamp pulls onto such feet.  ∂F/∂ln k against
central differences, ``change_if_rigid`` against a foot a billion times as stiff, and forces of machines within
tolerances against models with these misfits.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

import numpy as np

from reactio.design.one_way_tolerances import MACHINE_SEED, deviating
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.flexibility.instant import instant
from reactio.flexibility.sensitivity import seat, sensitivity
from reactio.model.files.read import parse_model
from reactio.model.model import Model

STEP = 1e-4  # of ln k in central differences, which err by its square
WRONG_SLOPE = 1e-5  # part of the largest force
WRONG_CHANGE = 1e-6  # the same: a foot a billion times as stiff is not rigid
WRONG_MACHINE = 1e-9  # the same
MACHINES = 20  # within the tolerances of a model, of which three are built


def table(rng: np.random.Generator) -> Model:
    """A plate on feet, on legs with a preload, or on feet and one clamp with a preload."""
    count = int(rng.integers(4, 8))
    legs, clamped = rng.random() < 0.25, rng.random() < 0.5
    angle = np.sort(rng.uniform(0, 2 * np.pi, count))
    angle[:3] = np.array([0.3, 2.4, 4.5]) + rng.normal(0, 0.2, 3)
    lines = ["space: spatial", "gravity: [0, 0, -9.81]"]
    x, y = rng.uniform(-0.2, 0.2, 2)
    lines.append(f"bodies: {{top: {{mass: 10, inertia: [1, 1, 1], position: [{x}, {y}, 0]}}}}")
    lines.append("joints:")
    for i, a in enumerate(angle.tolist()):
        off = rng.normal(0, 5e-5)
        clamp = clamped and not legs and i == 3
        kind = "point-on-plane" if legs or clamp else "contact-plane"
        more, r = f", misfit: {{z: {off}}}", 0.3 if clamp else 1.0  # a clamp outside the feet would lift some
        if (legs and i == 0) or clamp:
            more = f", preload: {{z: {-rng.uniform(10, 200) if clamp else 40}}}"
        lines.append(
            f"  f{i}: {{type: {kind}, bodies: [ground, top], at: [{r * np.cos(a)}, {r * np.sin(a)}, 0], axis: z, "
            f"stiffness: {{z: {10 ** rng.uniform(5, 6.5)}}}{more}}}"
        )
    return parse_model("\n".join(lines) + "\n")


def stiffer(model: Model, name: str, factor: float) -> Model:
    """The model with one stiffness multiplied."""
    elastic = model.joint(name).elastic
    scaled = replace(elastic, stiffness=tuple(factor * k for k in elastic.stiffness))
    joints = (replace(joint, elastic=scaled) if joint.name == name else joint for joint in model.joints)
    return replace(model, joints=tuple(joints))


def moved(model: Model, off: dict[str, float]) -> Model:
    """The model with misfits along z added."""
    joints = []
    for joint in model.joints:
        z = joint.elastic.misfit.get("z", 0.0) + off.get(joint.name, 0.0)
        joints.append(replace(joint, elastic=replace(joint.elastic, misfit={"z": z} if z else {})))
    return replace(model, joints=tuple(joints))


def lam_of(model: Model) -> Any:
    """λ by the rule compliance."""
    return instant(model).whole.lam


def errors(model: Model, rng: np.random.Generator) -> tuple[float, float, float]:
    """The largest errors of slopes, changes if rigid and machines, as parts of the largest force."""
    here = instant(model)
    lam = here.whole.lam
    size = float(np.abs(lam).max())
    found, slope = sensitivity(model), 0.0
    for k, part in enumerate(found.parts):
        ahead, behind = (lam_of(stiffer(model, part, np.exp(x))) for x in (STEP, -STEP))
        slope = max(slope, float(np.abs((ahead - behind) / (2 * STEP) - found.by_stiffness[:, k]).max()))
    change = 0.0
    for verdict in flexible(model).parts:
        if verdict.change_if_rigid is not None:
            after = lam_of(stiffer(model, verdict.name, 1e9))
            change = max(change, abs(float(np.abs(after - lam).max()) - verdict.change_if_rigid))
    return slope / size, change / size, _machines(model, rng) / size


def _machines(model: Model, rng: np.random.Generator) -> float:
    """The largest difference of a few machines within tolerances from models with these misfits."""
    here = instant(model)
    solution = here.whole.solution
    if solution is None:
        return 0.0
    names = [joint.name for joint in model.joints if not joint.elastic.preload]
    tolerance = 1e-4
    delta = np.array([tolerance * seat(here, f"{name}.z") for name in names]).T
    machines = deviating(here, solution, delta, MACHINES)
    random = np.random.default_rng(MACHINE_SEED).uniform(-1.0, 1.0, (MACHINES, len(names)))
    worst = 0.0
    for k in rng.integers(0, MACHINES, 3).tolist():
        off = dict(zip(names, (tolerance * random[k]).tolist(), strict=True))
        worst = max(worst, float(np.abs(lam_of(moved(model, off)) - machines.lam[k]).max()))
    return worst


def main() -> None:
    """Print how many are wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("count", nargs="?", type=int, default=500, help="number of tables")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    count, rng = options.count, np.random.default_rng(options.seed)
    limits = np.array([WRONG_SLOPE, WRONG_CHANGE, WRONG_MACHINE])
    rows, lost = [], 0
    while len(rows) < count:
        model = table(rng)
        try:
            rows.append(errors(model, rng))
        except ReactioError as error:
            lost += 1
            print(f"  no answer: {error}")
    off = np.array(rows)
    for k in np.flatnonzero((off > limits).any(axis=1))[:5]:
        print(f"  {k}: {off[k]}")
    for name, column, limit in zip(("slopes", "changes if rigid", "machines"), off.T, limits, strict=True):
        print(f"{name}: {int((column > limit).sum())} of {count} wrong, largest error {column.max():.1e}")
    print(f"{lost} refused")


if __name__ == "__main__":
    main()
