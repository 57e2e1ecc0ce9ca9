"""C in rational numbers: the loops of the evaluation, run on fractions instead of floats.

In natural coordinates every row is a polynomial in the elements, so that rational points and vectors give a rational
C without a single rounding.  The configuration is checked by the same means: all constraints must hold exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.kernels import in_turn
from reactio.space.frames import PLANAR_PHI, PLANAR_X, axes_of_frames
from reactio.system.equations import Equations
from reactio.system.evaluate.kernels import loops_by_name
from reactio.system.exact.rational import Angle, Exact, ExactMath, Irrational, Reading, RoundedMath, Unknown, rounded
from reactio.system.types import System

Objects = Any  # arrays of exact numbers
Read = Callable[[float, str, float], Any]
COORDINATE_TERMS = 1.0  # size of what coordinates are sums of: lengths of machines [m], and components of axes


@dataclass(frozen=True, slots=True, eq=False)
class ExactMatrix:
    """C (m, n) of fractions, and how far the configuration is from its constraints (0 when it is on them)."""

    C: Objects
    residual: Fraction
    near: int = 0  # how many numbers differ from the float of their fraction, by rounding


def exact_matrix(eqs: Equations) -> ExactMatrix:
    """C at a configuration that is rational and fulfils all constraints exactly; else Irrational says why not.

    Rows that follow a function of time or an angle other than zero only say where the mechanism is: they hold by
    definition.
    """
    read = Reading()
    C, F, Phi = _run(eqs, read, ExactMath())
    for unknown in (x for part in (Phi, C.ravel()) for x in part if isinstance(x, Unknown)):
        raise unknown.refuse()
    system = eqs.system
    for group in system.groups:
        for i in range(group.start, group.stop):
            if Phi[i] != 0:
                raise Irrational(f"{group.kind} '{group.name}' is open by {float(Phi[i]):.3g} in rational numbers")
    _check_axes(system, F)
    return ExactMatrix(C, Fraction(0), read.near)


def rounded_matrix(eqs: Equations) -> ExactMatrix:
    """C at the floating configuration, each number a binary fraction: near its constraints, not on them."""
    C, _, Phi = _run(eqs, rounded, RoundedMath())
    return ExactMatrix(C, max((abs(Fraction(float(x))) for x in Phi), default=Fraction(0)))


def _run(eqs: Equations, read: Read, arithmetic: ExactMath) -> tuple[Objects, Objects, Objects]:
    """C (m, n), the frames and Φ (m,) in exact numbers."""
    system, plan = eqs.system, eqs.system.plan
    loops = {
        name: in_turn([loop.replacing(math=arithmetic) for loop in copies])
        for name, copies in loops_by_name(system).items()
    }
    q = _table(eqs.state.q, read, "a coordinate", COORDINATE_TERMS)
    local = _by_rows(plan.frames.local, read, _names(system))
    F, R = _frames(system, read), _zeros(*eqs.work.R.shape)
    loops["orientations"](plan.bodies, q, R)
    bodies = plan.bodies._replace(p=_table(plan.bodies.p, read, "a coefficient of an element", COORDINATE_TERMS))
    frames = plan.frames._replace(local=local)
    loops["frame_poses"](frames, bodies.p, q, R, F)
    measures = len(plan.measures.p)
    value = _zeros(measures)
    D = _zeros(measures, eqs.work.D.shape[1])
    given = plan.measures._replace(p=_table(plan.measures.p, read, "a parameter of a joint"))
    loops["measures"](given, q, F, value, D)
    data, Phi = _zeros(len(system.C_pattern[1])), _residuals(system, value, read)
    entries = plan.entries._replace(factor=_table(plan.entries.factor, read, "a factor of a row"))
    loops["matrix"](entries, frames, bodies.p, q, R, D, F, data)
    loops["all_intrinsic_rows"](bodies, q, Phi, data)
    indptr, indices = system.C_pattern
    C = _zeros(system.m, system.n)
    C[np.repeat(np.arange(system.m), np.diff(indptr)), indices] = data
    return C, F, Phi


def _zeros(*shape: int) -> Objects:
    return np.full(shape, Exact(0), dtype=object)


def _table(numbers: Floats, read: Read, where: str, terms: float = 0.0) -> Objects:
    """Numbers read one by one."""
    flat = [read(x, where, terms) for x in np.asarray(numbers, dtype=float).ravel().tolist()]
    out = np.empty(len(flat), dtype=object)
    out[:] = flat
    return out.reshape(np.shape(numbers))


def _by_rows(numbers: Floats, read: Read, names: list[str]) -> Objects:
    """Numbers read one by one, each row with its own name."""
    rows = [
        _table(row, read, f"a coordinate of {name}", COORDINATE_TERMS) for row, name in zip(numbers, names, strict=True)
    ]
    return np.array(rows, dtype=object).reshape(numbers.shape)


def _names(system: System) -> list[str]:
    """What each frame belongs to."""
    names = ["a place where a force acts"] * len(system.plan.frames.local)
    for group in system.groups:
        for frame in group.frames or ():
            names[frame] = f"joint '{group.name}'"
    return names


def _frames(system: System, read: Read) -> Objects:
    """The frames of ground; an angle of the plane is the direction of its axis."""
    F = _by_rows(system.F0, read, _names(system))
    if system.space == "planar":
        for f in range(len(F)):
            F[f, PLANAR_PHI] = Angle(F[f, PLANAR_X + 1], F[f, PLANAR_X])
    return F


def _residuals(system: System, value: Objects, read: Read) -> Objects:
    """Φ (m,) of the rows that hold by geometry: Σ k s − target."""
    rows, Phi = system.plan.rows, _zeros(system.m)
    for i in np.flatnonzero((rows.function < 0) & (rows.holonomic > 0.5)):
        terms = range(int(rows.start[i]), int(rows.start[i + 1]))
        products = [(read(float(rows.factor[j]), "a factor of a row", 0.0), value[rows.measure[j]]) for j in terms]
        if any(isinstance(s, Angle) for _, s in products):
            Phi[i] = _open_angle(products, float(rows.target[i]))
        else:
            Phi[i] = sum((k * s for k, s in products), Exact(0)) - read(float(rows.target[i]), "a dimension", 0.0)
    return Phi


def _open_angle(terms: list[tuple[Any, Any]], target: float) -> Exact:
    """0 for an angle that is exactly zero, and for those that only say where the mechanism is."""
    if len(terms) > 1 or target or terms[0][1].zero:
        return Exact(0)
    return Exact(float(terms[0][1])) or Exact(1, 10**300)


def _check_axes(system: System, F: Objects) -> None:
    """The axes of all frames are unit vectors at right angles, exactly: (1, 1)/√2 is none in rational numbers."""
    every = axes_of_frames(F)
    axes = [every[:, k] for k in range(system.sizes.rotation)]  # y of the plane is x turned
    for i, a in enumerate(axes):
        for j, b in enumerate(axes[: i + 1]):
            for name, x in zip(_names(system), (a * b).sum(axis=1), strict=True):
                if isinstance(x, Unknown) or x != (1 if i == j else 0):
                    raise Irrational(f"the axes of {name} are not rational unit vectors at right angles")
