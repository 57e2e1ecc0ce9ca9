"""Equations → Elasticity: compliances and misfits of joints and bodies at one pose, in the rows of C.

With twists of frames V, rows D_X of joint X on the relative twist at its frame, and G_b the rows on the interfaces of
body b:  F = Σ_X D_X S_X D_Xᵀ + Σ_b G_b F_b G_bᵀ,  d = Σ_b G_b (F_b w_b + u_b),  δ_X = D_X Δ_X.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.constraint_matrix import GroupKind
from reactio.errors import ModelError, ReactioError, listed
from reactio.joints import JOINTS_BY_SPACE, JointType
from reactio.linear.precision import ROUNDOFF, SOLUTION
from reactio.model.bearing import clearance_range, with_bearing_play
from reactio.model.elastic import COMPONENTS, LARGE_MISFIT
from reactio.model.files.read import with_place
from reactio.model.model import Model
from reactio.model.play import ALONG
from reactio.model.specs import RIGID, Elastic
from reactio.sharing.elasticity import Elasticity, ElasticPart, ElasticPartKind, GapSet, LoadLaw, Preload
from reactio.space.frames import axes_of_frames
from reactio.system.elasticity.play import bearing_laws, play_gaps
from reactio.system.equations import Equations
from reactio.system.types import RowGroup, System

# Part of the largest entry of the rows of a joint below which a direction has no effect on them: axes are unit vectors.
NO_EFFECT = SOLUTION


def elasticity(eqs: Equations, spin: bool = True) -> Elasticity:
    """All compliances, misfits, preloads and heat of a model at a state; centrifugal stretch of bodies if ``spin``.

    >>> import reactio
    >>> model = reactio.load("door", hinges=2)
    >>> elasticity(reactio.equations(reactio.build(model))).parts
    ()
    """
    try:
        return _elasticity(eqs, spin)
    except ModelError as error:
        raise with_place(error, eqs.system.model) from None


def _elasticity(eqs: Equations, spin: bool) -> Elasticity:
    _refuse_slack(eqs.system)
    joints = _of_joints(eqs, _rows_in_joints(eqs.D_B, eqs.work.F, eqs.system))
    parts = (*joints.parts, *_bodies(eqs, spin=spin))
    if not parts and eqs.system.vibrating:
        raise ReactioError(
            "The rule compliance asks for loads after vibration has died out; in this system "
            f"{listed(eqs.system.vibrating, most=8)} vibrate. Use `reactio.build(model, vibration=False)`."
        )
    return replace(joints, parts=parts)


def _near_slack(system: System) -> list[str]:
    """The parts that a system leaves out, and that would bear once others give way."""
    return [name for name, gap in system.slack_parts.items() if gap <= LARGE_MISFIT * system.length]


def _refuse_slack(system: System) -> None:
    """Refuse systems without the parts that would bear once others give way."""
    if near := _near_slack(system):
        raise ReactioError(
            "The rule compliance closes gaps, but in this system, which is that of the rigid pose, "
            f"{listed(near, most=8)} cannot carry load. Give the model instead of its system, as in "
            "`reactio.reactions(model, 'compliance')`."
        )


def elasticity_side_by_side(every: Sequence[Equations]) -> Elasticity | None:
    """The elasticity at several instants of a system, its arrays with one more axis in front.

    None where nothing gives way, or parts have gaps that are wider: there ``elasticity`` says why it refuses.
    """
    first = every[0]
    if _near_slack(first.system):
        return None
    arrays = {key: np.stack([getattr(eqs.work, key) for eqs in every]) for key in ("D", "R", "F", "load", "effort")}
    v = np.stack([eqs.state.v for eqs in every])
    together = replace(first, state=replace(first.state, v=v), work=first.work._replace(**arrays))
    D_B = np.stack([eqs.D_B for eqs in every])
    joints = _of_joints(first, _rows_in_joints(D_B, arrays["F"], first.system))
    parts = (*joints.parts, *_bodies(together))
    return replace(joints, parts=parts) if parts else None


def _of_joints(eqs: Equations, rows: Floats) -> Elasticity:
    """The elasticity of joints, drives and couplings; rows (…, m, 6 or 3) as in ``rows_of``, at one instant or many."""
    parts: list[ElasticPart] = []
    preloads: list[Preload] = []
    gaps: list[GapSet] = []
    laws: list[LoadLaw] = []
    for group in eqs.system.reacting:
        elastic, bearing = _elastic(eqs, group), _bearing(eqs, group)
        if (elastic is RIGID or elastic == RIGID) and not bearing:
            continue
        D = rows[..., group.start : group.stop, :] if group.frames is not None else None
        laws += bearing_laws(eqs, group, elastic, bearing, D)
        parts.append(_part(eqs, group, elastic, D))
        preloads += _preloads(eqs, group, elastic, D)
        gain = 1.0 if D is None or D.shape[-2] > 1 else _gain(eqs, group, D)
        gaps += play_gaps(eqs, group, elastic, D, gain)
    return Elasticity(eqs.system.m, tuple(parts), tuple(preloads), tuple(gaps), tuple(laws))


def elastic_notes(eqs: Equations) -> tuple[str, ...]:
    """Notes on the elasticity of a model: entries without effect, fits, classes of clearance, spinning bodies."""
    notes: list[str] = []
    for group in eqs.system.reacting:
        elastic = _elastic(eqs, group)
        if elastic != RIGID or _bearing(eqs, group):
            notes += _notes(eqs, group, elastic, rows_of(eqs, group))
    return (*notes, *_spin_notes(eqs))


def _bodies(eqs: Equations, applied: bool = True, spin: bool = True) -> Iterable[ElasticPart]:
    """The parts of bodies; how structures are reduced is imported only where a body is flexible or heated."""
    if not any(body.flexible or body.temperature for body in eqs.system.model.bodies):
        return ()
    from reactio.system.elasticity.interfaces import body_parts

    return body_parts(eqs, applied, spin)


def _spin_notes(eqs: Equations) -> Iterator[str]:
    """Bodies whose centrifugal stretch is left out."""
    if not any(body.flexible for body in eqs.system.model.bodies):
        return
    from reactio.system.elasticity.interfaces import spin_unknown

    for name in spin_unknown(eqs):
        yield (
            f"'{name}' spins, and its centrifugal stretch is not known: its mass is given without its distribution. "
            "Give the mass matrix of the superelement."
        )


def has_elastic_parts(model: Model) -> bool:
    """Has any joint, contact, drive or coupling a stiffness, or is any body flexible?"""
    elastic = [
        *(j.elastic for j in model.joints),
        *(d.elastic for d in model.drives),
        *(c.elastic for c in model.couplings),
    ]
    if any(part.stiffness for part in elastic) or any(body.flexible for body in model.bodies):
        return True
    parameters = (*(j.parameters for j in model.joints), *(c.parameters for c in model.contacts))
    return any(given.get("EA") or given.get("stiffness") for given in parameters) or any(
        "type" in joint.bearing for joint in model.joints
    )


def elasticity_of_unit_effort(eqs: Equations, effort: int) -> Elasticity:
    """The same compliances with a single effort of size 1 on the bodies: the part of a friction."""
    unit = np.zeros_like(eqs.work.effort)
    unit[effort] = 1.0
    alone = replace(eqs, work=eqs.work._replace(effort=unit))
    elastic = elasticity(eqs)
    by_effort = {part.name: part for part in _bodies(alone, applied=False)}
    parts = (
        replace(p, e=by_effort[p.name].e if p.kind == ElasticPartKind.BODY else p.e, delta=np.zeros_like(p.delta))
        for p in elastic.parts
    )
    return Elasticity(elastic.m, tuple(parts))


def _elastic(eqs: Equations, group: RowGroup) -> Elastic:
    model = eqs.system.model
    if group.kind == GroupKind.DRIVE:
        return next(d.elastic for d in model.drives if d.name == group.name)
    if group.kind == GroupKind.COUPLING:
        return next(c.elastic for c in model.couplings if c.name == group.name)
    joint = with_bearing_play(model.joint(group.name))
    if not (section := joint.parameters.get("EA")):
        return joint.elastic
    if joint.elastic.stiffness:
        raise ModelError(
            f"'{joint.name}' has `stiffness` and `EA`: k = EA/length follows from one of them; leave out the other.",
            ("joints", joint.name, "EA"),
        )
    return replace(joint.elastic, stiffness=(section / _length(eqs, group),))


def _bearing(eqs: Equations, group: RowGroup) -> Mapping[str, float | str]:
    """The bearing in a joint, if it has one of a known type."""
    model = eqs.system.model
    bearing = model.joint(group.name).bearing if group.name in model.joint_index else {}
    return bearing if "type" in bearing else {}


def rows_of(eqs: Equations, group: RowGroup) -> Floats | None:
    """D_X (rows, 6 or 3) on the relative twist of B against A at the origin of B, axes of A; None for no joint."""
    if group.frames is None:
        return None
    return _rows_in_joints(eqs.D_B, eqs.work.F, eqs.system)[group.start : group.stop]


def _rows_in_joints(D_B: Floats, F: Floats, system: System) -> Floats:
    """(…, m, 6 or 3) the same of all joints, from rows D_B (…, m, 6 or 3) in world axes and frames F (…, f, width).

    Rows of drives and couplings mean nothing.
    """
    groups, size = system.groups, system.dimension
    frame = [group.frames[0] if group.frames is not None else 0 for group in groups]
    sizes = [group.stop - group.start for group in groups]
    axes = np.repeat(axes_of_frames(F[..., frame, :]), sizes, axis=-3)
    D = np.array(D_B)
    for part in (slice(size), slice(size, 2 * size))[: size - 1]:  # a moment in the plane is one number
        D[..., part] = (axes @ D[..., part, None])[..., 0]
    largest = np.maximum.reduceat(np.abs(D).max(axis=-1), [group.start for group in groups], axis=-1)
    return np.where(np.abs(D) > NO_EFFECT * np.repeat(largest, sizes, axis=-1)[..., None], D, 0.0)


def _rows(group: RowGroup) -> Ints:
    return np.arange(group.start, group.stop)


def _part(eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None) -> ElasticPart:
    size = group.stop - group.start
    delta = np.zeros(size)
    for name, value in elastic.misfit.items():
        delta = delta + value * column(eqs, group, name, D)
    if elastic.temperature and elastic.expansion:
        longer = elastic.expansion * elastic.temperature * _length(eqs, group)
        delta = delta + longer * column(eqs, group, ALONG, D)
    kind = ElasticPartKind.JOINT if group.frames is not None else ElasticPartKind(group.kind)
    L = _root(eqs, group, elastic, D)
    return ElasticPart(group.name, kind, _rows(group), L, np.zeros(L.shape[-1]), delta)


def _length(eqs: Equations, group: RowGroup) -> float:
    """The length that a rod keeps [m]: as given, or that of the pose it was assembled in."""
    given = eqs.system.model.joint(group.name).parameters.get("length")
    (row,) = _kind(eqs, group).rows
    return float(row.sign * eqs.system.plan.rows.target[group.start] if given is None else given)


def column(eqs: Equations, group: RowGroup, name: str, D: Floats | None) -> Floats:
    """(…, rows) the change of the rows by one unit of a component of the seat; ``along``: the line of a single row."""
    if D is None:
        return np.ones(group.stop - group.start)
    if name == ALONG:
        return _gain(eqs, group, D)[..., None]
    placed = eqs.system.holonomic[group.start : group.stop]  # rolling has no place to miss
    return np.where(placed, D[..., COMPONENTS[eqs.system.space].index(name)], 0.0)


def _kind(eqs: Equations, group: RowGroup) -> JointType:
    return JOINTS_BY_SPACE[eqs.system.space].get(eqs.system.model.joint(group.name).type)


def _gain(eqs: Equations, group: RowGroup, D: Floats) -> Floats:
    """(…) the change of a single row when its ends move apart by 1 m (by 1 rad, where its multiplier is a moment).

    Rows need not be lengths: d·d − l² changes by 2 l.  Rows of contacts are depths, which then fall.
    """
    (row,) = _kind(eqs, group).rows
    size = eqs.system.dimension
    force, moment = (np.linalg.norm(part, axis=-1) for part in np.split(D[..., 0, :], [size], axis=-1))
    return np.asarray(row.sign * np.where(force > 0.0, force, moment))


def _preloads(eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None) -> Iterator[Preload]:
    for name, value in elastic.preload.items():
        g = column(eqs, group, name, D)
        if not g.any():
            raise ModelError(
                f"'{group.name}': preload along {name}, where the joint is free: it carries nothing there.",
                ("joints", group.name, "preload"),
            )
        yield Preload(f"{group.name}.{name}", _rows(group), g, value)


def _notes(eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None) -> Iterator[str]:
    """Misfits along freedoms of the joint, interference fits, and classes of clearance."""
    joint = eqs.system.model.joint(group.name) if group.name in eqs.system.model.joint_index else None
    ends = clearance_range(joint.bearing) if joint is not None else None
    if joint is not None and ends is not None and ends[0] < ends[1] and with_bearing_play(joint) is not joint:
        yield (
            f"'{group.name}': clearance {joint.bearing['clearance']} is {ends[0] * 1e6:.3g} to {ends[1] * 1e6:.3g} µm "
            "on the diameter before fitting; its mean counts here."
        )
    if not any(group.unilateral) and any(size < 0 for size in elastic.play.values()):
        yield (
            f"'{group.name}' is pressed together: both sides of its gap stay in contact as long as its load is below "
            "the pressure of the fit, which is not checked."
        )
    if D is None:
        return
    names = COMPONENTS[eqs.system.space]
    for name in elastic.misfit.keys() & elastic.preload.keys():
        yield f"The misfit of '{group.name}' along {name} has no effect: its preload is its unloaded force."
    for name, value in elastic.misfit.items():
        turning = name.startswith("about_")
        if not column(eqs, group, name, D).any():
            yield f"The misfit of '{group.name}' along {name} has no effect: the joint is free there."
        elif abs(value) > LARGE_MISFIT * (1.0 if turning else eqs.system.length):
            yield (
                f"The misfit of '{group.name}' along {name} is {value:.4g} {'rad' if turning else 'm'}: linear "
                "elasticity is about parts that nearly fit. Check its unit."
            )
    if len(elastic.stiffness) == len(names):
        for name, k in zip(names, elastic.stiffness, strict=True):
            if k and not math.isinf(k) and not D[:, names.index(name)].any():
                yield f"The stiffness of '{group.name}' along {name} has no effect: the joint is free; add a spring."


def _root(eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None) -> Floats:
    """L (…, rows, r) of W = L Lᵀ = D S Dᵀ with S = K⁻¹: rows of the inverse, not the inverse of a block."""
    if not elastic.stiffness:
        return np.zeros((group.stop - group.start, 0))
    if len(elastic.stiffness) == 1:
        k = elastic.stiffness[0]
        if k == 0.0:
            raise _no_stiffness(eqs, group, "its row")
        gain = np.ones(()) if D is None else _gain(eqs, group, D)
        return np.asarray(gain[..., None, None] / math.sqrt(k))
    names = COMPONENTS[eqs.system.space]
    if D is None:
        D = np.ones((1, 1))
    if len(elastic.stiffness) == len(names):
        for i, (name, k) in enumerate(zip(names, elastic.stiffness, strict=True)):
            if k == 0.0 and D[..., i].any():
                raise _no_stiffness(eqs, group, name)
        return D / np.sqrt([k or math.inf for k in elastic.stiffness])
    return D @ _inverse_root(eqs, group, np.array(elastic.stiffness).reshape(len(names), -1), D)


def _inverse_root(eqs: Equations, group: RowGroup, K: Floats, D: Floats) -> Floats:
    """R (6, r) with K⁻¹ = R Rᵀ on the range of K; an error where a row of the joint reaches beyond it.

    K is brought to a unit diagonal first: entries of one may be N/m and of another N m/rad, and differ by any factor.
    """
    names = COMPONENTS[eqs.system.space]
    unit = np.sqrt(np.diagonal(K))
    unit = np.where(unit > 0, unit, unit.max())
    values, vectors = np.linalg.eigh(K / np.outer(unit, unit))
    kept = values > ROUNDOFF * values[-1]
    rows = D / unit
    size = np.linalg.norm(rows, axis=-1, keepdims=True)
    reach = np.abs(rows / np.where(size > 0, size, 1.0) @ vectors[:, ~kept])
    if reach.max(initial=0.0) > np.sqrt(ROUNDOFF):
        worst = vectors[:, ~kept][:, int(reach.max(axis=tuple(range(reach.ndim - 1))).argmax())]
        raise _no_stiffness(eqs, group, names[int(np.abs(worst).argmax())])
    return np.asarray(vectors[:, kept] / np.sqrt(values[kept]) / unit[:, None])


def _no_stiffness(eqs: Equations, group: RowGroup, where: str) -> ModelError:
    section = {GroupKind.DRIVE: "drives", GroupKind.COUPLING: "couplings"}.get(group.kind, "joints")
    return ModelError(
        f"{group.kind} '{group.name}' has no stiffness along {where} of its own axes, where it carries load: it is "
        "infinitely soft there. Give a stiffness, or `rigid`; zero is for directions in which the joint is free.",
        (section, group.name, "stiffness"),
    )
