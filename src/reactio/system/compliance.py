"""Equations → Elasticity: how joints and bodies give way at one pose, in the rows of C.

With twists of frames V, rows D_X of joint X on the relative twist at its frame, and G_b the rows on the interfaces of
body b:  F = Σ_X D_X S_X D_Xᵀ + Σ_b G_b F_b G_bᵀ,  d = Σ_b G_b (F_b w_b + u_b),  δ_X = D_X Δ_X.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.errors import ModelError
from reactio.model.elastic import ALONG, COMPONENTS
from reactio.model.specs import Elastic, Model
from reactio.sharing.elasticity import Elasticity, Part, Preload
from reactio.system.constraints import joint_axes, wrench_map
from reactio.system.equations import Equations
from reactio.system.interfaces import body_parts
from reactio.system.types import RowGroup

# Part of the largest entry of a row of a joint below which it does not see a direction: axes are unit vectors.
BLIND = 1e-9
SOFT = 1e-12  # part of the largest eigenvalue of a stiffness, in lengths of the mechanism, below which it is none


def elasticity(eqs: Equations) -> Elasticity:
    """All compliances, misfits, preloads and heat of a model at a state.

    >>> import reactio
    >>> model = reactio.load("door", hinges=2)
    >>> elasticity(reactio.equations(reactio.build(model))).parts
    ()
    """
    parts: list[Part] = []
    preloads: list[Preload] = []
    notes: list[str] = []
    for group in eqs.system.reacting:
        elastic = _elastic(eqs, group)
        if elastic == Elastic():
            continue
        D = rows_of(eqs, group)
        parts.append(_part(eqs, group, elastic, D))
        preloads += _preloads(group, elastic, D, eqs.system.space)
        notes += _notes(group, elastic, D, eqs.system.space)
    parts += body_parts(eqs)
    return Elasticity(eqs.system.m, tuple(parts), tuple(preloads), tuple(notes))


def gives_way(model: Model) -> bool:
    """Has any joint, drive or coupling a stiffness, or is any body flexible?"""
    elastic = [
        *(j.elastic for j in model.joints),
        *(d.elastic for d in model.drives),
        *(c.elastic for c in model.couplings),
    ]
    return any(one.stiffness for one in elastic) or any(body.flexible for body in model.bodies)


def pushed(eqs: Equations, effort: int) -> Elasticity:
    """The same compliances with nothing but one effort of size 1 on the bodies: what a friction adds."""
    unit = np.zeros_like(eqs.work.effort)
    unit[effort] = 1.0
    alone = replace(eqs, work=eqs.work._replace(effort=unit))
    whole = elasticity(eqs)
    own = {part.name: part for part in body_parts(alone, applied=False)}
    parts = (
        replace(p, d=own[p.name].d if p.kind == "body" else p.d, delta=np.zeros_like(p.delta)) for p in whole.parts
    )
    return Elasticity(whole.m, tuple(parts))


def _elastic(eqs: Equations, group: RowGroup) -> Elastic:
    model = eqs.system.model
    if group.kind == "drive":
        return next(d.elastic for d in model.drives if d.name == group.name)
    if group.kind == "coupling":
        return next(c.elastic for c in model.couplings if c.name == group.name)
    return model.joint(group.name).elastic


def rows_of(eqs: Equations, group: RowGroup) -> Floats | None:
    """D_X (rows, 6 or 3) on the relative twist of B against A at the origin of B, axes of A; None for no joint."""
    if group.frames is None:
        return None
    D = -(joint_axes(eqs, group) @ wrench_map(eqs, group)).T
    return np.where(np.abs(D) > BLIND * np.abs(D).max(), D, 0.0)


def _rows(group: RowGroup) -> Ints:
    return np.arange(group.start, group.stop)


def _part(eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None) -> Part:
    size = group.stop - group.start
    delta = _displaced(elastic.misfit.items(), D, size, eqs.system.space)
    if elastic.temperature and elastic.expansion:
        delta = delta + elastic.expansion * elastic.temperature * eqs.system.plan.rows.target[group.start : group.stop]
    kind = "joint" if group.frames is not None else group.kind
    return Part(group.name, kind, _rows(group), _compliance(eqs, group, elastic, D), np.zeros(size), delta)


def _displaced(given: object, D: Floats | None, size: int, space: str) -> Floats:
    """D Δ (rows,) of a seat displaced by components."""
    delta = np.zeros(size)
    for name, value in given:  # type: ignore[attr-defined]
        delta += value * _column(name, D, size, space)
    return delta


def _column(name: str, D: Floats | None, size: int, space: str) -> Floats:
    """What one unit of a component adds to the rows."""
    if name == ALONG or D is None:
        return np.ones(size)
    return D[:, COMPONENTS[space].index(name)]


def _preloads(group: RowGroup, elastic: Elastic, D: Floats | None, space: str) -> Iterator[Preload]:
    for name, value in elastic.preload.items():
        g = _column(name, D, group.stop - group.start, space)
        if not g.any():
            raise ModelError(
                f"'{group.name}': preload along {name}, where the joint is free: it carries nothing there.",
                ("joints", group.name, "preload"),
            )
        yield Preload(f"{group.name}.{name}", _rows(group), g, value)


def _notes(group: RowGroup, elastic: Elastic, D: Floats | None, space: str) -> Iterator[str]:
    """What was given along freedoms of the joint."""
    if D is None:
        return
    names = COMPONENTS[space]
    for name in elastic.misfit:
        if name != ALONG and not D[:, names.index(name)].any():
            yield f"The misfit of '{group.name}' along {name} has no effect: the joint is free there."
    if len(elastic.stiffness) == len(names):
        for name, k in zip(names, elastic.stiffness, strict=True):
            if k and not math.isinf(k) and not D[:, names.index(name)].any():
                yield f"The stiffness of '{group.name}' along {name} has no part: it is free there; add a spring."


def _compliance(eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None) -> Floats:
    """W (rows, rows) = D S Dᵀ with S = K⁻¹: rows of the inverse, not the inverse of a block."""
    size = group.stop - group.start
    if not elastic.stiffness:
        return np.zeros((size, size))
    if len(elastic.stiffness) == 1:
        k = elastic.stiffness[0]
        if k == 0.0:
            raise _soft(eqs, group, "its row")
        return np.array([[0.0 if math.isinf(k) else 1.0 / k]])
    names = COMPONENTS[eqs.system.space]
    if D is None:
        D = np.ones((1, 1))
    if len(elastic.stiffness) == len(names):
        stiffness = np.array(elastic.stiffness)
        for name, k, column in zip(names, stiffness, D.T, strict=True):
            if k == 0.0 and column.any():
                raise _soft(eqs, group, name)
        S = np.diag(
            np.where(np.isinf(stiffness) | (stiffness == 0.0), 0.0, 1.0 / np.where(stiffness == 0, 1, stiffness))
        )
    else:
        S = _inverse(eqs, group, np.array(elastic.stiffness).reshape(len(names), -1), D)
    W = D @ S @ D.T
    return np.asarray(W + W.T) / 2


def _inverse(eqs: Equations, group: RowGroup, K: Floats, D: Floats) -> Floats:
    """K⁻¹ on the range of K; an error where a row of the joint reaches beyond it."""
    names = COMPONENTS[eqs.system.space]
    unit = np.array([eqs.system.length if name.startswith("about_") else 1.0 for name in names])
    values, vectors = np.linalg.eigh(K / np.outer(unit, unit))
    kept = values > SOFT * values[-1]
    none = vectors[:, ~kept]
    reach = np.abs((D / unit) @ none)
    if reach.size and reach.max() > np.sqrt(SOFT) * np.abs(D / unit).max():
        worst = none[:, int(reach.max(axis=0).argmax())]
        raise _soft(eqs, group, names[int(np.abs(worst).argmax())])
    if kept.all():
        inverse = np.linalg.inv(K)
        return np.asarray(inverse + inverse.T) / 2
    S = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return np.asarray(S / np.outer(unit, unit))


def _soft(eqs: Equations, group: RowGroup, where: str) -> ModelError:
    section = {"drive": "drives", "coupling": "couplings"}.get(group.kind, "joints")
    return ModelError(
        f"{group.kind} '{group.name}' has no stiffness along {where}, where it carries load: it is infinitely soft "
        "there. "
        "Give a stiffness, or `rigid`; zero is for directions in which the joint is free.",
        (section, group.name, "stiffness"),
    )
