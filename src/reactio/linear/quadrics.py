"""Real directions x with xᵀ A_k x = 0 for every k: the lines, planes and cones that a few quadratic forms leave.

Linear algebra decides most cases: directions that no form depends on, forms that share no variable, forms of one sign
and forms that are a product of two factors.  Only the rest is searched for from random starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod

import numpy as np

from reactio.arrays import Floats
from reactio.linear.quadric_roots import SAME_DIRECTION, VANISHING_FORM, QuadricPart, Solutions, roots
from reactio.topology.components import connected

MOST_VARIABLES = 12  # of a system that linear algebra does not decompose: random starts find the roots of no larger one
MOST_PIECES = 256  # of a solution, beyond which none is given
DEPENDENT_PART = 1e-7  # of a unit vector along the columns of another form, from which on the two forms depend


def common_zeros(A: Floats) -> Solutions:
    """The real solutions of xᵀ A_k x = 0 for symmetric forms A (p, e, e).

    Forms that concern few variables should come as they are: mixed with each other they are harder to take apart.

    >>> [part.basis.shape for part in common_zeros(np.array([[[0.0, 1.0], [1.0, 0.0]]])).parts]
    [(2, 1), (2, 1)]
    >>> common_zeros(np.array([np.eye(2)])).parts
    ()
    """
    e = A.shape[-1]
    sizes = np.linalg.norm(A, axis=(1, 2), ord=2) if A.size else np.zeros(len(A))
    A = A[sizes > VANISHING_FORM] / sizes[sizes > VANISHING_FORM, None, None]
    if not len(A):
        return Solutions((QuadricPart(np.eye(e)),) if e else ())
    ranges = [_range(form) for form in A]
    blocks = _blocks(ranges)
    bases = [_span(np.hstack([ranges[k] for k in block])) for block in blocks]
    S = np.hstack(bases)
    S = np.hstack([S, complement(S)])  # y = Sᵀ x: the variables of each block, then those that no form sees
    X, ends = np.asarray(np.linalg.inv(S.T), dtype=float), np.cumsum([0, *(B.shape[1] for B in bases)])
    solutions = []
    for k, block in enumerate(blocks):
        inside = slice(ends[k], ends[k + 1])
        forms = np.einsum("ia,kij,jb->kab", X[:, inside], A[block], X[:, inside])
        solutions.append(_moved(_solved(forms), X[:, inside]))
    unseen = X[:, ends[-1] :]
    return _product([*solutions, Solutions((QuadricPart(unseen),))] if unseen.shape[1] else solutions)


def _solved(A: Floats) -> Solutions:
    """Forms that share variables, one after the other: each cuts the subspaces that those before it leave.

    A subspace inside another is dropped at once, so that their number stays that of the answer.
    """
    spaces = [np.eye(A.shape[-1])]
    for form in A:
        spaces = _largest(part for L in spaces for part in _cut(form, L))
        if len(spaces) > MOST_PIECES:
            return Solutions((), complete=False)
    if all(L.shape[1] == A.shape[-1] for L in spaces):
        return roots(A) if A.shape[-1] <= MOST_VARIABLES else Solutions((), complete=False)
    return _union([_within(A, L) for L in spaces if L.shape[1]])


def _cut(form: Floats, L: Floats) -> list[Floats]:
    """The subspaces of L in which a form vanishes; L itself where it leaves a cone, for later.

    A form of one sign vanishes where A x = 0; one of rank two and both signs is (l·x)(m·x), a pair of planes.
    """
    w, U = np.linalg.eigh(L.T @ form @ L)
    flat = np.abs(w) <= VANISHING_FORM
    if np.all(w[~flat] > 0) or np.all(w[~flat] < 0):
        return [L @ U[:, flat]]
    if np.count_nonzero(~flat) > 2:
        return [L]
    a, b = np.sqrt(w[-1]) * U[:, -1], np.sqrt(-w[0]) * U[:, 0]
    return [L @ complement((a + sign * b)[:, None]) for sign in (1.0, -1.0)]


def _within(A: Floats, L: Floats) -> Solutions:
    """The solutions in the span of L."""
    return _moved(common_zeros(np.einsum("ia,kij,jb->kab", L, A, L)), L)


def _moved(solutions: Solutions, L: Floats) -> Solutions:
    """Solutions in coordinates along L as vectors; the first column keeps its direction."""
    parts = tuple(QuadricPart(_oriented(L @ part.basis), part.curved) for part in solutions.parts)
    return Solutions(parts, solutions.complete)


def _oriented(B: Floats) -> Floats:
    Q, R = np.linalg.qr(B)
    return np.asarray(Q * np.where(np.diagonal(R) < 0, -1.0, 1.0))


def _union(solutions: list[Solutions]) -> Solutions:
    """All pieces, without those inside others."""
    flat = _largest(part.basis for solution in solutions for part in solution.parts if not part.curved)
    cones = [part for solution in solutions for part in solution.parts if part.curved]
    return Solutions((*(QuadricPart(L) for L in flat), *cones), all(solution.complete for solution in solutions))


def _largest(spaces: Iterable[Floats]) -> list[Floats]:
    """Subspaces without those inside others."""
    kept: list[Floats] = []
    for L in spaces:
        if not any(_inside(L, larger) for larger in kept):
            kept = [larger for larger in kept if not _inside(larger, L)] + [L]
    return kept


def _inside(L: Floats, M: Floats) -> bool:
    return L.shape[1] <= M.shape[1] and bool(np.linalg.norm(L - M @ (M.T @ L)) < SAME_DIRECTION)


def _product(solutions: list[Solutions]) -> Solutions:
    """Pieces of independent systems together: one of each that has any."""
    choices = [solution.parts for solution in solutions if solution.parts]
    complete = all(solution.complete for solution in solutions)
    if len(choices) < 2:
        return Solutions(choices[0] if choices else (), complete)
    if prod(len(parts) for parts in choices) > MOST_PIECES:
        return Solutions((), complete=False)
    products = (
        QuadricPart(_oriented(np.hstack([p.basis for p in chosen])), any(p.curved for p in chosen))
        for chosen in product(*choices)
    )
    return Solutions(tuple(products), complete)


def _range(form: Floats) -> Floats:
    """An orthonormal basis of the directions that a form depends on."""
    w, U = np.linalg.eigh(form)
    return np.asarray(U[:, np.abs(w) > VANISHING_FORM * np.abs(w).max()])


def _span(B: Floats) -> Floats:
    U, s, _ = np.linalg.svd(B, full_matrices=False)
    return np.asarray(U[:, s > VANISHING_FORM])


def complement(B: Floats) -> Floats:
    """Orthonormal directions at right angles to independent columns B."""
    return np.asarray(np.linalg.qr(B, mode="complete")[0][:, B.shape[1] :])


def _blocks(ranges: list[Floats]) -> list[list[int]]:
    """Forms that depend on each other: the ranges of different blocks are independent.

    Columns are reduced one after the other to those before; the entries of a column in others tie their forms.  These
    are the components of the matroid of all columns, which no order of them changes.
    """
    columns, owner = np.hstack(ranges), np.repeat(np.arange(len(ranges)), [B.shape[1] for B in ranges])
    basis: list[int] = []
    ties: list[tuple[int, int]] = []
    for j, x in enumerate(columns.T):
        B = columns[:, basis]
        y = np.linalg.lstsq(B, x, rcond=VANISHING_FORM)[0] if basis else np.zeros(0)
        if np.linalg.norm(x - B @ y) > VANISHING_FORM:
            basis.append(j)
        else:
            ties += [(int(owner[j]), int(owner[basis[i]])) for i in np.flatnonzero(np.abs(y) > DEPENDENT_PART)]
    pairs = np.array(ties, dtype=np.int64).reshape(-1, 2).T
    label = connected(len(ranges), pairs[0], pairs[1])
    return [np.flatnonzero(label == k).tolist() for k in range(int(label.max(initial=-1)) + 1)]
