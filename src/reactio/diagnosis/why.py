"""Why a reaction is not unique, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.cause import Causes, RedundancyCauses
from reactio.diagnosis.remedies import remedies
from reactio.errors import ReactioError
from reactio.mechanism_graph import loops
from reactio.model.specs import Model
from reactio.system.constraints import joint_axes, wrench_map
from reactio.system.equations import Equations, needed_equations
from reactio.uniqueness import GroupVerdict, SelfStress, Solvability, Verdict

SAME = 1e-6  # two wrenches of a self-stress that differ by less are one and the same
MOST_CHOICES = 12
MOST_AXES = 6  # joints whose axes are named one by one
WIDE = 600  # rows beyond which self-stresses are not written out: they need a dense null space


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is behind the verdict on one joint."""

    name: str
    verdict: str
    sentences: tuple[str, ...]
    remedies: tuple[str, ...]


def loop_of(model: Model, names: Sequence[str]) -> tuple[str, ...]:
    """The loop a self-stress lives in, in order around it; all its joints when they form several loops."""
    chosen = set(names)
    inside = [j for j in model.joints if j.name in chosen]
    if not inside:
        return tuple(names)
    rest = replace(model, joints=tuple(inside), drives=(), couplings=(), forces=())
    found = loops(rest)
    return found[0] if len(found) == 1 else tuple(j.name for j in inside)


def describe(eqs: Equations, stress: SelfStress) -> str:
    """A self-stress in one sentence."""
    return describe_all(eqs, (stress,))[0]


def describe_all(eqs: Equations, stresses: Iterable[SelfStress]) -> list[str]:
    """Self-stresses in sentences: those of the same joints in one, with their directions and how many they are."""
    common: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    others: Counter[str] = Counter()
    for stress in stresses:
        found = _common_wrench(eqs, stress) if len(stress.rows) > 1 and len(stress.groups) > 1 else None
        if found is not None:
            common.setdefault(stress.groups, []).append(found)
        else:
            others[_otherwise(stress)] += 1
    sentences = [(_carry(names, wrenches), len(wrenches)) for names, wrenches in common.items()]
    return [_counted(text, n) for text, n in [*sentences, *others.items()]]


def _otherwise(stress: SelfStress) -> str:
    """A self-stress that is not one wrench passed around."""
    names = _listing(stress.groups)
    if len(stress.rows) == 1:
        return f"{names} constrains nothing: the terms of its equation cancel, and no motion sees its effort."
    if len(stress.groups) == 1:
        return f"{names} holds the same thing twice by itself: its own equations are dependent."
    return f"{names} carry internal forces that balance each other: nothing in a rigid model decides their size."


def _carry(names: tuple[str, ...], wrenches: list[tuple[str, str]]) -> str:
    """The wrenches that joints pass on to each other: one common force along …, one common moment about …."""
    parts = []
    for kind in sorted({kind for kind, _ in wrenches}):
        axes = sorted({axis for other, axis in wrenches if other == kind})
        head = axes[0].rpartition(" ")[0]
        if len(axes) == 1:
            parts.append(f"one common {kind} {axes[0]}".strip())
            continue
        if all(len(axis) == len(head) + 2 and axis.startswith(head) for axis in axes):
            axes = [head.replace("joint axis", "joint axes") + " " + _listing([axis[-1] for axis in axes])]
        what, _, along = kind.partition(" ")
        parts.append(f"common {what}s {along} {'; '.join(axes)}")
    them = "it" if len(wrenches) == 1 else "them"
    return f"{_listing(names)} carry {' and '.join(parts)}: nothing in a rigid model decides {them}."


def _counted(text: str, n: int) -> str:
    return text if n == 1 else f"{text.removesuffix('.')} (in {_number(n)} ways)."


def _number(n: int) -> str:
    return {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}.get(n, str(n))


def explain(eqs: Equations, answer: Solvability, name: str) -> Explanation:
    """Why the reaction of a joint is or is not unique, and what would settle it.

    >>> import reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("pendulum-twice")))
    >>> print(reactio.explain(eqs, reactio.solvability(eqs.constraints), "rod1").sentences[0])
    Joint 'rod1' (distance): 0 of 1 reaction components are determined. Not unique: Fx, Fy.
    """
    return explain_all(eqs, answer, (name,))[name]


def explain_all(
    eqs: Equations, answer: Solvability, names: Sequence[str], origins: RedundancyCauses | None = None
) -> dict[str, Explanation]:
    """The same for several joints; what they have in common is looked at once, by ``origins`` when at hand."""
    needed_equations(eqs)
    if not isinstance(answer, Solvability):
        raise ReactioError(f"Verdicts are needed, not {type(answer).__name__}: reactio.solvability(eqs.constraints).")
    stories = _stories(eqs, answer, names, origins or RedundancyCauses(eqs))
    choices = _choices(answer) if any(answer[name].verdict is not Verdict.UNIQUE for name in names) else []
    return {name: _explained(answer, answer[name], stories[name], choices) for name in names}


def _explained(answer: Solvability, group: GroupVerdict, story: list[str], choices: list[str]) -> Explanation:
    if group.verdict is Verdict.UNIQUE:
        whole = (f"{_title(group)}: all its components are unique.",)
        return Explanation(group.name, str(group.verdict), whole, ())
    sentences = [_summary(group)]
    if group.verdict is Verdict.AMBIGUOUS:
        sentences.append(_ambiguity(answer, group))
    sentences.extend(story)
    if group.shares_with:
        sentences.append(f"It shares load with {_listing(group.shares_with)}.")
    sentences.extend(choices)
    return Explanation(group.name, str(group.verdict), tuple(sentences), _remedies(answer, group))


def _stories(
    eqs: Equations, answer: Solvability, names: Sequence[str], origins: RedundancyCauses
) -> dict[str, list[str]]:
    """The self-stresses each joint takes part in, and where they come from."""
    stresses = answer.self_stress if answer.m <= WIDE else ()
    own = {name: [s for s in stresses if name in s.groups] for name in names}
    return {
        name: describe_all(eqs, found)
        + [_origin(groups, origins.of(groups)) for groups in dict.fromkeys(s.groups for s in found)]
        for name, found in own.items()
    }


def _origin(groups: tuple[str, ...], found: Causes) -> str:
    total = found.structural + found.geometric + found.pose
    return f"Looked at alone, {_listing(groups)} have {total} redundant: {found}."


def _title(group: GroupVerdict) -> str:
    return f"{group.kind.capitalize()} '{group.name}'" + (f" ({group.type})" if group.type else "")


def _summary(group: GroupVerdict) -> str:
    parts = group.components
    open_ones = [c.name for c in parts if c.unique is False]
    settled = [c.name for c in parts if c.unique]
    text = f"{_title(group)}: {group.determined} of {group.rank} reaction components are determined."
    if open_ones:
        text += f" Not unique: {', '.join(open_ones)}."
    if settled:
        text += f" Unique: {', '.join(settled)}."
    return text


def _ambiguity(answer: Solvability, group: GroupVerdict) -> str:
    either = " or ".join(f"{verdict} ({count} determined)" for verdict, count in group.alternatives)
    d = answer.decision
    return (
        f"The geometry is a hair from another rank (last singular value kept {d.sigma_last_kept:.2g}, first dropped "
        f"{d.sigma_first_dropped:.2g}): the verdict is {either}."
    )


def _choices(answer: Solvability) -> list[str]:
    """How a simulator could drop rows, when there are few ways."""
    if not 0 < answer.redundancy <= 3 or answer.m > WIDE:
        return []
    choices = list(answer.eliminations())
    labels = [
        f"{g.name}.{label}" if g.size > 1 else g.name
        for g in answer.matrix.rows.groups
        for label in (answer.matrix.rows.labels or [""] * answer.m)[g.start : g.stop]
    ]
    shown = ["+".join(labels[i] for i in choice) for choice in choices[:MOST_CHOICES]]
    more = f" and {len(choices) - MOST_CHOICES:,} more" if len(choices) > MOST_CHOICES else ""
    return [f"A program that drops equations has {len(choices):,} equally valid choices: {', '.join(shown)}{more}."]


def _remedies(answer: Solvability, group: GroupVerdict) -> tuple[str, ...]:
    """What would settle it; in large models, and where the rank is in doubt, no release is tried."""
    if answer.m <= WIDE and answer.redundancy and any(c.unique is False for c in group.components):
        return remedies(answer, group)
    return ("Make the parts that carry the self-stress flexible, so that stiffness decides.",)


def _listing(names: Sequence[str], most: int = 12) -> str:
    shown = list(names[:most])
    if len(names) > most:
        return ", ".join(shown) + f" and {len(names) - most:,} more"
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def _common_wrench(eqs: Equations, stress: SelfStress) -> tuple[str, str] | None:
    """The wrench that passes unchanged around a loop: (force along, joint axis z), (moment about, world x)."""
    wrenches = []
    for name in stress.groups:
        group = eqs.system.group(name)
        if group.frames is None:
            return None
        wrench = wrench_map(eqs, group) @ stress.lam[group.start : group.stop]
        wrenches.append(_about_origin(eqs, group.frames[1], wrench))
    scale = eqs.system.length
    size = len(wrenches[0]) - (1 if eqs.system.space == "planar" else 3)
    weighed = np.array(wrenches)
    weighed[:, size:] /= scale
    largest = np.abs(weighed).max()
    signs = np.sign(weighed @ weighed[0])
    if np.abs(weighed * signs[:, None] - weighed[0]).max() > SAME * largest:
        return None
    return _words(eqs, stress.groups, wrenches[0], size)


def _about_origin(eqs: Equations, frame: int, wrench: Floats) -> Floats:
    """A wrench at a frame as one about the origin of the world."""
    out = wrench.copy()
    if eqs.system.space == "planar":
        r = eqs.work.F[frame, :2]
        out[2] += r[0] * wrench[1] - r[1] * wrench[0]
    else:
        out[3:] += np.cross(eqs.work.F[frame, :3], wrench[:3])
    return out


def _words(eqs: Equations, names: Sequence[str], wrench: Floats, size: int) -> tuple[str, str]:
    force, moment = wrench[:size], wrench[size:]
    if np.linalg.norm(force) * eqs.system.length > SAME * np.linalg.norm(moment) and np.linalg.norm(force) > SAME:
        return "force along", _in_axes(eqs, names, force / np.linalg.norm(force))
    if eqs.system.space == "planar":
        return "moment", ""
    return "moment about", _in_axes(eqs, names, moment / np.linalg.norm(moment))


def _in_axes(eqs: Equations, names: Sequence[str], unit: Floats) -> str:
    """A direction (world axes) in the axes of the system: ``world z``, ``joint axis z``, ``z of A, x of B``."""
    if eqs.system.axes == "world":
        return f"world {_direction(unit)}"
    seen: dict[str, list[str]] = {}
    for name in names:
        turned = joint_axes(eqs, eqs.system.group(name))[: len(unit), : len(unit)] @ unit
        seen.setdefault(_direction(turned), []).append(name)
    if len(seen) == 1:
        return f"joint axis {next(iter(seen))}"
    # One joint whose axis it is says more than the components in all the others.
    along = {axis: joints for axis, joints in seen.items() if len(axis) == 1}
    if len(along) < len(seen) or len(names) > MOST_AXES:
        seen = dict([next(iter((along or seen).items()))])
    return ", ".join(f"{axis} of {_listing(joints)}" for axis, joints in seen.items())


def _direction(unit: Floats) -> str:
    cleaned = np.where(np.abs(unit) < SAME, 0.0, unit)
    cleaned = cleaned * (1.0 if cleaned[np.flatnonzero(cleaned)[0]] > 0 else -1.0) + 0.0  # no −0
    for axis, name in zip(np.eye(len(unit)), "xyz", strict=False):
        if np.allclose(cleaned, axis, atol=SAME):
            return name
    return "(" + ", ".join(f"{x:.3g}" for x in cleaned) + ")"
