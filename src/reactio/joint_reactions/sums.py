"""Sums of reaction components: their values where they are unique, and the simplest unique ones among open components.

Two bearings may share a weight in any way, yet ``A.Fz + B.Fz`` is the weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import decimal, unit_name
from reactio.errors import ReactioError, listed
from reactio.joint_reactions.data import DETERMINED_BY_STIFFNESS, Reactions, line_factors, significant
from reactio.joint_reactions.springs import spring_tensions
from reactio.joints import TENSION
from reactio.linear.precision import LOCATED, ROUNDOFF
from reactio.results.as_data import Result
from reactio.system.constraints import LABELS, components, joint_axes, wrench_map
from reactio.system.equations import Equations
from reactio.system.reaction_axes import reaction_axes
from reactio.system.types import EFFORT, System
from reactio.uniqueness import Solvability
from reactio.uniqueness.functional import parse
from reactio.uniqueness.words import Verdict

MOST_SUMS_LISTED = 4  # of joints that share load with each other: the shortest are worth reading
MOST_OPEN_COMPONENTS = 200  # of one name, for sums to be sought by elimination, whose cost grows with its cube
MOST_ROWS_FOR_SUMS = 600  # of C, for sums to be sought: some tenths of a second
SAID_AXES = re.compile(r"\s+in\s+(?P<axes>joint|world)(?:\s+axes)?\s*$")
AXIS_LETTERS = "xyz"
SUM_ROUNDING = ROUNDOFF  # part of the largest term that is rounding in sums over all bodies


@dataclass(frozen=True, slots=True)
class ReactionSum(Result):
    """A sum of reaction components."""

    KEYS = "name expression unit verdict value rule axes by_stiffness"

    name: str
    expression: str  # "A.Fz + B.Fz"
    unit: str  # "N", "N m"; empty where the terms have different ones
    verdict: str  # unique, not unique or ambiguous; with the rule where the motion depends on it
    value: float | None  # where unique, or split by a rule that was asked for; else None
    rule: str | None  # by which a value that is not unique was computed
    margin: float  # of the verdict [decades]
    axes: str  # of its components: "joint" or "world"
    by_stiffness: bool = False  # does the stiffness that was given determine a value that is not unique?
    remark: str = ""  # on joints whose own axes are others than those of the sum

    @property
    def unique(self) -> bool:
        """Does the model determine it?"""
        return self.verdict == Verdict.UNIQUE

    @property
    def state(self) -> str:
        """The verdict, or that stiffness determines the sum."""
        return DETERMINED_BY_STIFFNESS if self.by_stiffness else self.verdict


class SumTerms(NamedTuple):
    """The terms of a sum, {("A", "Fz"): 1}, and the axes of its components."""

    terms: Mapping[tuple[str, str], float]
    axes: str


def sum_terms(text: str, system: System, names: Iterable[str]) -> SumTerms:
    """The terms of ``A.Fz + B.Fz`` in world axes, of one joint in the axes of the system; ``… in joint axes`` in those.

    Axes of two joints may ride on different bodies: their sum along them is no force of the machine.  A force plus a
    moment is refused.

    >>> import reactio
    >>> door = reactio.build(reactio.load("door"))
    >>> [str(sum_terms(text, door, door.group_index).axes) for text in ("hinge1.Fx + hinge2.Fx", "hinge1.Fx")]
    ['world', 'joint']
    """
    match = SAID_AXES.search(text)
    terms = parse(SAID_AXES.sub("", text), names)
    _refuse_mixed(text, terms, system)
    groups = {(name, label): system.group(name) for name, label in terms if name in system.group_index}
    joints = {name for (name, label), group in groups.items() if group.frames and label not in group.line_labels}
    across = ReactionAxes.WORLD if len(joints) > 1 else system.axes
    return SumTerms(terms, ReactionAxes(match["axes"]) if match else across)


def axes_remark(eqs: Equations, text: str, names: Iterable[str]) -> str:
    """Which components of a sum across joints, in world axes unasked, are along another axis of their joint; or empty.

    The axis e of a component in world axes is another one than row a of the joint's axes if ‖a − e‖ > 0.
    """
    terms, axes = sum_terms(text, eqs.system, names)
    if SAID_AXES.search(text) or axes == eqs.system.axes:
        return ""
    others = dict[tuple[str, str], list[str]]()
    for name, label in terms:
        letter = label[1:]
        if name not in eqs.system.group_index or label not in LABELS[eqs.system.space] or letter not in AXIS_LETTERS:
            continue
        group = eqs.system.group(name)
        rows = () if group.frames is None else reaction_axes(eqs, group)
        if len(rows) <= AXIS_LETTERS.index(letter):
            continue  # a moment in the plane
        axis = rows[AXIS_LETTERS.index(letter)]
        if np.linalg.norm(axis - np.eye(len(axis))[AXIS_LETTERS.index(letter)]) > LOCATED:
            others.setdefault((letter, _axis_words(axis)), []).append(f"{name}.{label}")
    sentences = (
        f"{listed(parts)} {'are' if len(parts) > 1 else 'is'} along world {letter} here, and joint axis {letter} of "
        f"{listed(list(dict.fromkeys(part.rpartition('.')[0] for part in parts)))} is {words}"
        for (letter, words), parts in others.items()
    )
    return "; ".join(sentences)


def _axis_words(axis: Floats) -> str:
    """A unit vector in words: ``world y``, ``world −y``, or its components.

    >>> _axis_words(np.array([0.0, -1.0, 0.0])), _axis_words(np.array([0.6, 0.8]))
    ('world −y', '(0.6, 0.8) in world axes')
    """
    k = int(np.abs(axis).argmax())
    if np.linalg.norm(np.delete(axis, k)) <= LOCATED:
        return f"world {'−' if axis[k] < 0.0 else ''}{AXIS_LETTERS[k]}"
    return (
        f"({', '.join(decimal(float(x) + 0.0, 3) for x in np.where(np.abs(axis) <= LOCATED, 0.0, axis))}) in world axes"
    )


def _refuse_mixed(text: str, terms: Iterable[tuple[str, str]], system: System) -> None:
    """Refuse a sum of components in N and N m; those whose unit their name does not say pass."""
    by_unit = {unit: term for term in terms if (unit := _unit([term]) or _only_unit(system, *term))}
    if len(by_unit) > 1:
        parts = [f"{'.'.join(filter(None, term))} in {unit_name(unit)}" for unit, term in sorted(by_unit.items())]
        raise ReactioError(f"'{text}' adds {' and '.join(parts)}, which have no sum; ask for a sum of each unit.")


def _only_unit(system: System, name: str, label: str) -> str:
    """The unit of a drive, coupling or joint of one row that is named without a component; that of a member is N."""
    if label or name not in system.group_index:
        return "" if label else "N"  # springs have no group
    units = system.group(name).units
    return {"m": "N", "rad": "N m"}.get(units[0], "") if len(units) == 1 else ""


def group_labels(system: System, name: str) -> tuple[str, ...]:
    """Labels of a joint, drive or coupling besides those of a wrench: its effort, N of a member, Ft, Fr of teeth."""
    group = system.group(name)
    if group.frames is not None:
        return group.line_labels
    return (EFFORT[group.units[0]][0], *line_factors(system, name))


def sum_functional(eqs: Equations, answer: Solvability, terms: Mapping[tuple[str, str], float], axes: str) -> Any:
    """What ``Solvability.functional`` judges: the terms by name, or their P (1, m) in axes other than the system's."""
    system, labels = eqs.system, LABELS[eqs.system.space]
    framed = {name: system.group(name) for name, _ in terms if system.group(name).frames is not None}
    unknown = any(label not in (*labels, *group_labels(system, name)) for name, label in terms)
    if unknown or (
        axes == system.axes and all(label in components(eqs, system.group(name)).labels for name, label in terms)
    ):
        return terms
    P = np.zeros((1, answer.m))
    for (name, label), factor in terms.items():
        group, rows = system.group(name), slice(system.group(name).start, system.group(name).stop)
        if name not in framed:
            P[0, rows] += factor * line_factors(system, name).get(label, 1.0) * components(eqs, group).P[0]
            continue
        W, line = wrench_map(eqs, group), label in group.line_labels
        W = W if axes == ReactionAxes.WORLD and not line else joint_axes(eqs, group) @ W
        P[0, rows] += factor * (-W[0] if label == TENSION else W[(group.line_labels if line else labels).index(label)])
    return P if P.any() else terms


def evaluated(reactions: Reactions, expression: str, name: str = "") -> ReactionSum:
    """A sum Σ P λ with its verdict and, where it is unique or a rule was asked for, its value."""
    eqs = reactions.eqs
    springs = spring_tensions(eqs)
    every, axes = sum_terms(expression, eqs.system, [*reactions, *springs])
    known_part = sum(factor * springs[part] for (part, _), factor in every.items() if part in springs)
    terms = reactions.acting({term: factor for term, factor in every.items() if term[0] not in springs})
    if not terms:  # contacts that are open, or springs alone
        unit = _unit(every) if len(every) > len(terms) and springs else ""
        return ReactionSum(name or expression, expression, unit, Verdict.UNIQUE, known_part, None, np.inf, axes)
    verdict = reactions.answer.functional(sum_functional(eqs, reactions.answer, terms, axes))
    assert verdict.terms is not None
    rows, P = verdict.terms
    value = float((P @ reactions.balanced[rows])[0])
    absent = {k for part in reactions.motion.absent for k in _rows(reactions, part)} & set(rows.tolist())
    decided = reactions.rule is not None and bool(reactions.by_rule(rows, P)[0])
    known = (verdict.unique is True or decided) and not absent and np.isfinite(value)
    value += known_part
    if abs(value) <= SUM_ROUNDING * np.abs(reactions.balanced).max(initial=0.0):
        value = 0.0
    words = {True: Verdict.UNIQUE, False: Verdict.NOT, None: Verdict.AMBIGUOUS}[verdict.unique]
    if absent and verdict.unique is True:
        words = Verdict.NOT  # its parts grow beyond all bounds here
    return ReactionSum(
        name or expression,
        expression,
        _unit(terms) or verdict.unit,
        f"{words} given the rule {reactions.given}" if reactions.given and verdict.unique else words,
        value if known else None,
        None if verdict.unique is True and not reactions.given else reactions.rule,
        verdict.margin,
        axes,
        known and decided and reactions.is_by_stiffness and (verdict.unique is not True or reactions.given is not None),
        axes_remark(eqs, expression, [*reactions, *springs]),
    )


def _unit(terms: Iterable[tuple[str, str]]) -> str:
    """The unit of components of one letter, F or M; empty for others and for mixed ones."""
    letters = {label[:1].replace(TENSION, "F") for _, label in terms}
    return {"F": "N", "M": "N m"}.get(letters.pop(), "") if len(letters) == 1 else ""


def _rows(reactions: Reactions, name: str) -> range:
    group = reactions.eqs.system.group(name)
    return range(group.start, group.stop)


def simplest(reactions: Reactions) -> tuple[ReactionSum, ...]:
    """A few of the shortest sums with coefficients ±1 that are unique although none of their terms is; zeros last.

    For joints that share load with each other, and each kind of component (Fx, …, Mz, world axes), combinations a with
    aᵀ P N = 0 are found by elimination; all of them are minimal: none of their terms can be left out.  The verdict on
    each is computed before it is listed.

    >>> import reactio
    >>> eqs = reactio.equations(reactio.build(reactio.load("door", hinges=2)))
    >>> [f"{s.expression} = {s.value:.2f} {s.unit}" for s in simplest(reactio.reactions(eqs))][0]
    'hinge1.Fz + hinge2.Fz = 245.25 N'
    """
    answer = reactions.answer
    if not answer.redundancy or answer.m > MOST_ROWS_FOR_SUMS:
        return ()
    sharing = _first_sharing_joint(answer)
    listed: dict[str, dict[str, int]] = {}  # expressions with their numbers of terms
    for block in answer.evidence.blocks():
        N = np.zeros((answer.m, block.N.shape[1]))
        N[block.rows] = answer.evidence.scaled.Dr[block.rows, None] * block.N
        for candidate in _candidates(reactions, N):
            listed.setdefault(sharing[candidate.joint], {})[candidate.expression] = candidate.terms
    return tuple(candidate for texts in listed.values() for candidate in _shortest(reactions, texts))


def not_asked_for(asked: Iterable[ReactionSum], simple: Iterable[ReactionSum]) -> list[ReactionSum]:
    """The simplest sums without those that were asked for, spaces not compared."""
    known = {"".join(total.expression.split()) for total in asked}
    return [total for total in simple if "".join(total.expression.split()) not in known]


def _shortest(reactions: Reactions, texts: Mapping[str, int]) -> list[ReactionSum]:
    """The unique sums of fewest terms, those with the value zero last."""
    sums = [evaluated(reactions, text) for text in texts]
    sure = [total for total in sums if total.unique and total.value is not None]
    return sorted(sure, key=lambda total: (not total.value, texts[total.expression]))[:MOST_SUMS_LISTED]


def _first_sharing_joint(answer: Solvability) -> dict[str, str]:
    """For every joint the first joint of the set with which it shares load, directly or through others."""
    first: dict[str, str] = {}
    for group in answer.groups:
        waiting = [group.name] if group.name not in first else []
        first.setdefault(group.name, group.name)
        while waiting and len(first) < len(answer.groups):
            new = [name for name in answer[waiting.pop()].shares_with if name not in first]
            first.update(dict.fromkeys(new, group.name))
            waiting += new
    return first


class SumCandidate(NamedTuple):
    """A sum that may be unique."""

    joint: str  # of its first term
    expression: str
    terms: int


class OpenComponent(NamedTuple):
    """A component of a reaction that is not unique."""

    joint: str
    text: str  # as it is written in a sum, "A.Fz"
    change: Floats  # (p,) by each self-stress


def _candidates(reactions: Reactions, N: Floats) -> Iterator[SumCandidate]:
    """Sums of open components of the same name, in world axes, that no self-stress N (m, p) changes."""
    kinds: dict[str, list[OpenComponent]] = {}
    eqs, answer = reactions.eqs, reactions.answer
    for group in eqs.system.reacting:
        rows = np.arange(group.start, group.stop)
        if not N[rows].any():
            continue
        if group.frames is None:
            labels, P = components(eqs, group).labels, components(eqs, group).P
        else:
            labels, P = LABELS[eqs.system.space], significant(eqs, wrench_map(eqs, group))
        unique = answer.uniqueness(answer.index[group.name], P)
        for label, p, sure in zip(labels, P, unique, strict=True):
            if sure is False and np.abs(G := p @ N[rows]).max() > 0:
                kinds.setdefault(label, []).append(OpenComponent(group.name, f"{group.name}.{label}", G))
    for terms in kinds.values():
        if 1 < len(terms) <= MOST_OPEN_COMPONENTS:
            for a in _circuits(np.array([term.change for term in terms])):
                parts = [(term, x) for term, x in zip(terms, a, strict=True) if x]
                first, _ = parts[0]
                yield SumCandidate(first.joint, _text([(term.text, x) for term, x in parts]), len(parts))


def _text(parts: list[tuple[str, float]]) -> str:
    """A sum as an expression, the sign of its first term positive."""
    _, sign = parts[0]
    words = [f"{'+' if x == sign else '-'} {text}" for text, x in parts]
    return " ".join(words).removeprefix("+ ")


def _circuits(G: Floats) -> Iterator[Floats]:
    """Minimal a (k,) of entries 0, ±1, at least two of them, with aᵀ G = 0, G (k, p): one for each dependent row."""
    size = np.abs(G).max()
    basis: list[int] = []
    for k, row in enumerate(G):
        if basis:
            a, *_ = np.linalg.lstsq(G[basis].T, row, rcond=None)
            rest = row - a @ G[basis]
        else:
            a, rest = np.zeros(0), row
        if np.abs(rest).max() > LOCATED * size:
            basis.append(k)
            continue
        circuit = np.zeros(len(G))
        circuit[basis], circuit[k] = a, -1.0
        circuit[np.abs(circuit) < LOCATED] = 0.0
        if (np.abs(np.abs(circuit[circuit != 0.0]) - 1.0) < LOCATED).all() and np.count_nonzero(circuit) > 1:
            yield np.sign(circuit)
