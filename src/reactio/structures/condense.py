"""Finite elements → a floating flexible body on its interface frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.linear.precision import LOCATED, ROUNDOFF, SINGULAR, SOLUTION
from reactio.space.twists import skew
from reactio.structures import FiniteElements, Flexibility, Interface, MassProperties, extent
from reactio.structures.connected import check_connected, check_free, check_held

RIGID_RESISTANCE = LOCATED  # part of |K| that rigid motions may meet: more is a wrong frame or unit
# Part of the largest eigenvalue of K, in lengths of the body, below which a motion meets no stiffness.
NO_STRUCTURAL_STIFFNESS = SOLUTION
MASSLESS_MOTION = ROUNDOFF  # part of the largest inertia, in lengths of the body, below which a motion meets none


def rigid_modes(points: Floats) -> Floats:
    """J_b (6J, 6): the twist of the body at its origin → those of its frames."""
    J = np.zeros((len(points), 6, 6))
    J[:, :3, :3] = J[:, 3:, 3:] = np.eye(3)
    for k, point in enumerate(points):
        J[k, :3, 3:] = -skew(point)
    return J.reshape(-1, 6)


def mass_properties(JMJ: Floats) -> MassProperties:
    """Mass, centre and central inertia from the 6 × 6 mass matrix of rigid motions about the origin."""
    mass = float(np.trace(JMJ[:3, :3]) / 3)
    s = JMJ[3:, :3] / mass
    center = np.array([s[2, 1] - s[1, 2], s[0, 2] - s[2, 0], s[1, 0] - s[0, 1]]) / 2
    J = JMJ[3:, 3:] + mass * skew(center) @ skew(center)
    moments = [float(J[i, k]) for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    small = ROUNDOFF * max(moments[:3])  # products that rounding makes
    inertia = tuple(x if abs(x) > small else 0.0 for x in moments)
    return MassProperties(mass, tuple(0.0 if abs(c) < ROUNDOFF else float(c) for c in center), inertia)


def mass_properties_of(elements: FiniteElements) -> MassProperties | None:
    """Mass, centre and inertia of finite elements that move as a rigid body, RᵀM R; None where they have no mass."""
    R = elements.rigid()
    mass = R.T @ (elements.M @ R)
    return mass_properties(mass) if mass[0, 0] > 0 else None


def rigid_mass(given: MassProperties) -> Floats:
    """The 6 × 6 mass matrix of a rigid body about its origin."""
    xx, yy, zz, xy, xz, yz = (*given.inertia, 0.0, 0.0, 0.0)[:6]
    c = skew(np.array(given.center))
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.block([[given.mass * np.eye(3), -given.mass * c], [given.mass * c, J - given.mass * c @ c]])


def floating_root(K: Floats, M: Floats, points: Floats) -> Floats:
    """L (6J, r) of F = Pᵀ K^g P = L Lᵀ, P = I − M J (JᵀMJ)⁻¹ Jᵀ: the compliance of a body whose inertia balances loads.

    K^g inverts K with the first frame held; which frame is held, and where the origin lies, has no part in F.
    """
    size = len(K)
    if size <= 6:
        return np.zeros((size, 0))
    length, unit = extent(points), lengths(points)
    J = rigid_modes(points - points.mean(axis=0)) * unit[:, None] / np.array([1, 1, 1, length, length, length])
    Ks, Ms = K / np.outer(unit, unit), M / np.outer(unit, unit)
    inverse = np.zeros((size, size))
    inverse[6:, 6:] = np.linalg.inv(Ks[6:, 6:])
    # A rotation without inertia (about the axis of a thin rod, or out of the plane) bears no moment either.
    P = np.eye(size) - Ms @ J @ np.linalg.pinv(J.T @ Ms @ J, rcond=MASSLESS_MOTION, hermitian=True) @ J.T
    F = P.T @ inverse @ P
    values, vectors = np.linalg.eigh((F + F.T) / 2)
    kept = values > SINGULAR * values[-1]  # less is rounding of the elements, of either sign
    return np.asarray(vectors[:, kept] * np.sqrt(values[kept]) / unit[:, None])


def lengths(points: Floats) -> Floats:
    """(6J,) 1 for displacements, the extent of the body for rotations: both are lengths then."""
    length = extent(points)
    return np.tile([1.0, 1.0, 1.0, length, length, length], len(points))


def condense(elements: FiniteElements, interfaces: Sequence[Interface], name: str) -> Flexibility:
    """Stiffness, mass and compliance on interface frames: A u = G q holds the nodes, all others are free.

    [K Aᵀ; A 0] [B; μ] = [0; G],      K_b = −Gᵀμ,  M_b = BᵀM B
    """
    from scipy.sparse import block_array, csc_array
    from scipy.sparse.linalg import splu

    check_connected(elements, interfaces, name)
    A, G = _holding(elements, interfaces)
    scale = float(np.abs(elements.K.diagonal()).mean())
    system = block_array([[elements.K / scale, A.T], [A, None]]).tocsc()
    n = elements.K.shape[0]
    right = np.zeros((n + A.shape[0], G.shape[1]))
    right[n:] = G
    try:
        solver = splu(csc_array(system))
    except RuntimeError:
        raise ModelError(
            f"body '{name}': its elements are not held by the interfaces: a piece or a node moves without meeting any "
            "stiffness. Is the mesh connected, and does every interface hold three nodes that are not in line?",
            ("bodies", name, "flexible"),
        ) from None
    check_held(elements, solver, name)
    x = solver.solve(right)
    x += solver.solve(right - system @ x)
    B, mu = x[:n], scale * x[n:]
    K = -G.T @ mu
    M = B.T @ (elements.M @ B)
    points = np.array([interface.point for interface in interfaces])
    labels = tuple(interface.label for interface in interfaces)
    check_free((K + K.T) / 2, lengths(points), labels, name)
    L = floating_root((K + K.T) / 2, (M + M.T) / 2, points)
    spin = L.T @ (B.T @ elements.stretch)
    return Flexibility(name, points, L, spin, (K + K.T) / 2, (M + M.T) / 2, B, elements, labels, holding=A)


def _holding(elements: FiniteElements, interfaces: Sequence[Interface]) -> tuple[Any, Floats]:
    """A (c, n) CSR and G (c, 6J): nodes of rigid interfaces follow them; others have them for their mean motion."""
    from scipy.sparse import csr_array

    freedoms, n = elements.freedoms, elements.K.shape[0]
    rows, columns, values, right = [], [], [], []
    count = 0
    for k, interface in enumerate(interfaces):
        arms = elements.nodes[interface.nodes] - interface.point
        if interface.rigid:
            for node, arm in zip(interface.nodes.tolist(), arms, strict=True):
                block = np.zeros((freedoms, 6 * len(interfaces)))
                block[:3, 6 * k : 6 * k + 3] = np.eye(3)
                block[:3, 6 * k + 3 : 6 * k + 6] = -skew(arm)
                if freedoms == 6:
                    block[3:, 6 * k + 3 : 6 * k + 6] = np.eye(3)
                rows += list(range(count, count + freedoms))
                columns += list(range(freedoms * node, freedoms * (node + 1)))
                values += [1.0] * freedoms
                right.append(block)
                count += freedoms
        else:
            R = np.concatenate([np.hstack([np.eye(3), -skew(arm)]) for arm in arms])
            weight = np.linalg.solve(R.T @ R, R.T)
            place = (freedoms * interface.nodes[:, None] + np.arange(3)).ravel()
            i, j = np.indices(weight.shape)
            rows += (count + i).ravel().tolist()
            columns += place[j.ravel()].tolist()
            values += weight.ravel().tolist()
            block = np.zeros((6, 6 * len(interfaces)))
            block[:, 6 * k : 6 * k + 6] = np.eye(6)
            right.append(block)
            count += 6
    return csr_array((values, (rows, columns)), shape=(count, n)), np.concatenate(right)
