"""Common zeros of quadratic forms from random starts, gathered into lines, linear subspaces and curved cones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.linear.precision import LOCATED

VANISHING_FORM = LOCATED  # forms and their values below this, entries being of order one, vanish
SAME_DIRECTION = 1e-4  # directions that differ by less are one: double roots are found to the square root of rounding
STARTS_PER_VARIABLE = 200  # random starts for each variable beyond two
NEWTON_SWEEPS = 80  # the error of a double root is halved in each
LEAST_HITS = 4  # starts that must have led to each root before all roots count as found
# Distance of starts from a root on the unit sphere, which distinguish a continuum of roots from a single one.
NEIGHBOUR_DISTANCE = 0.02
ROOT_RESIDUAL = 1e-10  # values of the forms at a root: a double root is then off by 1e-5 at worst


@dataclass(frozen=True, slots=True, eq=False)
class QuadricPart:
    """A piece of the solution: all x in the span of ``basis``; where ``curved``, a cone around its first column."""

    basis: Floats  # (e, k) orthonormal
    curved: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Solutions:
    """All pieces; ``complete`` where it is very unlikely that one was missed."""

    parts: tuple[QuadricPart, ...]
    complete: bool = True


def _values(A: Floats, x: Floats) -> Floats:
    return np.asarray(np.einsum("...i,kij,...j->...k", x, A, x))


def roots(A: Floats) -> Solutions:
    """The real solutions of xᵀ A_k x = 0 for forms A (p, e, e) without a common null direction."""
    e = A.shape[-1]
    A = A / np.abs(A).max()
    starts = np.random.default_rng(5).standard_normal((STARTS_PER_VARIABLE * (e - 1), e))
    reached = _descend(A, starts / np.linalg.norm(starts, axis=1, keepdims=True))
    reached = reached[np.abs(_values(A, reached)).max(axis=1) < ROOT_RESIDUAL]
    linear = _subspaces(A, reached)
    lines: list[Floats] = []
    hits: list[int] = []
    cone: list[QuadricPart] = []
    for x in (x for x in reached if not any(_inside(x, L) for L in linear)):
        known = [k for k, y in enumerate(lines) if 1 - abs(x @ y) < SAME_DIRECTION**2]
        if known:
            hits[known[0]] += 1
            continue
        L = _tangent(A, x)
        if L.shape[1] > 1 and (cone or _moves(A, x, L)):
            cone = cone or [QuadricPart(np.hstack([x[:, None], L @ _complement(L.T @ x)]), curved=True)]
        else:
            lines.append(x)
            hits.append(1)
    parts = [*(QuadricPart(L) for L in linear), *(QuadricPart(x[:, None]) for x in lines), *cone]
    return Solutions(tuple(parts), not cone and all(count >= LEAST_HITS for count in hits))


def _subspaces(A: Floats, roots: Floats) -> list[Floats]:
    """Subspaces of two dimensions and more in which every direction is a root."""
    spaces: list[Floats] = []
    for x in roots:
        if any(_inside(x, L) for L in spaces):
            continue
        L = _tangent(A, x)
        if L.shape[1] > 1 and np.abs(np.einsum("ia,kij,jb->kab", L, A, L)).max() < VANISHING_FORM:
            spaces.append(L)
    return spaces


def _inside(x: Floats, L: Floats) -> bool:
    return bool(np.linalg.norm(x - L @ (L.T @ x)) < SAME_DIRECTION)


def _descend(A: Floats, x: Floats) -> Floats:
    """Damped Gauss–Newton steps on the sphere from many starts x (k, e)."""
    for _ in range(NEWTON_SWEEPS):
        g = _values(A, x)
        J = 2 * np.einsum("kij,sj->ski", A, x)
        size = (g * g).sum(axis=1)
        normal = np.einsum("ski,skj->sij", J, J) + np.einsum("si,sj->sij", x, x)
        normal += (0.1 * np.sqrt(size) + 1e-14)[:, None, None] * np.eye(x.shape[1])
        x = x - np.linalg.solve(normal, np.einsum("ski,sk->si", J, g)[..., None])[..., 0]
        x = x / np.linalg.norm(x, axis=1, keepdims=True)
    return x


def _tangent(A: Floats, x: Floats) -> Floats:
    """The directions y with xᵀ A_k y = 0 for every k, x itself among them."""
    _, s, Vt = np.linalg.svd(np.einsum("i,kij->kj", x, A), full_matrices=True)
    return np.asarray(Vt[int((s > SAME_DIRECTION).sum()) :].T)


def _complement(x: Floats) -> Floats:
    """Orthonormal directions at right angles to the unit vector x."""
    return np.asarray(np.linalg.svd(x[None])[2][1:].T)


def _moves(A: Floats, x: Floats, L: Floats) -> bool:
    """Is x one of a continuum of roots, or alone though tangential?"""
    across = L @ _complement(L.T @ x)
    starts = np.vstack([x + sign * NEIGHBOUR_DISTANCE * y for y in across.T for sign in (1.0, -1.0)])
    reached = _descend(A, starts / np.linalg.norm(starts, axis=1, keepdims=True))
    good = np.abs(_values(A, reached)).max(axis=1) < ROOT_RESIDUAL
    return bool((good & (1 - np.abs(reached @ x) > 0.1 * NEIGHBOUR_DISTANCE**2)).any())
