"""Why a reaction is not unique, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.diagnosis.cause import Causes, RedundancyCauses, redundant_equations
from reactio.errors import ReactioError, listed
from reactio.linear.precision import LOCATED
from reactio.model.model import Model
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.space.frames import origins_of_frames
from reactio.system.constraints import joint_axes, wrench_map
from reactio.system.equations import Equations, require_equations
from reactio.system.types import State, System
from reactio.uniqueness import GroupVerdict, SelfStress, Solvability, Verdict

MOST_CHOICES = 12  # sets of redundant equations that are listed
MOST_JOINTS_IN_SENTENCE = 12  # of joints in one sentence
MOST_AXES = 6  # joints whose axes are given one by one
MOST_DIRECTIONS = 3  # in one sentence; more are only counted
MOST_ROWS_WITH_STRESSES = 600  # of C, for self-stresses in words: they need a dense null space


@dataclass(frozen=True, slots=True, repr=False)
class Explanation(Tabular):
    """The explanation of the verdict on one joint."""

    name: str
    verdict: str
    sentences: tuple[str, ...]
    remedies: tuple[str, ...]

    def table(self) -> ResultTable:
        """The sentences and the remedies, one in a row."""
        rows = [("why", text) for text in self.sentences] + [("remedy", text) for text in self.remedies]
        return table_of(f"{self.name}: {self.verdict}", ("kind", "sentence"), rows, 1)


class CommonWrench(NamedTuple):
    """A wrench that all joints of a self-stress carry, in words."""

    kind: str  # "force along", "moment about", or "moment" in the plane
    axis: str  # "joint axis z", "world x", "z of A, x of B"


def loop_of(model: Model, names: Sequence[str]) -> tuple[str, ...]:
    """The joints of the loop of a self-stress, in order around it; all its joints when they form several loops."""
    chosen = set(names)
    inside = [j for j in model.joints if j.name in chosen]
    if not inside:
        return tuple(names)
    rest = replace(model, joints=tuple(inside), drives=(), couplings=(), forces=())
    from reactio.system.topology import loops

    around = loops(rest)
    return around[0] if len(around) == 1 else tuple(j.name for j in inside)


def describe(eqs: Equations, stress: SelfStress) -> str:
    """A self-stress in one sentence."""
    wrench = _common_wrench(eqs, stress)
    return _carry(_listing(stress.groups), [wrench]) if wrench else _otherwise(stress)


@dataclass(frozen=True, slots=True)
class Family:
    """Self-stresses that one sentence describes: of the same joints, or of joints between the same two bodies."""

    names: tuple[str, ...]  # of the joints, in the order of the model
    stresses: tuple[SelfStress, ...]
    bodies: tuple[str, ...]  # the two that all these joints are between; () where there are more


def families(eqs: Equations, stresses: Iterable[SelfStress]) -> list[Family]:
    """Self-stresses grouped by their joints; groups of most joints between the same two bodies first.

    Five bearings of one shaft share its load in any way; which of them a basis of the self-stresses pairs is arbitrary.
    """
    parallel: dict[frozenset[int], list[SelfStress]] = {}
    others: dict[tuple[str, ...], list[SelfStress]] = {}
    for stress in stresses:
        pair = _between(eqs, stress)
        if pair:
            parallel.setdefault(pair, []).append(stress)
        else:
            others.setdefault(stress.groups, []).append(stress)
    joint_order = {group.name: k for k, group in enumerate(eqs.system.groups)}
    families = []
    for pair, stresses_of_pair in parallel.items():
        names = sorted({name for stress in stresses_of_pair for name in stress.groups}, key=joint_order.__getitem__)
        bodies = ["ground" if b < 0 else eqs.system.model.bodies[b].name for b in sorted(pair)]
        families.append(Family(tuple(names), tuple(stresses_of_pair), tuple(bodies)))
    families.sort(key=lambda family: -len(family.names))
    return families + [Family(names, tuple(stresses_of_joints), ()) for names, stresses_of_joints in others.items()]


def _between(eqs: Equations, stress: SelfStress) -> frozenset[int]:
    """The two bodies that all joints of a self-stress are between; empty where there are others."""
    groups = [eqs.system.group(name) for name in stress.groups]
    pairs = {frozenset(group.bodies) if group.frames is not None else frozenset() for group in groups}
    alike = len(groups) > 1 and len(pairs) == 1
    return next(iter(pairs)) if alike and all(len(pair) == 2 for pair in pairs) else frozenset()


def describe_all(eqs: Equations, stresses: Iterable[SelfStress]) -> list[str]:
    """Self-stresses in sentences, one for each family, with their directions and how many they are."""
    return [sentence for family in families(eqs, stresses) for sentence in _sentences(eqs, family)]


def _sentences(eqs: Equations, family: Family) -> list[str]:
    """The loads that the joints of a family share: wrenches that they have in common, and other internal forces."""
    common = [wrench for stress in family.stresses if (wrench := _common_wrench(eqs, stress)) is not None]
    others = Counter(_otherwise(stress) for stress in family.stresses if _common_wrench(eqs, stress) is None)
    who = _listing(family.names)
    if family.bodies:
        return [_counted(_carry(f"{who} {_holding(family)} and", common, bool(others)), len(family.stresses))]
    sentences = [(_carry(who, common), len(common))] if common else []
    return [_counted(text, n) for text, n in [*sentences, *others.items()]]


def _holding(family: Family) -> str:
    """``both hold shaft on ground``, ``all join base and plate``."""
    every, (body_a, body_b) = "both" if len(family.names) == 2 else "all", family.bodies
    return f"{every} hold {body_b} on ground" if body_a == "ground" else f"{every} join {body_a} and {body_b}"


def _otherwise(stress: SelfStress) -> str:
    """A sentence on a self-stress whose joints do not all carry the same wrench."""
    names = _listing(stress.groups)
    if len(stress.rows) == 1:
        return f"{names} constrains nothing: the terms of its equation cancel, and its effort acts on no motion."
    if len(stress.groups) == 1:
        return f"{names} constrains the same motion twice: its own equations are dependent."
    return f"{names} carry internal forces that balance each other; a rigid model leaves their size undetermined."


def _carry(who: str, wrenches: list[CommonWrench], balanced: bool = False) -> str:
    """The wrenches that joints share: a force along …, moments about …."""
    kinds = sorted({wrench.kind for wrench in wrenches})
    parts = [_of_kind(kind, sorted({wrench.axis for wrench in wrenches if wrench.kind == kind})) for kind in kinds]
    if balanced:
        parts.append("internal forces that balance each other")
    return f"{who} share {' and '.join(parts)}, which a rigid model leaves undetermined."


def _of_kind(kind: str, axes: list[str]) -> str:
    """A force along an axis, or forces along several; more than MOST_DIRECTIONS are not named."""
    what, _, along = kind.partition(" ")
    if len(axes) == 1:
        return f"a {kind} {axes[0]}".strip()
    head = axes[0].rpartition(" ")[0]
    if all(len(axis) == len(head) + 2 and axis.startswith(head) for axis in axes):
        axes = [head.replace("joint axis", "joint axes") + " " + _listing([axis[-1] for axis in axes])]
    directions, of, joints = zip(*(axis.partition(" of ") for axis in axes), strict=True)
    if all(of) and len(set(joints)) == 1 and " of " not in joints[0]:
        axes = [f"{_listing(directions)} of {joints[0]}"]
    return f"{what}s {along} {'; '.join(axes)}" if len(axes) <= MOST_DIRECTIONS else f"{what}s"


def _counted(text: str, n: int) -> str:
    """A sentence on n independent self-stresses, with their number."""
    return text if n == 1 else f"{text.removesuffix('.')} ({n} independent self-stresses)."


def explain(
    eqs: Model | System | Equations,
    answer: Solvability | str | None = None,
    name: str = "",
    *,
    state: State | None = None,
) -> Explanation:
    """Why the reaction of a joint is or is not unique, and how to make it unique.

    ``eqs``: a model or system, at its start or at ``state``, or the equations at a state; ``answer``: the verdicts, if
    they are known already; then the ``name`` of the joint.

    >>> import reactio
    >>> print(reactio.explain(reactio.load("pendulum-twice"), "rod1").sentences[0])
    Joint 'rod1' (distance): 0 of 1 reaction components are determined. Not unique: N.
    """
    from reactio.joint_reactions.at_state import equations_of  # loads the dynamics, which a verdict does not need

    if isinstance(answer, str):
        name, answer = answer, None
    if not isinstance(answer, Solvability | None):
        raise ReactioError(f"The name of a joint is needed, not {answer!r}: explain(model, 'A').")
    eqs = equations_of(eqs, state=state)
    return explain_all(eqs, eqs.solvability if answer is None else answer, (name,))[name]


def explain_all(
    eqs: Equations, answer: Solvability, names: Sequence[str], causes: RedundancyCauses | None = None
) -> dict[str, Explanation]:
    """The same for several joints; causes that they have in common are computed once, or given as ``causes``."""
    require_equations(eqs)
    if not isinstance(answer, Solvability):
        raise ReactioError(f"Verdicts are needed, not {type(answer).__name__}: reactio.solvability(eqs.constraints).")
    stresses = _sentences_on_stresses(eqs, answer, names, causes or RedundancyCauses(eqs))
    choices = _choices(answer) if any(answer[name].verdict is not Verdict.UNIQUE for name in names) else []
    axes = {name: axes_in_world(eqs, name) for name in names}
    doubtful = any(answer[name].verdict is Verdict.AMBIGUOUS for name in names)
    cures: tuple[str, ...] = ()
    if doubtful and answer.m <= MOST_ROWS_WITH_STRESSES:
        from reactio.diagnosis.alignment_remedy import alignment_remedies

        cures = alignment_remedies(eqs)
    return {name: _explained(answer, answer[name], axes[name], stresses[name], choices, cures) for name in names}


def _explained(
    answer: Solvability,
    group: GroupVerdict,
    axes: str,
    stresses: list[str],
    choices: list[str],
    cures: tuple[str, ...],
) -> Explanation:
    """The explanation of one verdict from sentences on the axes, the self-stresses and the choices of equations."""
    if group.verdict is Verdict.UNIQUE:
        unique = f"{_title(group)}: all its components are unique."
        return Explanation(group.name, str(group.verdict), tuple(filter(None, (unique, axes))), ())
    sentences = [_summary(group)]
    if answer.m <= MOST_ROWS_WITH_STRESSES:
        from reactio.diagnosis.known_direction import known_directions

        sentences.extend(known_directions(answer, group))
    sentences.extend(filter(None, [axes]))
    if group.verdict is Verdict.AMBIGUOUS:
        sentences.append(_ambiguity(answer, group))
    sentences.extend(stresses)
    if group.shares_with:
        sentences.append(f"It shares load with {_listing(group.shares_with)}.")
    sentences.extend(choices)
    return Explanation(group.name, str(group.verdict), tuple(sentences), _remedies(answer, group, cures))


def _sentences_on_stresses(
    eqs: Equations, answer: Solvability, names: Sequence[str], causes: RedundancyCauses
) -> dict[str, list[str]]:
    """For each joint, sentences on its self-stresses and on their causes."""
    every = families(eqs, answer.self_stress) if answer.m <= MOST_ROWS_WITH_STRESSES else []
    by_joint = {name: [family for family in every if name in family.names] for name in names}
    return {
        name: [sentence for family in families_of_joint for sentence in _sentences(eqs, family)]
        + [_origin(family.names, causes.of(family.names)) for family in families_of_joint]
        for name, families_of_joint in by_joint.items()
    }


def _origin(groups: tuple[str, ...], causes: Causes) -> str:
    """A sentence on the causes of the redundancies that some groups have by themselves."""
    return f"On their own, {_listing(groups)} have {redundant_equations(causes.total)}: {causes}."


def _title(group: GroupVerdict) -> str:
    """``Joint 'B' (revolute)``."""
    return f"{group.kind.capitalize()} '{group.name}'" + (f" ({group.type})" if group.type else "")


def _summary(group: GroupVerdict) -> str:
    """How many components are determined, and which are unique and which are not."""
    parts = group.components
    open_ones = [c.name for c in parts if c.unique is False]
    settled = [c.name for c in parts if c.unique]
    text = f"{_title(group)}: {group.known} reaction components are determined."
    if open_ones:
        text += f" Not unique: {', '.join(open_ones)}."
    if settled:
        text += f" Unique: {', '.join(settled)}."
    return text


def _ambiguity(answer: Solvability, group: GroupVerdict) -> str:
    """Why no clear verdict is possible, and the possible verdicts."""
    either = " or ".join(f"{verdict} ({count} determined)" for verdict, count in group.alternatives)
    d = answer.decision
    if d.confident:
        return (
            "The rank is clear, but a share in a self-stress is larger than rounding errors and smaller than any "
            f"intended value: the verdict is {either}."
        )
    return (
        f"The geometry is very close to one of another rank (last singular value kept {d.sigma_last_kept:.2g}, first "
        f"dropped {d.sigma_first_dropped:.2g}): the verdict is {either}."
    )


def _choices(answer: Solvability) -> list[str]:
    """Sets of redundant equations that a simulator could drop, where there are few."""
    if not 0 < answer.redundancy <= 3 or answer.m > MOST_ROWS_WITH_STRESSES:
        return []
    choices = list(answer.eliminations())
    labels = [
        f"{g.name}.{label}" if g.size > 1 else g.name
        for g in answer.matrix.rows.groups
        for label in (answer.matrix.rows.labels or [""] * answer.m)[g.start : g.stop]
    ]
    shown = listed(["+".join(labels[i] for i in choice) for choice in choices], MOST_CHOICES)
    return [f"A program that drops equations has {len(choices):,} equally valid choices: {shown}."]


def _remedies(answer: Solvability, group: GroupVerdict, cures: tuple[str, ...]) -> tuple[str, ...]:
    """Releases that make the reaction unique, or the ``cures`` of an ambiguous verdict; none in large models."""
    if group.verdict is Verdict.AMBIGUOUS and cures:
        return cures
    if answer.m <= MOST_ROWS_WITH_STRESSES and answer.redundancy and any(c.unique is False for c in group.components):
        from reactio.diagnosis.remedies import remedies

        return remedies(answer, group)
    return ("Make the parts that carry the self-stress flexible, so that stiffness determines it.",)


def _listing(names: Sequence[str]) -> str:
    return listed(names, MOST_JOINTS_IN_SENTENCE, last=" and ")


def _common_wrench(eqs: Equations, stress: SelfStress) -> CommonWrench | None:
    """The wrench that all joints of a self-stress carry, up to its sign; None where they carry different ones."""
    if len(stress.rows) == 1 or len(stress.groups) == 1:
        return None
    wrenches = []
    for name in stress.groups:
        group = eqs.system.group(name)
        if group.frames is None:
            return None
        wrench = wrench_map(eqs, group) @ stress.lam[group.start : group.stop]
        wrenches.append(_about_origin(eqs, group.frames[1], wrench))
    scale = eqs.system.length
    size = eqs.system.dimension
    weighed = np.array(wrenches)
    weighed[:, size:] /= scale
    largest = np.abs(weighed).max()
    signs = np.sign(weighed @ weighed[0])
    if np.abs(weighed * signs[:, None] - weighed[0]).max() > LOCATED * largest:
        return None
    return _words(eqs, stress.groups, wrenches[0], size)


def _about_origin(eqs: Equations, frame: int, wrench: Floats) -> Floats:
    """A wrench at the origin of a frame, reduced to the origin of the world."""
    out = wrench.copy()
    r = origins_of_frames(eqs.work.F[frame])
    if eqs.system.space == "planar":
        out[2] += r[0] * wrench[1] - r[1] * wrench[0]
    else:
        out[3:] += np.cross(r, wrench[:3])
    return out


def _words(eqs: Equations, names: Sequence[str], wrench: Floats, size: int) -> CommonWrench:
    """A wrench about the origin of the world, its first ``size`` entries the force, in words."""
    force, moment = wrench[:size], wrench[size:]
    if np.linalg.norm(force) * eqs.system.length > LOCATED * np.linalg.norm(moment) and np.linalg.norm(force) > LOCATED:
        return CommonWrench("force along", _in_axes(eqs, names, force / np.linalg.norm(force)))
    if eqs.system.space == "planar":
        return CommonWrench("moment", "")
    return CommonWrench("moment about", _in_axes(eqs, names, moment / np.linalg.norm(moment)))


def _in_axes(eqs: Equations, names: Sequence[str], unit: Floats) -> str:
    """A direction (world axes) in the axes of the system: ``world z``, ``joint axis z``, ``z of A, x of B``."""
    if eqs.system.axes == ReactionAxes.WORLD:
        return f"world {_direction(unit)}"
    seen: dict[str, list[str]] = {}
    for name in names:
        turned = joint_axes(eqs, eqs.system.group(name))[: len(unit), : len(unit)] @ unit
        seen.setdefault(_direction(turned), []).append(name)
    if len(seen) == 1:
        return f"joint axis {next(iter(seen))}"
    # Where it is an axis of one joint, that is clearer than components in the others.
    along = {axis: joints for axis, joints in seen.items() if len(axis) == 1}
    if len(along) < len(seen) or len(names) > MOST_AXES:
        seen = dict([next(iter((along or seen).items()))])
    return ", ".join(f"{axis} of {_listing(joints)}" for axis, joints in seen.items())


def axes_in_world(eqs: Equations, name: str) -> str:
    """A sentence on the axes of a joint, where components are given in them: ``x along world y, …``; else empty."""
    group = eqs.system.group(name)
    if group.frames is None or eqs.system.axes == ReactionAxes.WORLD:
        return ""
    size = eqs.system.dimension
    turned = joint_axes(eqs, group)[:size, :size]
    if np.allclose(turned, np.eye(size), atol=LOCATED):
        return "Its axes are those of the world."
    names = ", ".join(f"{axis} along world {_signed(row)}" for axis, row in zip("xyz", turned, strict=False))
    return f"Its axes: {names}."


def _direction(unit: Floats) -> str:
    """A direction up to its sign: x, y, z or its components, the first of them positive."""
    first = unit[np.flatnonzero(np.abs(unit) >= LOCATED)[0]]
    return _signed(unit * np.sign(first))


def _signed(unit: Floats) -> str:
    """A direction with its sign: x, −y, (0.6, 0.8, 0)."""
    cleaned = np.where(np.abs(unit) < LOCATED, 0.0, unit) + 0.0  # no −0
    for axis, name in zip(np.eye(len(unit)), "xyz", strict=False):
        if np.allclose(np.abs(cleaned), axis, atol=LOCATED):
            return name if cleaned @ axis > 0 else f"−{name}"
    return "(" + ", ".join(f"{x:.3g}" for x in cleaned) + ")"
