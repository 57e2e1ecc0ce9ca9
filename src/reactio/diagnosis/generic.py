"""Generic ranks: those of almost all mechanisms with the same bodies and joints, whatever their dimensions.

Every joint gets a random place and random axes, the same on both of its bodies; the dimensions are rational, so that
ranks are computed without rounding.  A redundancy that is left is generic: counting and the graph explain it.  One that
is gone was special to the dimensions or the pose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from reactio import joints as joint_registry
from reactio.bodies import BODIES
from reactio.catalogue.places import GROUND, End
from reactio.constraint_matrix import GroupKind, restricted
from reactio.diagnosis.certify import aligned
from reactio.diagnosis.check import check
from reactio.errors import ReactioError
from reactio.joints import JointType
from reactio.model.model import Model, require_model
from reactio.model.specs import Body, Joint
from reactio.results.as_data import Result, picked
from reactio.space.rotations import axes_of
from reactio.system.compile.build import build
from reactio.system.equations import Equations, equations
from reactio.system.exact.matrix import exact_matrix
from reactio.system.exact.rational import Irrational
from reactio.system.types import State
from reactio.uniqueness import Solvability, solvability
from reactio.uniqueness.engine import rank_decision
from reactio.uniqueness.exact import second_opinion

# Random dimensions: multiples of 1/7 up to 4 m, and rotations by quaternions of integers up to 3.  Both are fractions
# that floats are recognised as, and special dimensions have a probability of some hundredths, which trials multiply.
LARGEST_NUMERATOR, DENOMINATOR, LARGEST_INTEGER = 28, 7, 3
RATIONAL_LENGTH = 15 / 7  # [m] of rods
TRIALS = 3  # of which the one of highest rank counts: special dimensions lower ranks and never raise them


@dataclass(frozen=True, slots=True, eq=False)
class GenericRanks(Result):
    """Ranks of a mechanism with its own and with random dimensions."""

    SCHEMA = "reactio.generic/1"
    KEYS = "model=model.name special_redundancy=special exact words"

    model: Model
    here: Solvability
    generic: Solvability
    exact: bool  # were the generic ranks computed without rounding
    note: str  # where they were not, why

    @property
    def special(self) -> int:
        """Redundancies of special dimensions, or of this pose."""
        return self.here.redundancy - self.generic.redundancy

    @property
    def words(self) -> tuple[str, ...]:
        """The answer in sentences."""
        p, generic = self.here.redundancy, self.generic.redundancy
        how = "in exact arithmetic" if self.exact else f"in floating point ({self.note})"
        words = (
            f"{p} redundant equation{'s' * (p != 1)}: {generic} generic, {self.special} from special dimensions or "
            "this pose.",
            f"Mobility {self.here.mobility}; with random dimensions {self.generic.mobility}. "
            f"Ranks with random dimensions were computed {how}, of {TRIALS} trials the highest.",
        )
        if not (idle := _of_drives(self.generic) - _of_drives(self.here)):
            return words
        undriven = p - _of_drives(self.here)
        left = generic - _of_drives(self.generic)
        return *words, (
            f"With random dimensions the joints block {idle} of the driven motions, and the drives repeat "
            f"their equations; without drives {undriven} equation{'s' * (undriven != 1)} would be redundant, {left} "
            "of them "
            "generic."
        )

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        return Result.as_data(self) | {"here": _data(self.here), "generic": _data(self.generic)}


def _data(answer: Solvability) -> dict[str, Any]:
    """Sizes and ranks: r, and for each joint r_i, r_−i and whether its reaction is unique."""
    joints = {group.name: picked(group, "rank rank_outside verdict") for group in answer}
    return picked(answer, "rows=m columns=n rank redundancy mobility") | {"joints": joints}


def _of_drives(answer: Solvability) -> int:
    """How many redundancies the drives add to those of the joints."""
    driven = [answer.rows_of(group.index) for group in answer.groups if group.kind == GroupKind.DRIVE]
    if not driven:
        return 0
    rest = np.setdiff1d(np.arange(answer.m), np.concatenate(driven))
    return answer.redundancy - (len(rest) - rank_decision(restricted(answer.matrix, rest)).rank)


def generic_ranks(model: Model) -> GenericRanks:
    """The ranks of a model next to those of the same bodies and joints with random dimensions.

    >>> import reactio
    >>> found = generic_ranks(reactio.load("bennett"))
    >>> found.here.redundancy, found.generic.redundancy, found.exact
    (3, 2, True)
    """
    require_model(model)
    answers: list[tuple[Solvability, str]] = [_judged(_random(model, seed)) for seed in range(TRIALS)]
    best, note = max(answers, key=lambda candidate: candidate[0].rank)
    return GenericRanks(model, check(model), best, not note, note)


def _judged(model: Model) -> tuple[Solvability, str]:
    """The verdicts on a model in its given pose, exact where that is possible, and why they are not."""
    system = build(model)
    if not system.m:
        raise ReactioError(f"'{model.name}' has no constraints: there is no redundancy to judge.")
    eqs = equations(system, State(0.0, system.q0, system.v0))
    answer = solvability(eqs.constraints)
    try:
        return _exact(answer, eqs, model), ""
    except ReactioError as error:
        return answer, str(error)


def _exact(answer: Solvability, eqs: Equations, model: Model) -> Solvability:
    """The verdicts, where exact ranks of C confirm them; natural coordinates make C rational.

    Rows that natural bodies have of their own are independent: redundancies are the same in all coordinates.
    """
    twin = build(aligned(model))
    aligned_eqs = equations(twin, State(0.0, twin.q0, twin.v0))
    opinion = second_opinion(solvability(aligned_eqs.constraints), exact_matrix(aligned_eqs).C).exact
    assert opinion is not None
    exact = dict(zip((g.name for g in twin.groups), opinion.ranks.determined.tolist(), strict=True))
    ours = {g.name: answer[g.name].determined for g in eqs.system.groups if g.kind != GroupKind.INTRINSIC}
    if twin.m - opinion.rank != answer.redundancy or any(exact[name] != count for name, count in ours.items()):
        raise Irrational("exact ranks and those of floating point differ")
    return answer


def _random(model: Model, seed: int) -> Model:
    """The model with every body and its elements at the origin, and every joint at a random place with random axes."""
    random = np.random.default_rng(seed)
    size = 2 if model.space == "planar" else 3
    turn = (0.0,) if size == 2 else (1.0, 0.0, 0.0, 0.0)

    def point() -> tuple[float, ...]:
        return tuple((random.integers(-LARGEST_NUMERATOR, LARGEST_NUMERATOR + 1, size) / DENOMINATOR).tolist())

    def placed(body: Body) -> Body:
        at = tuple(0.0 for _ in range(size)) if BODIES.get(body.kind).turns else point()
        return replace(body, position=at, orientation=turn)

    bodies = {body.name: placed(body) for body in model.bodies}
    joints = tuple(_placed(model, joint, bodies, point, _rotation(random, size)) for joint in model.joints)
    return replace(model, bodies=tuple(bodies.values()), joints=joints, forces=(), events=(), stops=(), source="")


def _rotation(random: np.random.Generator, size: int) -> tuple[float, ...]:
    """A random rotation whose matrix is rational: an angle, or a unit quaternion."""
    p = random.integers(1, LARGEST_INTEGER + 1, size if size == 2 else 4) * random.choice(
        (-1, 1), 2 if size == 2 else 4
    )
    if size == 2:
        return (2 * float(np.arctan2(p[1], p[0])),)
    return tuple((p / np.linalg.norm(p)).tolist())


def _placed(
    model: Model,
    joint: Joint,
    bodies: Mapping[str, Body],
    point: Callable[[], tuple[float, ...]],
    rotation: tuple[float, ...],
) -> Joint:
    """A joint with both of its frames at one random place; the two ends of a rod at places of a rational distance."""
    kind = joint_registry.JOINTS_BY_SPACE[model.space].get(joint.type)
    rod = not any(measure.primitive.turns for row in kind.rows for _, measure in row.combination.terms)
    fixed = [bodies[end.body].position for end in (joint.a, joint.b) if _is_point(bodies, end)]
    first = fixed[0] if fixed else point()
    second = fixed[-1] if len(fixed) == 2 else first
    if rod and len(fixed) < 2:
        second = tuple(x + RATIONAL_LENGTH * u for x, u in zip(first, _first_axis(rotation), strict=True))
        first, second = (second, first) if fixed and _is_point(bodies, joint.b) else (first, second)
    ends = [
        replace(end, point=tuple(0.0 for _ in place), orientation=())
        if _is_point(bodies, end)
        else replace(end, point=place, orientation=rotation)
        for end, place in ((joint.a, first), (joint.b, second))
    ]
    return replace(joint, a=ends[0], b=ends[1], parameters=_from_pose(kind, joint))


def _is_point(bodies: Mapping[str, Body], end: End) -> bool:
    return end.body != GROUND and not BODIES.get(bodies[end.body].kind).turns


def _first_axis(rotation: tuple[float, ...]) -> tuple[float, ...]:
    """The x axis of a rotated frame: a rational unit vector."""
    if len(rotation) == 1:
        return (float(np.cos(rotation[0])), float(np.sin(rotation[0])))
    return tuple(axes_of.plain(rotation)[0])  # type: ignore[arg-type]


def _from_pose(kind: JointType, joint: Joint) -> dict[str, float | None]:
    """The parameters of a joint without the lengths that a pose can give."""
    given = {row.target for row in kind.rows if row.target}
    return {name: value for name, value in joint.parameters.items() if name not in given}
