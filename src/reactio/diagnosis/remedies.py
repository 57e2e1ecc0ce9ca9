"""Releases of joints that make a reaction unique, each tried before it is named.

A released component P_c λ of a joint is zero: of the self-stresses N z those with P_c N z = 0 remain.  The reaction of
X is unique then iff P_X N z = 0 for all of them.  A component that takes part in a self-stress can be released without
an additional freedom: the others carry its load.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.constraint_matrix import components
from reactio.errors import listed
from reactio.linear.precision import SUBSPACE
from reactio.uniqueness import GroupVerdict, Solvability

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
        return ", ".join(f"{' '.join(names)} of {group}" for group, names in by_group.items())


class SettlingReleases(NamedTuple):
    """Releases that make a reaction unique; those of one joint only where no single component does, and so on."""

    components: Sequence[ReleaseRemedy] = ()  # each a single component
    joints: Sequence[ReleaseRemedy] = ()  # each of several components of one joint
    together: ReleaseRemedy | None = None  # components of several joints


def settling(answer: Solvability, name: str) -> SettlingReleases:
    """Single components whose release makes a reaction unique; else single joints; else several joints together.

    >>> import reactio
    >>> answer = reactio.check(reactio.load("pendulum-twice"))
    >>> [str(one) for one in settling(answer, "rod1").components]
    ['N of rod1', 'N of rod2']
    """
    N = _shares(answer)
    asked = _components(answer, answer[name], N)
    wanted = np.vstack([release.shares for release in asked]) if asked else np.zeros((0, N.shape[1]))
    every = [_components(answer, group, N) for group in answer.groups]
    single = [release for group in every for release in group]
    alone = [release for release in single if _settles(release.shares, wanted)]
    if alone:
        return SettlingReleases(components=alone)
    by_joint = [_independent(group) for group in every if group]
    joints = [release for release in by_joint if _settles(release.shares, wanted)]
    return SettlingReleases(joints=joints) if joints else SettlingReleases(together=_together(single, wanted))


def remedies(answer: Solvability, group: GroupVerdict) -> tuple[str, ...]:
    """Releases that make the reaction of a group unique, in sentences; all were tried."""
    releases, no_freedom = settling(answer, group.name), "no freedom is gained"
    if releases.components:
        release = f"Release one component ({no_freedom}): {_either(releases.components)}."
    elif releases.joints:
        release = f"Release in one joint ({no_freedom}): {_either(releases.joints)}."
    else:
        release = f"No single joint suffices. Release together ({no_freedom}): {releases.together}."
    return (
        "Make the parts that carry the self-stress flexible, so that stiffness determines it.",
        release,
        "Use sums that are unique instead: `--group NAME=A.Fx+B.Fx` judges one.",
    )


def _either(releases: Sequence[ReleaseRemedy]) -> str:
    return listed([str(release) for release in releases], MOST_RELEASES, between="; or ")


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
    releases = []
    for share, component in zip(shares, group.components, strict=True):
        size = float(np.linalg.norm(share))
        if component.unique is False and size > 0.0:
            releases.append(ReleaseRemedy(((group.name, component.name),), share[None] / size))
    return releases


def _settles(released: Floats, wanted: Floats) -> bool:
    """Are the wanted components zero in all self-stresses that remain after a release?"""
    return float(_remaining(released, wanted).max(initial=0.0)) <= SUBSPACE


def _remaining(released: Floats, wanted: Floats) -> Floats:
    """(k,) singular values of the wanted components in the self-stresses that remain after a release."""
    _, s, Vt = np.linalg.svd(released, full_matrices=True)
    remaining = Vt[int((s > SUBSPACE * s[0]).sum()) :].T
    return np.linalg.svd(wanted @ remaining, compute_uv=False) if remaining.size and wanted.size else np.zeros(0)


def _independent(releases: Iterable[ReleaseRemedy]) -> ReleaseRemedy:
    """As many components of a joint as can be released without an additional freedom."""
    names: tuple[tuple[str, str], ...] = ()
    shares = np.zeros((0, 0))
    for release in releases:
        trial = np.vstack([shares, release.shares]) if names else release.shares
        s = np.linalg.svd(trial, compute_uv=False)
        if len(trial) <= trial.shape[1] and s[-1] > SUBSPACE * s[0]:
            names, shares = names + release.names, trial
    return ReleaseRemedy(names, shares)


def _together(single: Sequence[ReleaseRemedy], wanted: Floats) -> ReleaseRemedy:
    """Components of several joints, each chosen so that the fewest directions stay open, then the smallest ones."""
    chosen = ReleaseRemedy((), np.zeros((0, wanted.shape[1])))
    while True:
        trials = [_independent([*_split(chosen), release]) for release in single]
        longer = [trial for trial in trials if len(trial.names) > len(chosen.names)]
        chosen = min(longer, key=lambda trial: _openness(_remaining(trial.shares, wanted)))
        if _settles(chosen.shares, wanted):
            return chosen


def _openness(remaining: Floats) -> tuple[int, float]:
    """The number of undetermined directions of the wanted components, and the largest singular value among them."""
    return int((remaining > SUBSPACE).sum()), float(remaining.max(initial=0.0))


def _split(release: ReleaseRemedy) -> list[ReleaseRemedy]:
    """The same release as one for each of its components."""
    return [ReleaseRemedy((name,), release.shares[k : k + 1]) for k, name in enumerate(release.names)]
