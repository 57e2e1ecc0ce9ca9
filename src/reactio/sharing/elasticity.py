"""Elasticity of a mechanism, which decides the split in a real machine: compliances, misfits, preloads, heat."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError, did_you_mean


class ElasticPartKind(StrEnum):
    """What an elastic part is."""

    JOINT = "joint"
    DRIVE = "drive"
    COUPLING = "coupling"
    BODY = "body"  # which bends between its joints


@dataclass(frozen=True, eq=False)
class ElasticPart:
    """A flexible joint, drive, coupling or body: its terms of F, d and δ.

    C ξ = F λ − d + δ in its rows, ξ the displacements of the bodies
    """

    name: str
    kind: ElasticPartKind
    rows: Ints  # (k,) rows of C it acts on
    L: Floats  # (k, r) root of the compliance in those rows: λ deforms the part by Lᵀλ, with the energy ½ |Lᵀλ|²
    e: Floats  # (r,) deformations by loads on the part itself, as Lᵀλ are those by its joints
    delta: Floats  # (k,) misfits and thermal expansion: the gap in its rows without any load [m, rad]
    # (k, q) of comparable columns that span those of L, where L has columns of many sizes; None: those of L over their
    # lengths, which are known each to rounding of its own.
    span: Floats | None = None

    @cached_property
    def F(self) -> Floats:
        """(k, k) = L Lᵀ, compliance in its rows [m/N, rad/N, rad/(N m)]."""
        return self.L @ self.L.T

    @property
    def directions(self) -> Floats:
        """(k, q) forces in its rows that deform the part, however much: Lᵀλ = 0 where these are orthogonal to λ."""
        if self.span is not None:
            return self.span
        size = np.linalg.norm(self.L, axis=0)
        return np.asarray(self.L[:, size > 0] / size[size > 0])

    @property
    def d(self) -> Floats:
        """(k,) = L e: displacements in its rows by loads on the part [m, rad]."""
        return self.L @ self.e

    @property
    def is_flexible(self) -> bool:
        """Has it any compliance?"""
        return bool(self.L.any())

    def softer(self, factor: float) -> ElasticPart:
        """The same part with ``factor`` times the compliance; with 0 it is rigid, and no load deforms it."""
        if not factor:
            return replace(self, L=np.zeros((len(self.rows), 0)), e=np.zeros(0))
        return replace(self, L=math.sqrt(factor) * self.L, e=math.sqrt(factor) * self.e)


@dataclass(frozen=True, eq=False)
class Preload:
    """A component of a joint that is tightened until it carries a given force without any load."""

    name: str  # hinge2.z
    rows: Ints  # (k,) of the joint
    g: Floats  # (k,) gap in the rows when a frame of the joint is displaced by one unit along the component
    value: float  # force or moment of the joint on body b then [N, N m]


@dataclass(frozen=True, eq=False)
class GapSet:
    """A gap set K of a joint, contact or coupling: displacements s ∈ K that it allows freely, C ξ = F λ − d + δ + Aᵀs.

    The force w = A λ presses s to the boundary of K: of an interval, lower ≤ s ≤ upper, or of a ball, |s| ≤ radius.
    """

    name: str  # of the joint, contact or coupling
    label: str  # radial, axial, tilt, a component, or the label of its row
    rows: Ints  # (k,) rows of C
    A: Floats  # (r, k)
    lower: float = -math.inf  # [m, rad]
    upper: float = math.inf
    radius: float | None = None  # of a ball; None for an interval, r = 1

    @property
    def size(self) -> float:
        """The largest finite displacement that it allows [m, rad]; 0 where there is none."""
        ends = (self.lower, self.upper) if self.radius is None else (self.radius,)
        return max((abs(end) for end in ends if math.isfinite(end)), default=0.0)


@dataclass(frozen=True, eq=False)
class LoadLaw:
    """A joint that gives way by a power of its force, as a bearing does: u = a |w|^p ŵ, w = A λ."""

    name: str  # of the joint
    rows: Ints  # (k,) rows of C
    A: Floats  # (r, k)
    a: float  # [m/N^p]
    p: float


@dataclass(frozen=True, eq=False)
class Elasticity:
    """All parts of a mechanism at one pose: F (m, m), d and δ (m,), and the gaps of joints."""

    m: int
    parts: tuple[ElasticPart, ...]
    preloads: tuple[Preload, ...] = ()
    gaps: tuple[GapSet, ...] = ()  # play and backlash; a row that only pushes, without one here, has none
    laws: tuple[LoadLaw, ...] = ()  # nonlinear stiffness of joints; each has a part of the same name

    @cached_property
    def F(self) -> Any:
        """(m, m) CSR, the sum over all parts."""
        return assembled(self.m, self.parts)

    @cached_property
    def d(self) -> Floats:
        """(m,) displacements by loads on flexible bodies, the sum over all parts."""
        return self._summed("d")

    @cached_property
    def delta(self) -> Floats:
        """(m,) misfits and thermal expansion, the sum over all parts; those of preloads are not in it."""
        return self._summed("delta")

    def _summed(self, key: str) -> Floats:
        """Σ of a vector of all parts (m,)."""
        values = [getattr(part, key) for part in self.parts]
        out = np.zeros((*max((value.shape[:-1] for value in values), key=len, default=()), self.m))
        for part, value in zip(self.parts, values, strict=True):
            out[..., part.rows] += value
        return out

    @property
    def G(self) -> Floats:
        """(m, q) gaps in the rows by unit displacements along the preloaded components."""
        G = np.zeros((self.m, len(self.preloads)))
        for j, preload in enumerate(self.preloads):
            G[preload.rows, j] = preload.g
        return G

    def part(self, name: str) -> ElasticPart:
        """The part of that name."""
        for part in self.parts:
            if part.name == name:
                return part
        raise ReactioError(f"There is no flexible part '{name}'.{did_you_mean(name, [p.name for p in self.parts])}")

    def rigid(self, names: Iterable[str]) -> Elasticity:
        """The same mechanism with some parts rigid: no load deforms them; their heat and misfit stay."""
        made_rigid = {self.part(name).name for name in names}
        parts = (p.softer(0.0) if p.name in made_rigid else p for p in self.parts)
        laws = tuple(law for law in self.laws if law.name not in made_rigid)
        return replace(self, parts=tuple(parts), laws=laws)

    def only(self, names: Iterable[str]) -> Elasticity:
        """The same mechanism with these parts flexible and all others rigid."""
        kept = {self.part(name).name for name in names}
        return self.rigid(p.name for p in self.parts if p.name not in kept)


def assembled(m: int, parts: Iterable[ElasticPart]) -> Any:
    """Σ of the F of parts, (m, m) CSR."""
    from scipy.sparse import coo_array

    rows, columns, values = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0)]
    for part in parts:
        i, j = np.nonzero(part.F)
        rows.append(part.rows[i])
        columns.append(part.rows[j])
        values.append(part.F[i, j])
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(entries, shape=(m, m)).tocsr()
