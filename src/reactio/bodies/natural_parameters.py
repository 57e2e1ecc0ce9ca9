"""Natural bodies in space, between the model and the numbers of their kernels: see ``natural_spatial``."""

from __future__ import annotations

from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.bodies import BodyState
from reactio.bodies.elements import ElementKind, carrier, elements, linear_rows
from reactio.bodies.pose import local_spatial
from reactio.catalogue.places import End
from reactio.linear.precision import GEOMETRY
from reactio.space.rotations import axes_of, quaternion_from_axes

INTRINSIC = ("xx", "yy", "zz", "xy", "xz", "yz")


def columns_of(given: Any) -> Floats:
    """X (4, ·): a column [s; 1] for each point and [u; 0] for each unit vector, in body axes."""
    return np.array([[*at, float(kind == ElementKind.POINT)] for kind, at in given]).reshape(-1, 4).T


def basis(body: Any) -> Floats:
    """X (4, 4) of the basis."""
    return columns_of(elements(body).basis)


def parameters(body: Any) -> Floats:
    """A = X⁻¹ S X⁻ᵀ and G = X⁻¹ S [0; 1] with S = ∫ [x; 1][x; 1]ᵀ dm, the coefficients of e₁ e₂ e₃, μ, and elements.

    S = [P, m c; m cᵀ, m],  P = ½ tr(J) I − J + m c cᵀ for the inertia J about the centre of mass c.
    """
    X, mass, c = basis(body), body.mass or 0.0, np.array(body.center)
    inverse = np.linalg.inv(X)
    xx, yy, zz, xy, xz, yz = body.inertia or (0.0,) * 6
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    second_moments = np.trace(J) / 2 * np.eye(3) - J
    S = np.block([[second_moments + mass * np.outer(c, c), mass * c[:, None]], [mass * c, np.full(1, mass)]])
    A = inverse @ S @ inverse.T
    moments = np.linalg.eigvalsh(second_moments)
    added = moments[-1] if mass and moments[0] < GEOMETRY * moments[-1] else 0.0
    of_basis = [A[np.tril_indices(4)], inverse @ S[:, 3], inverse[:, :3].T.ravel(), [added], X[:3].T.ravel()]
    further = columns_of(elements(body).further)
    row_masses = np.where(further[3] > 0, mass, np.trace(S[:3, :3]) if mass else 0.0)
    return np.concatenate([*of_basis, [further.shape[1]], np.vstack([row_masses, inverse @ further]).T.ravel()])


def local(body: Any, end: End) -> Floats:
    """Coefficients (20,) of the origin and of the axes x, y, z of a frame, and of the point that loads act on."""
    inverse, (s, x, y, z) = np.linalg.inv(basis(body)), np.reshape(local_spatial(body, end), (4, 3))
    parts = [inverse @ [*s, 1.0], inverse @ [*x, 0.0], inverse @ [*y, 0.0], inverse @ [*z, 0.0]]
    return np.concatenate([*parts, parts[0] if carrier(body, end) is None else np.zeros(4)])


def coordinates(body: Any) -> tuple[Any, Any]:
    """The elements in the world, and how they move with the body."""
    X = columns_of(elements(body).all)
    R, r = np.array(axes_of.plain(body.orientation)).T, np.array(body.position)
    arms = (R @ X[:3]).T
    moving = X[3][:, None] * np.array(body.velocity) + np.cross(body.angular_velocity, arms)
    return (X[3][:, None] * r + arms).ravel(), moving.ravel()


def body_state(body: Any, q: Floats, v: Floats) -> BodyState:
    """The pose and twist of the body origin; quaternions follow each other without a change of sign."""
    inverse = np.linalg.inv(basis(body))
    axes, moving = (np.swapaxes(x[..., :12].reshape(*x.shape[:-1], 4, 3), -1, -2) @ inverse for x in (q, v))
    w = 0.5 * np.cross(axes[..., :3], moving[..., :3], axis=-2).sum(axis=-1)
    triads: list[Any] = np.swapaxes(axes[..., :3], -1, -2).reshape(-1, 3, 3).tolist()
    turned = np.array([quaternion_from_axes(t) for t in triads]).reshape(-1, 4)
    if q.ndim > 1 and len(turned):
        flips = np.where((turned[1:] * turned[:-1]).sum(axis=1) < 0, -1.0, 1.0)
        turned = turned * np.concatenate([[1.0], np.cumprod(flips)])[:, None]
    return BodyState(axes[..., 3], turned.reshape(*q.shape[:-1], 4), moving[..., 3], w)


def difference(q: Floats, q_other: Floats) -> Floats:
    """q − q' of the basis, on which all further elements depend."""
    return (q - q_other)[:12]


def intrinsic(body: Any) -> tuple[tuple[str, str], ...]:
    """Labels and units of the rows."""
    return (*((label, "rad") for label in INTRINSIC), *linear_rows(body))
