"""Directions along which a force or moment is unique, although its components along the axes are not."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.linear.precision import SUBSPACE
from reactio.uniqueness import GroupVerdict, Solvability


def known_directions(answer: Solvability, group: GroupVerdict) -> list[str]:
    """A sentence for the force, and one for the moment, where the components along one direction are unique.

    With open components p = P λ of one unit and all self-stresses N, aᵀ p is unique where aᵀ P N = 0.  Only a in the
    range of P count, along which the joint has a reaction: a rod has no force across its axis.  The verdict on each a
    is computed before it is named.
    """
    parts, sentences = answer.components_of(group.index), []
    rows, N = answer.rows_of(group.index), np.asarray(answer.N)
    for unit, word in (("N", "force"), ("N m", "moment")):
        undetermined = [
            k for k, component in enumerate(group.components) if component.unit == unit and component.unique is False
        ]
        if len(undetermined) < 2:
            continue
        P = parts.P[undetermined]
        bears = _range(P)
        across = _complement(bears.T @ P @ N[rows])
        if across.shape[1] == 1 and _unique(answer, rows, (a := bears @ across[:, 0]) @ P):
            names = [group.components[k].name for k in undetermined]
            sentences.append(f"Nevertheless unique: {_direction(names, a)}, its {word} along one direction.")
    return sentences


def _range(A: Floats) -> Floats:
    """An orthonormal basis of the range of A, as columns."""
    u, rank = _left_singular_vectors(A)
    return u[:, :rank]


def _complement(A: Floats) -> Floats:
    """An orthonormal basis of the orthogonal complement of the range of A, as columns."""
    u, rank = _left_singular_vectors(A)
    return u[:, rank:]


def _left_singular_vectors(A: Floats) -> tuple[Floats, int]:
    """Left singular vectors of A, and its rank."""
    u, sigma, _ = np.linalg.svd(A)
    return np.asarray(u), int((sigma > SUBSPACE * sigma.max(initial=0.0)).sum())


def _unique(answer: Solvability, rows: Ints, p: Floats) -> bool:
    row = np.zeros((1, answer.m))
    row[0, rows] = p
    return answer.functional(row).unique is True


def _direction(names: list[str], a: Floats) -> str:
    """A direction in words: ``0.866 Fx − 0.5 Fy``."""
    terms = [(float(x), name) for x, name in zip(a, names, strict=True) if abs(x) >= 0.0005]
    first = terms[0][0]
    text = " ".join(f"{'+' if x * first > 0 else '−'} {abs(x):.3g} {name}" for x, name in terms)
    return text.removeprefix("+ ")
