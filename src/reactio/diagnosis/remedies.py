"""Releases of joints that make a reaction unique, each tried before it is named.

A released component P_c λ of a joint is zero: of the self-stresses N z those with P_c N z = 0
remain.  The reaction of X is unique then iff P_X N z = 0 for all of them.  A component that takes part in a self-stress
can be released without an additional freedom: the others carry its load.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import components
from reactio.errors import listed
from reactio.uniqueness import GroupVerdict, Solvability

NO_SHARE = 1e-8  # part of the largest share that counts as none
MOST_RELEASES = 6  # of one kind that a sentence names: more are not read


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseRemedy:
    """Components of one or several joints to be released: names, and their entries P N in the self-stresses (k, p)."""

    names: tuple[tuple[str, str], ...]  # (group, component)
    shares: Floats

    def __str__(self) -> str:
        by_group: dict[str, list[str]] = {}
        for group, component in self.names:
            by_group.setdefault(group, []).append(component)
        return ", ".join(f"{' '.join(found)} of {group}" for group, found in by_group.items())


def settling(answer: Solvability, name: str) -> tuple[list[ReleaseRemedy], list[ReleaseRemedy], ReleaseRemedy | None]:
    """Single components, then single joints, whose release makes a reaction unique; else several together.

    >>> import reactio
    >>> answer = reactio.check(reactio.load("pendulum-twice"))
    >>> [str(one) for one in settling(answer, "rod1")[0]]
    ['Fx of rod1', 'Fy of rod1', 'Fx of rod2', 'Fy of rod2']
    """
    N = _shares(answer)
    asked = _components(answer, answer[name], N)
    wanted = np.vstack([one.shares for one in asked]) if asked else np.zeros((0, N.shape[1]))
    every = [_components(answer, group, N) for group in answer.groups]
    single = [one for group in every for one in group]
    alone = [one for one in single if _settles(one.shares, wanted)]
    if alone:
        return alone, [], None
    whole = [_independent(group) for group in every if group]
    joints = [one for one in whole if _settles(one.shares, wanted)]
    return [], joints, None if joints else _together(single, wanted)


def remedies(answer: Solvability, group: GroupVerdict) -> tuple[str, ...]:
    """Releases that make the reaction of a group unique, in sentences; all were tried."""
    alone, joints, several = settling(answer, group.name)
    no_freedom = "no freedom is gained"
    if alone:
        found = [f"Release one component ({no_freedom}): {_either(alone)}."]
    elif joints:
        found = [f"Release in one joint ({no_freedom}): {_either(joints)}."]
    else:
        assert several is not None
        found = [f"No joint that is released alone settles it. Together do ({no_freedom}): {several}."]
    return (
        "Make the parts that carry the self-stress flexible, so that stiffness decides.",
        *found,
        "Use the sums that are unique instead: `--group NAME=A.Fx+B.Fx` tells which.",
    )


def _either(found: Sequence[ReleaseRemedy]) -> str:
    return listed([str(one) for one in found], MOST_RELEASES, between="; or ")


def _shares(answer: Solvability) -> Floats:
    """A basis N (m, p) of the self-stresses, in internal rows and units."""
    N = np.zeros((answer.m, answer.redundancy))
    at = 0
    for block in answer.evidence.blocks():
        p = block.N.shape[1]
        N[block.rows, at : at + p] = answer.evidence.scaled.Dr[block.rows, None] * block.N
        at += p
    return N


def _components(answer: Solvability, group: GroupVerdict, N: Floats) -> list[ReleaseRemedy]:
    """The components of a group that take part in self-stresses, each of unit size."""
    table = components(answer.matrix, answer.matrix.rows.groups[group.index])
    shares = table.P @ N[answer.rows_of(group.index)]
    found = []
    for share, component in zip(shares, group.components, strict=True):
        size = float(np.linalg.norm(share))
        if component.unique is False and size > 0.0:
            found.append(ReleaseRemedy(((group.name, component.name),), share[None] / size))
    return found


def _settles(released: Floats, wanted: Floats) -> bool:
    """Are the wanted components zero in all self-stresses that remain after a release?"""
    return _rest(released, wanted) <= NO_SHARE


def _rest(released: Floats, wanted: Floats) -> float:
    _, s, Vt = np.linalg.svd(released, full_matrices=True)
    left = Vt[int((s > NO_SHARE * s[0]).sum()) :].T
    return float(np.linalg.norm(wanted @ left, 2)) if left.size and wanted.size else 0.0


def _independent(found: Iterable[ReleaseRemedy]) -> ReleaseRemedy:
    """As many components of a joint as can be released without an additional freedom."""
    names: tuple[tuple[str, str], ...] = ()
    shares = np.zeros((0, 0))
    for one in found:
        trial = np.vstack([shares, one.shares]) if names else one.shares
        s = np.linalg.svd(trial, compute_uv=False)
        if len(trial) <= trial.shape[1] and s[-1] > NO_SHARE * s[0]:
            names, shares = names + one.names, trial
    return ReleaseRemedy(names, shares)


def _together(single: Sequence[ReleaseRemedy], wanted: Floats) -> ReleaseRemedy:
    """Components of several joints, each chosen so that the fewest directions stay open, then the smallest ones."""
    chosen = ReleaseRemedy((), np.zeros((0, wanted.shape[1])))
    while True:
        trials = [_independent([*_split(chosen), one]) for one in single]
        longer = [one for one in trials if len(one.names) > len(chosen.names)]
        chosen = min(longer, key=lambda one: (_open(one.shares, wanted), _rest(one.shares, wanted)))
        if _settles(chosen.shares, wanted):
            return chosen


def _split(release: ReleaseRemedy) -> list[ReleaseRemedy]:
    return [ReleaseRemedy((name,), release.shares[k : k + 1]) for k, name in enumerate(release.names)]


def _open(released: Floats, wanted: Floats) -> int:
    """The number of directions of the wanted components that stay open after a release."""
    _, s, Vt = np.linalg.svd(released, full_matrices=True)
    left = Vt[int((s > NO_SHARE * s[0]).sum()) :].T
    found = np.linalg.svd(wanted @ left, compute_uv=False) if left.size else np.zeros(0)
    return int((found > NO_SHARE).sum())
