"""Releases along a whole motion: where a set of them, though it adds no freedom at some instants, does so between them.

With the joints released C has full row rank while G = [V_jᵀ Y_j N] is regular (``releases``).  N and V_j are continued
along the motion of the mechanism as it is, so that det G is a continuous function of time.  Where it changes sign, the
released mechanism passes a singular pose.  Where it does not, the smallest singular value of G excludes one: between
two instants G is off the chord by at most an eighth of its second difference, and σ by no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reactio.arrays import Floats
from reactio.design.catalogue import Release, released_wrenches, stress_wrenches
from reactio.kernels import expected_work
from reactio.kinematics.body_state import model_at
from reactio.linear.continuation import polar
from reactio.simulation.state_at import states_at
from reactio.system.equations import equations
from reactio.system.types import State, System

FIRST_INSTANTS = 25  # of the motion, between which more are put where G changes much
EVALUATIONS_BETWEEN_INSTANTS = 60  # of the equations, in a few steps of the motion
MOST_RELEASE_INSTANTS = 400  # some seconds; poses that are not excluded by then count as singular
CHORD_POINTS = 17  # at which σ is evaluated between two instants
# Part of the second difference of G by which it may be off its chord; half as much again as for a parabola.
CHORD_DEVIATION = 1.5 / 8
SMALLEST_INTERVAL = 1e-4  # part of the motion: a singular value this near to zero for no longer is a passage


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseInstant:
    """One instant: released wrenches, and those of every joint in the self-stresses, both up to a rotation of bases."""

    state: State
    V: Mapping[Release, Floats]  # (6, freedoms)
    stress: Mapping[str, Floats]  # joint → Y_j N (6, p)

    @property
    def stacked(self) -> Floats:
        """All wrenches one under the other; columns are orthonormal."""
        return np.vstack(list(self.stress.values()))


@dataclass(frozen=True, slots=True)
class Passages:
    """The sets of releases that stay regular, and when each of the others becomes singular."""

    instants: int
    singular: Mapping[int, float]  # number of the set → the first instant [s]


def singular_sets(system: System, pose: State, until: float, sets: Sequence[tuple[Release, ...]]) -> Passages:
    """Which sets of releases pass a singular pose between the pose ``pose`` and a time [s]."""
    with expected_work(system.m, EVALUATIONS_BETWEEN_INSTANTS * FIRST_INSTANTS):
        return _singular_sets(system, pose, until, sets)


def _singular_sets(system: System, pose: State, until: float, sets: Sequence[tuple[Release, ...]]) -> Passages:
    used = list(dict.fromkeys(release for chosen in sets for release in chosen))
    times = np.linspace(pose.t, until, FIRST_INSTANTS)
    instants = _instants(system, states_at(system, times, pose), used)
    while True:
        continued = _continued(instants, used)
        singular, unclear = _judged(instants, continued, sets, SMALLEST_INTERVAL * (until - pose.t))
        if not unclear or len(instants) + len(unclear) > MOST_RELEASE_INSTANTS:
            late = {k: t for t, members in unclear.items() for k in members if k not in singular}
            return Passages(len(instants), {**late, **singular})
        intervals = [(before.state, after.state.t) for before, after in pairwise(instants) if before.state.t in unclear]
        states = [next(iter(states_at(system, [0.5 * (begin.t + end)], begin))) for begin, end in intervals]
        instants = sorted([*instants, *_instants(system, states, used)], key=lambda instant: instant.state.t)


def _instants(system: System, states: Iterable[State], used: Sequence[Release]) -> list[ReleaseInstant]:
    """Instants with their wrenches."""
    out = []
    for state in states:
        eqs = equations(system, state)
        V = {release: V for release, V in released_wrenches(model_at(system, state), used).items() if release in used}
        out.append(ReleaseInstant(state, V, stress_wrenches(eqs)))
    return out


def _continued(instants: Sequence[ReleaseInstant], used: Sequence[Release]) -> list[dict[Release, Floats]]:
    """V_jᵀ Y_j N of every release at every instant, in bases continued from the first instant on.

    A release that is none at an instant, or an instant with more self-stresses than the first, gives nothing there.
    """
    out: list[dict[Release, Floats]] = []
    N, V = instants[0].stacked, dict(instants[0].V)
    for instant in instants:
        rows: dict[Release, Floats] = {}
        if instant.stacked.shape == N.shape:
            rotation = polar(instant.stacked, N)
            turn = instant.stacked.T @ rotation
            N = rotation
            for release in used:
                if release in instant.V:
                    V[release] = polar(instant.V[release], V.get(release, instant.V[release]))
                    rows[release] = V[release].T @ instant.stress[release.joint] @ turn
        out.append(rows)
    return out


def _judged(
    instants: Sequence[ReleaseInstant],
    G: Sequence[dict[Release, Floats]],
    sets: Sequence[tuple[Release, ...]],
    shortest: float,
) -> tuple[dict[int, float], dict[float, list[int]]]:
    """Sets that are singular, with the instant, and intervals in which some others may be, by their beginning."""
    singular: dict[int, float] = {}
    unclear: dict[float, list[int]] = {}
    for k, chosen in enumerate(sets):
        for i in range(len(instants) - 1):
            before, after = instants[i].state.t, instants[i + 1].state.t
            if not all(release in G[i] and release in G[i + 1] for release in chosen):
                continue
            first, second = (np.vstack([G[j][release] for release in chosen]) for j in (i, i + 1))
            if first.shape[0] == first.shape[1] and np.linalg.det(first) * np.linalg.det(second) <= 0:
                singular[k] = 0.5 * (before + after)
                break
            if _least_on_chord(first, second) > CHORD_DEVIATION * _second_difference(instants, G, chosen, i):
                continue
            if after - before <= shortest:
                singular[k] = before
                break
            unclear.setdefault(before, []).append(k)
    still = {t: [k for k in members if k not in singular] for t, members in unclear.items()}
    return singular, {t: members for t, members in still.items() if members}


def _least_on_chord(first: Floats, second: Floats) -> float:
    """A lower bound on the smallest singular value of all matrices between two."""
    s = np.linspace(0.0, 1.0, CHORD_POINTS)[:, None, None]
    least = float(np.linalg.svd(first + s * (second - first), compute_uv=False)[:, -1].min())
    return least - float(np.linalg.norm(second - first, 2)) / (2 * (CHORD_POINTS - 1))


def _second_difference(
    instants: Sequence[ReleaseInstant], G: Sequence[dict[Release, Floats]], chosen: tuple[Release, ...], i: int
) -> float:
    """|G″| h² of the interval that begins at instant i, from the intervals on both sides of it; ∞ without any."""
    t = [instant.state.t for instant in instants]
    sizes = []
    for j in (i, i + 1):
        if 0 < j < len(instants) - 1 and all(release in G[k] for release in chosen for k in (j - 1, j, j + 1)):
            before, middle, after = (np.vstack([G[k][release] for release in chosen]) for k in (j - 1, j, j + 1))
            slope = (after - middle) / (t[j + 1] - t[j]) - (middle - before) / (t[j] - t[j - 1])
            sizes.append(2 * float(np.linalg.norm(slope, 2)) / (t[j + 1] - t[j - 1]))
    return max(sizes) * (t[i + 1] - t[i]) ** 2 if sizes else np.inf
