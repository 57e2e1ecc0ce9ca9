"""Splits that no flexible part decides: random frames of beams with joints that are there twice, in any axes and sizes.

python benchmarks/undecided_splits.py [models] [seed]

Joints that hold one place of a beam twice leave as many self-stresses undecided as the lesser of the two has rows,
whatever the beam does.  Every model is judged by the dense and by the sparse path.
"""

from __future__ import annotations

import re
import sys
import time

import numpy as np

import reactio
from reactio.errors import ReactioError
from reactio.sharing import compliance
from reactio.space.rotations import axes_of, turn

ROWS = {"spherical": 3, "fixed": 6}
PATHS = {"dense": 1500, "sparse": 5}  # rows up to which the null space is computed


def random_model(rng: np.random.Generator) -> tuple[str, int]:
    """One to three bent beams, each on three joints, some of these twice; how many self-stresses stay undecided."""
    bodies, joints, materials, planted = [], [], [], 0
    for b in range(int(rng.integers(1, 4))):
        position = rng.standard_normal(3) * 10 ** rng.uniform(-1, 2)
        q = rng.standard_normal(4)
        q /= np.linalg.norm(q)
        points = rng.standard_normal((3, 3)) * 10 ** rng.uniform(-1, 0.5)
        width, height = (10 ** rng.uniform(-2.5, -1, 2)).tolist()
        named = ", ".join(f"{key}: {point.tolist()}" for key, point in zip("abc", points, strict=True))
        beam = f"{{path: [a, b, c], section: {{box: [{width}, {height}]}}}}"
        bodies.append(
            f"  b{b}: {{position: {position.tolist()}, orientation: {q.tolist()}, points: {{{named}}}, "
            f"flexible: {{beam: {beam}, material: m{b}}}}}"
        )
        materials.append(f"m{b}: {{E: {10 ** rng.uniform(9, 12)}, nu: 0.3, density: {10 ** rng.uniform(2, 4)}}}")
        for key, point in zip("abc", points, strict=True):
            at = (position + np.array(turn.plain(axes_of.plain(tuple(q.tolist())), tuple(point.tolist())))).tolist()
            kinds = [str(rng.choice(list(ROWS))) for _ in range(1 + (rng.random() < 0.3))]
            planted += min(ROWS[kind] for kind in kinds) if len(kinds) > 1 else 0
            for twice, kind in enumerate(kinds):
                where = f"bodies: [ground, b{b}], at: {at}, axis: {rng.standard_normal(3).tolist()}"
                joints.append(f"  j{b}{key}{twice}: {{type: {kind}, {where}}}")
    head = f"space: spatial\ngravity: [0, 0, -9.81]\nmaterials: {{{', '.join(materials)}}}\n"
    return head + "bodies:\n" + "\n".join(bodies) + "\njoints:\n" + "\n".join(joints), planted


def undecided(eqs: reactio.Equations) -> int | None:
    """How many self-stresses are called undecided; None where precision does not suffice, which is said."""
    try:
        split = reactio.reactions(eqs, "compliance")
    except ReactioError as error:  # all are undecided, or precision does not suffice
        count = re.search(r"leave ([\d,]+) of", str(error))
        return int(count[1].replace(",", "")) if count else None
    return 0 if split.undecided is None else split.undecided.shape[1]


def main(models: int = 240, seed: int = 0) -> int:
    """Print what was wrong; the number of wrong answers."""
    rng, begun, wrong, refused = np.random.default_rng(seed), time.process_time(), 0, 0
    for case in range(models):
        text, planted = random_model(rng)
        eqs = reactio.equations(reactio.build(reactio.parse_model(text)))
        for path, most in PATHS.items():
            compliance.MOST_NULL_SPACE_ROWS = most
            found = undecided(eqs)
            refused += found is None
            if found is not None and found != planted:
                wrong += 1
                print(f"model {case}, {path}: {planted} are undecided, {found} were called so")
    print(f"{models} models, {wrong} wrong, {refused} refused, {time.process_time() - begun:.0f} s of processor time")
    return wrong


if __name__ == "__main__":
    raise SystemExit(min(1, main(*(int(word) for word in sys.argv[1:]))))
