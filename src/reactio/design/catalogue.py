"""Joints of the catalogue that can replace a joint on the same axes with fewer constraints.

A joint transmits the wrenches of a space U (6, rows).  Another joint at the same place is a *release* of it iff its
wrenches U′ lie within U and it is closed in every pose that the first one reaches.  It releases V = U ⊖ U′.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import SPACE_SIZES, End
from reactio.joints import JOINTS_BY_SPACE, JointType
from reactio.linear.precision import LOCATED, SUBSPACE
from reactio.model.elastic import COMPONENTS
from reactio.model.model import Model
from reactio.model.specs import RIGID, Elastic, Joint
from reactio.results.as_data import Result
from reactio.space.rotations import product
from reactio.system.compile.build import build
from reactio.system.constraints import COMPONENT_UNITS, LABELS, effort_scale, joint_axes, wrench_map
from reactio.system.equations import Equations, equations
from reactio.system.types import State

CYCLIC_TURN = (0.5, 0.5, 0.5, 0.5)  # quaternion of the rotation that takes x to y, y to z and z to x
REMOVED = "removed"  # in place of a type: the joint is removed


@dataclass(frozen=True, slots=True)
class Release(Result):
    """A joint replaced by another of the catalogue with fewer constraints, or removed."""

    KEYS = "joint before after shop freedoms axes lets_go"

    joint: str
    before: str
    after: str
    freedoms: int  # additional ones of the joint
    turned: tuple[int, int] = (0, 0)  # cyclic permutations of the axes x, y, z of frames A and B
    # The released components in the axes of the reaction; empty if the release is not a set of components.
    lets_go: tuple[str, ...] = field(default=(), compare=False)
    bears_force: bool = field(default=True, compare=False)  # False where the new joint bears moments only
    shop: str = field(default="", compare=False)  # a workshop's name of the new joint, where it has one

    def __str__(self) -> str:
        gone = f" (releases {' '.join(self.lets_go)})" if self.lets_go else ""
        placed = f", {self.axes}" if self.axes else ""
        return f"{self.joint}: {self.before} → {self.after}{placed}{gone}"

    @property
    def axes(self) -> str:
        """The axes of the old frames along which the x axis of the new joint lies, where they are others.

        Two releases of one type may release the same wrenches in this pose and differ in other poses.

        >>> Release("A", "revolute", "universal", 1, (1, 1)).axes, Release("A", "revolute", "universal", 1, (2, 0)).axes
        ('x along y', 'x along z of A and x of B')
        """
        a, b = ("xyz"[k] for k in self.turned)
        if a == b:
            return f"x along {a}" if a != "x" else ""
        return f"x along {a} of A and {b} of B"

    def applied(self, model: Model) -> Model:
        """The model with this joint replaced."""
        if self.after == REMOVED:
            return replace(model, joints=tuple(j for j in model.joints if j.name != self.joint))
        return replace(model, joints=tuple(self.new_joint(j) if j.name == self.joint else j for j in model.joints))

    def new_joint(self, joint: Joint) -> Joint:
        """The new joint."""
        a, b = (_turned(end, k) for end, k in zip((joint.a, joint.b), self.turned, strict=True))
        elastic = _along(joint.elastic, self.turned[0], len(a.point))
        return Joint(joint.name, self.after, a, b, elastic=elastic, capacity=joint.capacity, bearing=joint.bearing)


def _along(elastic: Elastic, k: int, size: int) -> Elastic:
    """Stiffness, misfit and preload of a joint in the axes of its frame A after k cyclic permutations of them."""
    if not k or elastic == RIGID or size == 2:
        return elastic
    order = [(i + k) % 3 for i in range(3)] + [3 + (i + k) % 3 for i in range(3)]
    K = np.array(elastic.stiffness)
    if len(K) == 6:
        K = K[order]
    elif len(K) == 36:
        K = K.reshape(6, 6)[np.ix_(order, order)].reshape(-1)
    names = COMPONENTS["spatial"]
    new = {names[old]: names[i] for i, old in enumerate(order)}
    moved = {what: {new.get(c, c): x for c, x in getattr(elastic, what).items()} for what in ("misfit", "preload")}
    return replace(elastic, stiffness=tuple(K.tolist()), misfit=moved["misfit"], preload=moved["preload"])


def _turned(end: End, k: int) -> End:
    """A frame after k cyclic permutations of its axes."""
    if not k:
        return end
    if len(end.point) == 2:
        angle = end.orientation[0] if end.orientation else 0.0
        return replace(end, orientation=(angle + k * np.pi / 2,))
    w, x, y, z = end.orientation or (1.0, 0.0, 0.0, 0.0)
    p = (w, x, y, z)
    for _ in range(k):
        p = product.plain(p, CYCLIC_TURN)
    return replace(end, orientation=tuple(p))


def candidates(model: Model, keep: Sequence[str] = (), remove: bool = False) -> list[Release]:
    """Every joint with every type of fewer rows, in every permutation of its axes; not yet tried.

    With ``remove`` a joint may be removed too.  A joint whose coordinate is driven, coupled, loaded or used by an event
    keeps its axes and that coordinate.
    """
    size = SPACE_SIZES[model.space].vector
    used = _used_joints(model)
    releases = []
    for joint in model.joints:
        if joint.name in keep:
            continue
        old = JOINTS_BY_SPACE[model.space].get(joint.type)
        for kind in JOINTS_BY_SPACE[model.space].values():
            if not _fits(old, kind, joint.name in used):
                continue
            turns = [(0, 0)] if joint.name in used else [(a, b) for a in range(size) for b in range(size)]
            turns.sort(key=lambda turn: (turn[0] != turn[1], sum(turn)))
            added = len(old.rows) - len(kind.rows)
            releases += [Release(joint.name, joint.type, kind.name, added, turn, shop=kind.shop) for turn in turns]
        if remove and joint.name not in used:
            releases.append(Release(joint.name, joint.type, REMOVED, len(old.rows)))
    return releases


def _fits(old: JointType, new: JointType, used: bool) -> bool:
    """Can a type replace another: with fewer rows, without parameters, and with the coordinates that are used?"""
    plain = not new.parameters and all(row.combination.holonomic and not row.unilateral for row in new.rows)
    kept = all(new.coordinates.get(name) == value for name, value in old.coordinates.items())
    return plain and bool(new.rows) and len(new.rows) < len(old.rows) and (kept or not used)


def _used_joints(model: Model) -> set[str]:
    """Joints that drives, couplings, loads, events or stops of the model name."""
    text = " ".join(repr(part) for part in (model.drives, model.couplings, model.forces, model.events, model.stops))
    return {joint.name for joint in model.joints if f"'{joint.name}" in text or f"{joint.name}." in text}


Spaces = dict[Release, Floats]  # release → V (6, freedoms): released unit wrenches, moments divided by the length


def released_wrenches(posed: Model, tried: Sequence[Release]) -> Spaces:
    """Those that are releases in a pose, with the wrenches that each releases there."""
    bare = replace(posed, drives=(), couplings=(), forces=(), events=(), stops=(), source="")
    names = {release: f"{k} {release.joint}" for k, release in enumerate(tried) if release.after != REMOVED}
    more = [replace(r.new_joint(bare.joint(r.joint)), name=n, elastic=RIGID) for r, n in names.items()]
    old = tuple(replace(joint, elastic=RIGID) for joint in bare.joints)
    system = build(replace(bare, joints=(*old, *more)))
    eqs = equations(system, State(0.0, system.q0, system.v0))
    spaces = {}
    for release in tried:
        name, held = names.get(release), wrenches(eqs, release.joint)
        V = _difference(held, held[:, :0] if name is None else wrenches(eqs, name), release.freedoms)
        if V is None or (name is not None and _gap(eqs, name) > LOCATED * max(1.0, system.length)):
            continue
        axes = joint_axes(eqs, system.group(release.joint))
        gone = release.lets_go or _components(axes @ V, system.space)
        bears = name is None or _bears_force(wrenches(eqs, name), system.space)
        spaces[replace(release, lets_go=gone, bears_force=bears)] = V
    return spaces


def _bears_force(U: Floats, space: str) -> bool:
    """Does a joint with the wrenches U (6, rows) transmit forces, and not moments only?"""
    forces = [k for k, label in enumerate(LABELS[space]) if label.startswith("F")]
    return bool(np.abs(U[forces]).max(initial=0.0) > SUBSPACE * np.abs(U).max(initial=1.0))


def _gap(eqs: Equations, name: str) -> float:
    """The largest residual of a joint [m, rad]."""
    group = eqs.system.group(name)
    return float(np.abs(eqs.Phi[group.start : group.stop]).max())


def _components(V: Floats, space: str) -> tuple[str, ...]:
    """The components that span a space of wrenches, if components do."""
    share = (V**2).sum(axis=1)
    along_axis = (share > 1 - LOCATED) | (share < LOCATED)
    return tuple(np.array(LABELS[space])[share > 0.5].tolist()) if along_axis.all() else ()


def wrenches(eqs: Equations, name: str) -> Floats:
    """The wrenches (6, rows) that a joint transmits for unit multipliers, moments divided by the length."""
    W = wrench_map(eqs, eqs.system.group(name))
    return np.asarray(W / effort_scale(eqs.system, COMPONENT_UNITS[eqs.system.space])[:, None])


def _difference(old: Floats, new: Floats, r: int) -> Floats | None:
    """V = U ⊖ U′ (6, r); None if U′ is not a subspace of U, or one of the two has dependent columns."""
    U, sizes, _ = np.linalg.svd(old, full_matrices=False)
    if sizes[-1] <= SUBSPACE * sizes[0]:
        return None
    if not new.shape[1]:
        return np.asarray(U)
    basis, new_sizes, _ = np.linalg.svd(new, full_matrices=False)
    if new_sizes[-1] <= SUBSPACE * new_sizes[0]:
        return None
    if np.linalg.norm(basis - U @ (U.T @ basis)) > LOCATED:
        return None
    rest, s, _ = np.linalg.svd(U - basis @ (basis.T @ U))
    return np.asarray(rest[:, :r]) if int((s > 0.5).sum()) == r else None


def distinct(spaces: Sequence[Spaces], tried: Sequence[Release]) -> list[Release]:
    """Releases in every pose, one of those that release the same wrenches in all poses."""
    kept: list[Release] = []
    for release in tried:
        if not all(release in space for space in spaces):
            continue
        alike = [twin for twin in kept if twin.joint == release.joint and twin.freedoms == release.freedoms]
        if not any(all(_equal(space[release], space[twin]) for space in spaces) for twin in alike):
            kept.append(release)
    return kept


def _equal(V: Floats, W: Floats) -> bool:
    """Do orthonormal columns V lie in the span of others?"""
    return bool(np.linalg.norm(V - W @ (W.T @ V)) <= LOCATED)


def stress_wrenches(eqs: Equations) -> dict[str, Floats]:
    """The wrench (6, p) of every joint in an orthonormal basis of the self-stresses, and efforts of drives."""
    answer = eqs.solvability
    N = answer.N
    names = [g.name for g in eqs.system.groups]
    every = []
    for group in eqs.system.groups:
        rows = N[group.start : group.stop]
        every.append(wrenches(eqs, group.name) @ rows if group.frames is not None else rows)
    stacked = np.vstack(every)
    _, R = np.linalg.qr(stacked)
    scaled = np.linalg.solve(R.T, stacked.T).T
    ends = np.cumsum([len(block) for block in every])[:-1]
    return dict(zip(names, np.split(scaled, ends), strict=True))
