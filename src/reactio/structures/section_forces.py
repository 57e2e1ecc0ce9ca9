"""Beams without a stiffness matrix: their compliance by the section forces of least energy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.space.twists import skew
from reactio.structures import extent
from reactio.structures.condense import MASSLESS_MOTION, rigid_modes

MOMENT_QUADRATURE = np.polynomial.legendre.leggauss(4)  # exact for the product of two bending moments, cubics in x


@dataclass(frozen=True, eq=False)
class Bar:
    """A straight piece of a beam between two nodes."""

    start: int
    end: int
    axes: Floats  # (3, 3) rows: along the beam, y and z of the section
    soft: Floats  # (6,) 1/EA, 1/κGA_y, 1/κGA_z, 1/GJ, 1/EI_y, 1/EI_z
    mass: float  # ρA [kg/m]
    turning: Floats  # (3, 3) ρI of the section in body axes [kg m]


def frame_root(
    nodes: Floats, bars: Sequence[Bar], held: Sequence[int], lumps: Iterable[tuple[int, Floats]] = ()
) -> Floats:
    """L (6J, r) with F = L Lᵀ, the compliance of a floating frame of beams on the nodes ``held``, in body axes.

    F_ij = ∫ s_iᵀ S s_j dx,   s_i(x): forces and moments of the section at x by the unit wrench i and the inertia that
    balances it, −ρA (a₀ + α × x) and −ρI α per length.  ``lumps``: nodes with 6 × 6 masses about the origin.

    S = diag(1/EA, 1/κGA_y, 1/κGA_z, 1/GJ, 1/EI_y, 1/EI_z).  Nothing but the inertia of the whole body is inverted, so
    that interfaces may be arbitrarily close.  Displacements are in mean axes of the deformed body; F differs from
    Pᵀ K^g P of a condensed structure by J Y Jᵀ, which no self-stress sees (NᵀG J = 0).  Rings are cut open to a tree;
    the wrenches X in the cuts are those of least energy, |B + B_c X|² → min: the part of B along B_c falls away.
    """
    bars, cuts = _opened(bars, len(nodes))
    nodes = np.concatenate([nodes, nodes[[old for _, old in cuts]]]) if cuts else nodes
    middle = nodes.mean(axis=0)
    x = nodes - middle
    move = rigid_modes(-middle[None])  # twist at the middle of the nodes → twist at the origin of the body
    weights = [(node, move.T @ mass @ move) for node, mass in lumps]
    load, size = np.zeros((len(x), 6, 6 * (len(held) + len(cuts)))), 6 * len(held)
    for k, node in enumerate(held):
        load[node, :, 6 * k : 6 * k + 6] = rigid_modes(x[node][None]).T  # wrench at a node → about the middle
    for k, (new, old) in enumerate(cuts):
        both = rigid_modes(x[new][None]).T
        load[new, :, size + 6 * k : size + 6 * k + 6] = both
        load[old, :, size + 6 * k : size + 6 * k + 6] = -both
    field = _balance(x, bars, weights) @ load.sum(axis=0)
    for node, mass in weights:
        load[node] -= mass @ field
    B = _deformations(x, bars, load, field)
    B, across = B[:, :size], B[:, size:]
    Q = np.linalg.qr(across / np.linalg.norm(across, axis=0))[0]
    for _ in range(2):  # a second time, for the digits that rounding took
        B = B - Q @ (Q.T @ B)
    return _narrow(B)


def _opened(bars: Sequence[Bar], count: int) -> tuple[list[Bar], list[tuple[int, int]]]:
    """The bars as a tree: those that close a ring end at a node of their own; (own, old) node of each of them."""
    tree = {bar for bar, _, _ in _outwards(bars, 0)}
    opened: list[Bar] = []
    cuts: list[tuple[int, int]] = []
    for bar in bars:
        if bar in tree:
            opened.append(bar)
        else:
            cuts.append((count + len(cuts), bar.end))
            opened.append(replace(bar, end=cuts[-1][0]))
    return opened, cuts


def _deformations(x: Floats, bars: Sequence[Bar], load: Floats, field: Floats) -> Floats:
    """B (r, 6J) with BᵀB = ∫ sᵀ S s dx, from the outermost bar inwards: a section bears the loads beyond it."""
    beyond, deformations = load.copy(), [np.zeros((0, load.shape[2]))]
    points, weights = (part.tolist() for part in MOMENT_QUADRATURE)
    for bar, near, far in reversed(_outwards(bars, 0)):
        length = float(np.linalg.norm(x[far] - x[near]))
        for point, weight in zip(points, weights, strict=True):
            place = x[near] + (point + 1) / 2 * (x[far] - x[near])
            wrench = beyond[far] - _inertia(bar, place, x[far]) @ field
            moment = wrench[3:] - skew(place) @ wrench[:3]
            s = np.concatenate([bar.axes @ wrench[:3], bar.axes @ moment])
            deformations.append(np.sqrt(weight * length / 2 * bar.soft)[:, None] * s)
        beyond[near] += beyond[far] - _inertia(bar, x[near], x[far]) @ field
    return np.concatenate(deformations)


def _narrow(B: Floats) -> Floats:
    """L (6J, 6J or less) with L Lᵀ = BᵀB: R of an orthogonal factorisation, large rows first to keep all digits."""
    from scipy.linalg import qr

    order = np.argsort(-np.abs(B).max(axis=1, initial=0.0), kind="stable")
    R, columns = qr(B[order], mode="r", pivoting=True)
    size = min(B.shape)
    L = np.zeros((B.shape[1], size))
    L[columns] = R[:size].T
    return L


def _balance(x: Floats, bars: Sequence[Bar], lumps: Iterable[tuple[int, Floats]]) -> Floats:
    """(6, 6): a wrench about the origin → the acceleration it gives to the free body."""
    total = np.zeros((6, 6))
    for mass in (*(_inertia(bar, x[bar.start], x[bar.end]) for bar in bars), *(mass for _, mass in lumps)):
        total += mass
    size = np.repeat([1.0, extent(x)], 3)
    scaled = np.linalg.pinv(total / np.outer(size, size), rcond=MASSLESS_MOTION, hermitian=True)
    return np.asarray(scaled / np.outer(size, size))


def _inertia(bar: Bar, a: Floats, b: Floats) -> Floats:
    """(6, 6) mass matrix about the origin of the piece from a to b."""
    length, total = float(np.linalg.norm(b - a)), np.zeros((6, 6))
    for s in ((1 - 3**-0.5) / 2, (1 + 3**-0.5) / 2):  # two points are exact for squares
        J = rigid_modes((a + s * (b - a))[None])
        local = np.zeros((6, 6))
        local[:3, :3] = bar.mass * np.eye(3)
        local[3:, 3:] = bar.turning
        total += length / 2 * J.T @ local @ J
    return total


def _outwards(bars: Sequence[Bar], root: int) -> list[tuple[Bar, int, int]]:
    """(bar, near node, far node) of all bars that are reached from a node, those beyond others later."""
    touching: dict[int, list[Bar]] = {}
    for bar in bars:
        touching.setdefault(bar.start, []).append(bar)
        touching.setdefault(bar.end, []).append(bar)
    order, known, front = list[tuple[Bar, int, int]](), {root}, [root]
    while front:
        near = front.pop()
        for bar in touching.get(near, ()):
            far = bar.end if bar.start == near else bar.start
            if far not in known:
                known.add(far)
                front.append(far)
                order.append((bar, near, far))
    return order
