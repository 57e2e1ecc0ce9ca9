"""Why a reaction is not unique, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from reactio.arrays import Floats
from reactio.diagnosis.cause import Causes, all_causes
from reactio.diagnosis.remedies import remedies
from reactio.mechanism_graph import loops
from reactio.model.specs import Model
from reactio.system.constraints import wrench_map
from reactio.system.equations import Equations
from reactio.uniqueness import GroupVerdict, SelfStress, Solvability, Verdict

SAME = 1e-6  # two wrenches of a self-stress that differ by less are one and the same
MOST_CHOICES = 12
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
    names = _listing(stress.groups)
    if len(stress.rows) == 1:
        return f"{names} constrains nothing: the terms of its equation cancel, and no motion sees its effort."
    if len(stress.groups) == 1:
        return f"{names} holds the same thing twice by itself: its own equations are dependent."
    common = _common_wrench(eqs, stress)
    if common is None:
        return f"{names} carry internal forces that balance each other: nothing in a rigid model decides their size."
    return f"{names} carry one common {common}: nothing in a rigid model decides it."


def joined(sentences: Iterable[str]) -> list[str]:
    """Equal sentences as one that says how many they are.

    >>> joined(["They share load.", "It stands still.", "They share load."])
    ['They share load (in two ways).', 'It stands still.']
    """
    counts = Counter(sentences)
    return [text if n == 1 else f"{text.removesuffix('.')} (in {_number(n)} ways)." for text, n in counts.items()]


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


def explain_all(eqs: Equations, answer: Solvability, names: Sequence[str]) -> dict[str, Explanation]:
    """The same for several joints; what they have in common is looked at once."""
    stories = _stories(eqs, answer, names)
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


def _stories(eqs: Equations, answer: Solvability, names: Sequence[str]) -> dict[str, list[str]]:
    """The self-stresses each joint takes part in, and where they come from."""
    stresses = answer.self_stress if answer.m <= WIDE else ()
    own = {name: [s for s in stresses if name in s.groups] for name in names}
    words = {id(s): describe(eqs, s) for found in own.values() for s in found}
    together = list(dict.fromkeys(s.groups for found in own.values() for s in found))
    origins = dict(zip(together, all_causes(eqs.system, eqs.state, together), strict=True))
    return {
        name: joined(words[id(s)] for s in found)
        + [_origin(groups, origins[groups]) for groups in dict.fromkeys(s.groups for s in found)]
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


def _common_wrench(eqs: Equations, stress: SelfStress) -> str | None:
    """The wrench that passes unchanged around a loop: ``force along world z`` or ``moment about world x``."""
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
    return _words(wrenches[0], size, scale, eqs.system.space)


def _about_origin(eqs: Equations, frame: int, wrench: Floats) -> Floats:
    """A wrench at a frame as one about the origin of the world."""
    out = wrench.copy()
    if eqs.system.space == "planar":
        r = eqs.work.F[frame, :2]
        out[2] += r[0] * wrench[1] - r[1] * wrench[0]
    else:
        out[3:] += np.cross(eqs.work.F[frame, :3], wrench[:3])
    return out


def _words(wrench: Floats, size: int, scale: float, space: str) -> str:
    force, moment = wrench[:size], wrench[size:]
    if np.linalg.norm(force) * scale > SAME * np.linalg.norm(moment) and np.linalg.norm(force) > SAME:
        direction = force / np.linalg.norm(force)
        return f"force along world {_direction(direction)}"
    if space == "planar":
        return "moment"
    return f"moment about world {_direction(moment / np.linalg.norm(moment))}"


def _direction(unit: Floats) -> str:
    cleaned = np.where(np.abs(unit) < SAME, 0.0, unit)
    cleaned = cleaned * (1.0 if cleaned[np.flatnonzero(cleaned)[0]] > 0 else -1.0) + 0.0  # no −0
    for axis, name in zip(np.eye(len(unit)), "xyz", strict=False):
        if np.allclose(cleaned, axis, atol=SAME):
            return name
    return "(" + ", ".join(f"{x:.3g}" for x in cleaned) + ")"
