"""Matrices of other programs: are they those of a free elastic body, in these units and frames?"""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError
from reactio.structures import PRINTED_MATRIX, Description, extent
from reactio.structures.condense import NO_STRUCTURAL_STIFFNESS, RIGID_RESISTANCE, rigid_modes
from reactio.structures.held_nodes import FACTORS


def check_sizes(K: Floats, M: Floats | None, points: Floats, given: Description) -> None:
    """Refuse matrices that have not six rows for each interface frame."""
    size = 6 * len(points)
    for name, matrix in (("stiffness", K), ("mass", M)):
        if matrix is not None and matrix.shape != (size, size):
            raise ModelError(
                f"body '{given.name}': the {name} matrix is {matrix.shape[0]} × {matrix.shape[1]}; {len(points)} "
                f"interfaces need {size} × {size}.",
                given.where,
            )


def check_condensed(K: Floats, M: Floats | None, points: Floats, labels: tuple[str, ...], given: Description) -> None:
    """Refuse matrices on interface frames that no free body has."""
    what = f"body '{given.name}'"
    for name, matrix in (("stiffness", K), ("mass", M)):
        if matrix is None:
            continue
        if not np.isfinite(matrix).all():
            raise ModelError(f"{what}: the {name} matrix holds entries that are not finite numbers.", given.where)
        off = np.abs(matrix - matrix.T)
        if off.max() > PRINTED_MATRIX * np.abs(matrix).max():
            i, j = np.unravel_index(int(off.argmax()), matrix.shape)
            raise ModelError(
                f"{what}: the {name} matrix is not symmetric: entries ({i + 1}, {j + 1}) and ({j + 1}, {i + 1}) differ "
                f"by {off.max():.3g}, {off.max() / np.abs(matrix).max():.2g} of the largest.",
                given.where,
            )
    if M is not None and np.linalg.eigvalsh((M + M.T) / 2)[0] < -PRINTED_MATRIX * np.abs(M).max():
        raise ModelError(
            f"{what}: the mass matrix has a negative eigenvalue; no body has negative mass. Check its sign.",
            given.where,
        )
    _check_rigid(K, points, labels, given)


def _check_rigid(K: Floats, points: Floats, labels: tuple[str, ...], given: Description) -> None:
    """Six motions without stiffness, and the rigid ones of these frames."""
    what, length = f"body '{given.name}'", extent(points)
    unit = np.tile([1.0, 1.0, 1.0, length, length, length], len(points))
    Ks = K / np.outer(unit, unit)
    values, vectors = np.linalg.eigh((Ks + Ks.T) / 2)
    if not Ks.any():
        raise ModelError(f"{what}: the stiffness matrix is zero.", given.where)
    if values[0] < -NO_STRUCTURAL_STIFFNESS * values[-1] * 10:
        raise ModelError(
            f"{what}: the stiffness matrix has a negative eigenvalue: it pushes away from rest.", given.where
        )
    zeros = int((values < NO_STRUCTURAL_STIFFNESS * values[-1]).sum())
    if zeros != 6 and (factor := _other_unit(K, points, unit)):
        raise ModelError(f"{what}: {factor}", given.where)
    if zeros < 6:
        raise ModelError(
            f"{what}: the stiffness matrix has {zeros} motions without stiffness; a free body has 6. It is grounded: "
            "export it without supports.",
            given.where,
        )
    if zeros > 6:
        moving = np.linalg.norm(
            _beyond_rigid(vectors[:, :zeros], points, unit).reshape(len(points), 6, -1), axis=(1, 2)
        )
        names = [labels[k] for k in np.argsort(-moving) if moving[k] > 0.1 * moving.max()][:4]
        raise ModelError(
            f"{what}: the stiffness matrix has {zeros} motions without stiffness; a free body has 6. There is a "
            f"mechanism inside or it falls into pieces, at {', '.join(names)}. Nodes without rotations need an "
            "interface that holds several of them.",
            given.where,
        )
    meets = np.abs(_rigid_forces(K, points, 1.0, unit)).max() / np.abs(Ks).max()
    if meets > RIGID_RESISTANCE:
        raise ModelError(_wrong_frames(K, points, labels, unit, meets, what), given.where)


def _rigid_forces(K: Floats, points: Floats, factor: float, unit: Floats) -> Floats:
    """The stiffness that rigid motions meet, with the frames at positions times a factor; scaled."""
    J = rigid_modes(factor * (points - points.mean(axis=0)))
    length = unit[3]
    return np.asarray((K @ J) / unit[:, None] / np.array([1, 1, 1, length, length, length]))


def _beyond_rigid(Z: Floats, points: Floats, unit: Floats) -> Floats:
    J = np.linalg.qr(rigid_modes(points) * unit[:, None])[0]
    return np.asarray(Z - J @ (J.T @ Z))


def _wrong_frames(K: Floats, points: Floats, labels: tuple[str, ...], unit: Floats, meets: float, what: str) -> str:
    """Which frame fits worst, and the factor of lengths that would fit."""
    base = np.abs(K / np.outer(unit, unit)).max()
    if factor := _other_unit(K, points, unit):
        return f"{what}: rigid motions meet stiffness ({meets:.2g} of the largest): {factor}"
    worst = np.linalg.norm(_rigid_forces(K, points, 1.0, unit).reshape(len(points), -1), axis=1) / base
    return (
        f"{what}: rigid motions meet stiffness ({meets:.2g} of the largest, worst at "
        f"'{labels[int(worst.argmax())]}'): the "
        "interface frames are not those of the matrix, or its units are not those of the model."
    )


def _other_unit(K: Floats, points: Floats, unit: Floats) -> str:
    """The unit of length in which the matrix would be that of a free body on these frames, in words; or nothing."""
    for name, factor in FACTORS.items():
        scaled = unit.copy()
        scaled[np.arange(len(unit)) % 6 >= 3] = unit[3] / factor
        Ks = np.abs(K / np.outer(scaled, scaled)).max()
        if np.abs(_rigid_forces(K, points, 1 / factor, scaled)).max() / Ks <= RIGID_RESISTANCE:
            return (
                f"the matrix is in {name}, the frames are not. Frames times {1 / factor:g} would fit: convert the "
                "matrix (rotations too), or the model."
            )
    return ""
