"""Verdicts in exact arithmetic: from a model to the ranks of a rational matrix, or a plain word why there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from reactio.dynamics.pose import posed
from reactio.model.natural import natural
from reactio.model.specs import Body, Element, Model
from reactio.solvability import Solvability, solvability
from reactio.solvability.exact import exact_rank, second_opinion
from reactio.space.rotations import axes_of
from reactio.system.build import build
from reactio.system.equations import Equations, equations
from reactio.system.exact import exact_matrix, rounded_matrix
from reactio.system.rational import Irrational
from reactio.system.types import State


def certify(answer: Solvability, eqs: Equations) -> Solvability:
    """The answer of a model in natural coordinates with the exact opinion on the configuration, where it is rational.

    Verdicts do not depend on which points and vectors describe a body, so each is described by the point that stands
    at the origin of the world and by vectors along its axes: C is rational when the places and axes of all joints are.
    """
    twin = build(aligned(posed(eqs.system, eqs.state)))
    there = equations(twin, State(eqs.state.t, twin.q0, twin.v0))
    try:
        found = exact_matrix(there)
    except Irrational as error:
        return replace(answer, notes=(*answer.notes, _instead(str(error), answer, there)))
    words = (
        "The configuration is rational and fulfils every constraint exactly; ranks and verdicts are certified, "
        "no tolerance is involved."
    )
    if twin.n != eqs.system.n:
        # Bodies of other kinds are described as natural ones here: that C has more columns, and a rank of its own.
        own = second_opinion(solvability(there.constraints), found.C, f"{words} In natural coordinates.")
        return replace(answer, exact=own.exact, notes=(*answer.notes, *own.notes))
    return second_opinion(answer, found.C, words)


def aligned(model: Model) -> Model:
    """The model with each body that turns described by its point at the world's origin and vectors along world axes."""
    whole = natural(model)
    turned = (replace(b, elements=_along_world(b)) if b.kind == "natural" else b for b in whole.bodies)
    return replace(whole, bodies=tuple(turned))


def _along_world(body: Body) -> tuple[Element, ...]:
    """Rᵀ(0 − r) and Rᵀe_k of the given pose, in body axes."""
    if len(body.position) == 2:
        c, s = np.cos(body.orientation[0]), np.sin(body.orientation[0])
        R: Any = np.array([[c, -s], [s, c]])
        vectors = R.T[:, :1].T
    else:
        R = np.array(axes_of.plain(body.orientation)).T  # type: ignore[arg-type]
        vectors = R
    point = Element("point", tuple(-R.T @ np.array(body.position)))
    return (point, *(Element("vector", tuple(v)) for v in vectors))


def _instead(reason: str, answer: Solvability, eqs: Equations) -> str:
    """What can be said in exact arithmetic where the configuration is not rational."""
    near = rounded_matrix(eqs)
    r = exact_rank(near.C)
    return (
        f"Exact arithmetic does not apply: {reason}. Certified instead: the configuration rounded to binary fractions, "
        f"off its constraints by {float(near.residual):.1e}, has rank {r} exactly. Small changes raise ranks and do "
        f"not lower them, which confirms {answer.m - r} of the {answer.redundancy} redundancies; all else rests on "
        "floating point."
    )
