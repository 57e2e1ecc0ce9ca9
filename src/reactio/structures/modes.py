"""Modes of a floating elastic body: Craig and Bampton's basis made orthogonal, with the invariants of its inertia.

The basis holds the constraint modes of all interfaces and modes with the interfaces held.  The free body in it is
solved together with its six rigid motions, so that every mode is orthogonal to them: those are the conditions of mean
axes.  Modes below a cut vibrate; of the others only the part that loads on the interfaces reach is kept (residual
attachment modes), with critical damping, so that it follows statically.  All modes together have the static flexibility
of the structure. Craig & Bampton 1968, AIAA J. 6; MacNeal 1971, Comput. Struct. 1; Shabana 2020, Dynamics of Multibody
Systems, Ch. 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import tau
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.structures import FiniteElements, Flexibility, extent
from reactio.structures.attachment import Attachment
from reactio.structures.centrifugal import UNIT_STRETCHES, nodal_field, spin_loads
from reactio.structures.condense import rigid_modes

DENSE_FREEDOMS = 900  # freedoms up to which all modes are found, by dense matrices, in less than a second
# Modes with held interfaces beyond twice those that vibrate: these are then right to some parts in 10⁴.
FURTHER_MODES = 6
RIGID_MODE_RATIO = 1e6  # ratio of the least square of a frequency to the rounding of those of rigid motions
STATIC_DAMPING_RATIO = 1.0  # of modes that follow statically: critical damping, the fastest return to rest


@dataclass(frozen=True, slots=True, eq=False)
class BeamAxes:
    """The axes of the beams of a body and how modes bend them: node k is at x_k + Ψ_k η; body axes."""

    nodes: Floats  # (N, 3) x [m]
    shapes: Floats  # (N, 3, n) Ψ
    bars: tuple[tuple[int, int], ...]  # nodes at both ends of the pieces, along each beam


@dataclass(frozen=True, eq=False)
class Modes:
    """n modes of a body in its axes, each with the mass of the body: ∫ρ Ψ_i·Ψ_j = m δ_ij."""

    name: str
    mass: float  # m [kg]
    frequency: Floats  # (n,) ω, those that vibrate first [rad/s]
    ratio: Floats  # (n,) damping ratio ζ
    vibrating: int  # of them
    shapes: Floats  # (J, 6, n) displacements and rotations of the interfaces [1, 1/m]
    attachment: Attachment
    J1: Floats  # (n, 3, 3) change of the inertia with η_i [kg m]
    J2: Floats  # (n, n, 3, 3) with η_i η_j [kg]
    b: Floats  # (n, n, 3) ∫ρ Ψ_i×Ψ_j [kg]
    damping_words: str
    beams: BeamAxes | None = None  # none of plates, solids and matrices

    @property
    def stiffness(self) -> Floats:
        """(n,) m ω² [N/m]."""
        return self.mass * self.frequency**2

    @property
    def resistance(self) -> Floats:
        """(n,) 2 ζ m ω [N s/m]."""
        return 2 * self.ratio * self.mass * self.frequency

    def at(self, point: tuple[float, ...]) -> Floats:
        """(6, n) Ψ and Θ of a point where the body is held, at the end of a rigid arm."""
        k, arm = self.attachment.at(point, "something that acts on it")
        shape: Floats = self.shapes[k].copy()
        shape[:3] += np.cross(self.shapes[k][3:].T, arm).T
        return shape

    @property
    def words(self) -> str:
        """The modes that vibrate, those that follow statically, and the damping."""
        hertz, rest = self.frequency[: self.vibrating] / tau, len(self.frequency) - self.vibrating
        follow = f"{rest} {'modes follow' if rest > 1 else 'mode follows'} statically" if rest else ""
        if not len(hertz):
            return f"no mode vibrates; {follow}"
        what = (
            f"1 mode of {hertz[0]:.4g} Hz"
            if len(hertz) == 1
            else f"{len(hertz)} modes, {hertz[0]:.4g} … {hertz[-1]:.4g} Hz"
        )
        return f"{what}, {self.damping_words}" + (f"; {follow}" if rest else "")


def modes(
    structure: Flexibility, choice: Mapping[str, Any], planar: bool, loaded: bool, where: tuple[str, ...]
) -> Modes:
    """The modes of a structure: as many as vibrate by ``choice``, and the residual flexibility of the others.

    ``choice``: ``count`` modes or those ``up_to`` a frequency [Hz]; ``damping`` ratio ζ of each, ``beta`` [s] of a
    damping β K, ζ = ½ β ω.  ``loaded``: does anything hold the body at its interfaces?
    """
    elements = structure.elements or _frames_only(structure)
    X = _basis(elements, structure, choice, planar)
    values, Y = _free(elements, X, structure, where)
    mass = float(np.trace(elements.rigid().T[:3] @ (elements.M @ elements.rigid()[:, :3]))) / 3
    Y = np.sqrt(mass) * Y
    frequency = np.sqrt(values)
    if planar:
        seen = _in_plane(Y, structure)
        Y, frequency = Y[:, seen], frequency[seen]
    kept = _kept(frequency, choice)
    residual = _residual(Y[:, kept:], frequency[kept:], structure if loaded else None)
    Y = np.hstack([Y[:, :kept], Y[:, kept:] @ residual[1]])
    frequency = np.concatenate([frequency[:kept], residual[0]])
    ratio = np.full(len(frequency), float(choice.get("damping", 0.0))) + float(choice.get("beta", 0.0)) * frequency / 2
    ratio[kept:] = np.maximum(ratio[kept:], STATIC_DAMPING_RATIO)
    J1, J2, b = _invariants(elements, X @ Y)
    shapes = Y[: 6 * len(structure.points)].reshape(len(structure.points), 6, -1)
    return Modes(
        structure.name, mass, frequency, ratio, kept, shapes, Attachment.of(structure), J1, J2, b, _words(choice),
        _beams(elements, X @ Y),
    )  # fmt: skip


def _beams(elements: FiniteElements, U: Floats) -> BeamAxes | None:
    """The axes of beams, with the displacements of their nodes by the modes U (n, ·)."""
    if not elements.bars:
        return None
    return BeamAxes(elements.nodes, U.reshape(len(elements.nodes), 6, -1)[:, :3], elements.bars)


@dataclass(frozen=True, slots=True, eq=False)
class ModeShapes:
    """The lowest modes of a free body as shapes of its nodes; body axes."""

    name: str
    hertz: Floats  # (k,)
    nodes: Floats  # (N, 3) [m]
    shapes: Floats  # (N, 3, k) displacements, the largest of each mode 1


def mode_shapes(structure: Flexibility, count: int, planar: bool, where: tuple[str, ...]) -> ModeShapes:
    """The ``count`` lowest modes of a structure that nothing holds, its rigid motions left out: K φ = ω² M φ."""
    elements = structure.elements or _frames_only(structure)
    X = _basis(elements, structure, {"count": float(count)}, planar)
    values, Y = _free(elements, X, structure, where)
    if planar:
        seen = _in_plane(Y, structure)
        values, Y = values[seen], Y[:, seen]
    values, Y = values[:count], Y[:, :count]
    moves = (X @ Y).reshape(len(elements.nodes), elements.freedoms, -1)[:, :3]
    largest = np.linalg.norm(moves, axis=1).max(axis=0)
    return ModeShapes(
        structure.name, np.sqrt(values) / tau, elements.nodes, moves / np.where(largest > 0.0, largest, 1.0)
    )


def _words(choice: Mapping[str, Any]) -> str:
    parts = []
    if choice.get("damping") or not choice.get("beta"):
        parts.append(f"damping ratio {choice.get('damping', 0.0):g}")
    if choice.get("beta"):
        parts.append(f"damping {choice['beta']:g} s × stiffness")
    return " and ".join(parts)


def _frames_only(structure: Flexibility) -> FiniteElements:
    """A superelement: its interface frames are its nodes."""
    from scipy.sparse import csc_array

    assert structure.K is not None
    assert structure.M is not None
    K, M = csc_array(structure.K), csc_array(structure.M)
    return FiniteElements(K, M, structure.points, 6, spin_loads(K, M, structure.points, 6))


def _basis(elements: FiniteElements, structure: Flexibility, choice: Mapping[str, Any], planar: bool) -> Floats:
    """(n, ·) constraint modes, then motions with the interfaces held: all of them, or the lowest modes."""
    from scipy.linalg import null_space

    if structure.B is None or structure.holding is None:
        return np.eye(elements.K.shape[0])
    A = structure.holding
    if elements.K.shape[0] <= DENSE_FREEDOMS:
        return np.hstack([structure.B, null_space(A.toarray())])
    wanted = (2 + 2 * planar) * int(choice.get("count", 0)) + FURTHER_MODES
    top = float(choice.get("up_to", 0.0)) * tau
    while True:
        values, held = _sparse_held(elements, A, wanted)
        if not top or values[-1] > (2 * top) ** 2 or wanted > DENSE_FREEDOMS:
            return np.hstack([structure.B, held])
        wanted *= 2


def _sparse_held(elements: FiniteElements, A: Any, wanted: int) -> tuple[Floats, Floats]:
    """The lowest modes of K u + Aᵀμ = ω² M u, A u = 0."""
    from scipy.sparse import block_array, csc_array
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    n, scale = elements.K.shape[0], float(np.abs(elements.K.diagonal()).mean())
    solver = splu(csc_array(block_array([[elements.K / scale, A.T], [A, None]])))

    def inverse(x: Floats) -> Floats:
        right = np.zeros(n + A.shape[0])
        right[:n] = x.ravel() / scale
        return np.asarray(solver.solve(right)[:n])

    begin = inverse(elements.M @ np.random.default_rng(5).standard_normal(n))
    values, vectors = eigsh(
        elements.K, wanted, M=elements.M, sigma=0.0, OPinv=LinearOperator((n, n), inverse, dtype=float), v0=begin
    )
    return values, vectors


def _free(elements: FiniteElements, X: Floats, structure: Flexibility, where: tuple[str, ...]) -> tuple[Floats, Floats]:
    """ω² and modes of the free body in the basis X, apart from its rigid motions."""
    from scipy.linalg import LinAlgError, eigh

    J = rigid_modes(structure.points - structure.points.mean(axis=0))
    rigid = np.zeros((X.shape[1], 6))
    rigid[: len(J)] = J
    K, M = X.T @ (elements.K @ X), X.T @ (elements.M @ X)
    length = extent(elements.nodes)
    unit = np.ones(X.shape[1])
    unit[: len(J)] = np.tile([1.0, 1.0, 1.0, length, length, length], len(structure.points))
    K, M, rigid = K / np.outer(unit, unit), M / np.outer(unit, unit), rigid * unit[:, None]
    Z = np.linalg.qr(M @ rigid, mode="complete")[0][:, 6:]
    Kz, Mz = Z.T @ K @ Z, Z.T @ M @ Z
    try:
        values, vectors = eigh((Kz + Kz.T) / 2, (Mz + Mz.T) / 2)
    except LinAlgError:
        raise ModelError(
            f"body '{structure.name}': its mass matrix gives some deformations no mass, so that they have no "
            "frequency. Give a mass matrix or a density; a body whose mass sits in one place bends by the rule "
            "compliance only.",
            where,
        ) from None
    stays = np.abs(rigid.T @ K @ rigid).max() / np.abs(rigid.T @ M @ rigid).max()
    if len(values) and values[0] < RIGID_MODE_RATIO * stays:
        raise ModelError(
            f"body '{structure.name}': it has more than six motions without stiffness: the least frequency is "
            f"{np.sqrt(abs(values[0])) / tau:.3g} Hz. Is the mesh connected, or is there a mechanism inside?",
            where,
        )
    return np.asarray(values), np.asarray(Z @ vectors) / unit[:, None]


def _in_plane(Y: Floats, structure: Flexibility) -> Any:
    """Which modes move the interfaces in the plane x-y."""
    shapes = Y[: 6 * len(structure.points)].reshape(len(structure.points), 6, -1)
    length = structure.size
    unit = np.array([1.0, 1.0, 1.0, length, length, length])[None, :, None]
    scaled = np.abs(shapes * unit)
    return scaled[:, [0, 1, 5]].max(axis=(0, 1)) > SOLUTION * scaled.max()


def _kept(frequency: Floats, choice: Mapping[str, Any]) -> int:
    if "up_to" in choice:
        return int((frequency <= float(choice["up_to"]) * tau).sum())
    return min(int(choice.get("count", 0)), len(frequency))


def _residual(Y: Floats, frequency: Floats, structure: Flexibility | None) -> tuple[Floats, Floats]:
    """Frequencies and coordinates, in the cut modes, of the shapes that loads on interfaces hold them in: Λ⁻¹ Ψᵀ."""
    if structure is None or not len(frequency):
        return np.zeros(0), np.zeros((len(frequency), 0))
    length = structure.size
    unit = np.tile([1.0, 1.0, 1.0, 1 / length, 1 / length, 1 / length], len(structure.points))
    reached = (Y[: len(unit)] * unit[:, None]).T / frequency[:, None]
    U, s, _ = np.linalg.svd(reached, full_matrices=False)
    U = U[:, s**2 > ROUNDOFF * s[0] ** 2] / frequency[:, None]
    Q = np.linalg.qr(U)[0]
    values, vectors = np.linalg.eigh(Q.T @ (frequency[:, None] ** 2 * Q))
    return np.sqrt(values), np.asarray(Q @ vectors)


def _invariants(elements: FiniteElements, U: Floats) -> tuple[Floats, Floats, Floats]:
    """J_i, J_ij and b_ij by the mass of the elements; W_a,i is the field e_a × Ψ_i, of nodes or of mass points.

    The loads of the centrifugal field on a mode are ½ ωᵀJ_i ω: J_i = 2 (Q − tr(Q) I) with the entries Uᵀ``stretch``.
    """
    n = U.shape[1]
    q = U.T @ elements.stretch  # (n, 6)
    Q = np.einsum("ic,cab->iab", q * np.array([1.0, 1.0, 1.0, 0.5, 0.5, 0.5]), UNIT_STRETCHES)
    J1 = 2 * (Q - np.trace(Q, axis1=1, axis2=2)[:, None, None] * np.eye(3))
    if elements.particles is None:
        psi = U.reshape(len(elements.nodes), elements.freedoms, n)
        mass: Callable[[Floats], Floats] = elements.M.__matmul__
    else:
        points, weight = elements.particles, np.repeat(elements.particles.mass, 3)[:, None]
        psi = (points.N @ U).reshape(len(points.places), 3, n)
        mass = weight.__mul__
    W = np.zeros((len(psi), 3, 3, n))
    for a, e in enumerate(np.eye(3)):
        W[:, :, a] = np.cross(e, psi[:, :3], axisa=0, axisb=1, axisc=1)
    moves = W.reshape(len(psi), 3, 3 * n)
    flat = nodal_field(elements.K, moves) if psi.shape[1] == 6 else moves.reshape(-1, 3 * n)
    MW = np.asarray(mass(flat))
    D = (flat.T @ MW).reshape(3, n, 3, n)
    b = (MW.T @ psi.reshape(-1, n)).reshape(3, n, n)
    J2 = D.transpose(1, 3, 0, 2)
    J2 = (J2 + J2.transpose(0, 1, 3, 2)) / 2
    return J1, (J2 + J2.transpose(1, 0, 2, 3)) / 2, (b - b.transpose(0, 2, 1)).transpose(1, 2, 0) / 2
