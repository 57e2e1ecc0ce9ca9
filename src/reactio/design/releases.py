"""Which joints to replace so that no redundancy remains and no freedom is added.

Let N (m, p) be a basis of the self-stresses, Y_j N the wrench of joint j in each of them, and V_j the wrenches that a
release of that joint removes.  A set of releases with the rows G = [V_jᵀ Y_j N] (R, p) adds no freedom iff rank G = R,
and makes C of full row rank iff also R = p: iff G is square and regular.  A joint B becomes unique iff Y_B N z = 0 for
all z with G z = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.design.along_motion import singular_sets
from reactio.design.catalogue import Release, candidates, distinct, released_wrenches, stress_wrenches
from reactio.design.interchangeable import Interchangeable, interchangeable
from reactio.diagnosis.cause import poses_nearby, undriven
from reactio.diagnosis.check import check, state_of
from reactio.errors import ReactioError, did_you_mean
from reactio.joints import JOINTS_BY_SPACE
from reactio.kernels import expected_work
from reactio.kinematics.body_state import model_at
from reactio.kinematics.source import system_and_state
from reactio.model.model import Model
from reactio.model.transform.named_coordinates import named_coordinates
from reactio.results.as_data import Result, plain
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.simulation.state_at import states_at
from reactio.system.compile.build import build
from reactio.system.constraints import LABELS
from reactio.system.equations import Equations, equations
from reactio.system.types import State, System
from reactio.uniqueness import Solvability

LEAST_SINGULAR_VALUE = 1e-7  # of G, made of unit wrenches, above rounding
MOST_RELEASE_SETS = 200_000  # of releases that are tried: some ten seconds
ENOUGH_PROPOSALS = 500  # found, after which sets of more joints are not searched
RELEASE_INSTANTS = 7  # of the motion at which releases are sought; those that stand are examined along all of it
EVALUATIONS_OF_MOTION = 1_000  # of the equations, along a motion of some seconds


@dataclass(frozen=True, eq=False)
class Proposal(Result):
    """Joints to replace together, with the cost, and the margin to an additional freedom."""

    KEYS = "releases cost stiffness_lost margin redundancy=verdicts.redundancy mobility=verdicts.mobility"

    model: Model
    releases: tuple[Release, ...]
    cost: float
    margin: float  # smallest singular value of G over all poses: 0 where a freedom would be added
    left: int  # remaining redundancy: of partial answers, or where only some joints were asked to be unique
    stiffness_lost: float | None = None  # of released directions, each as part of the stiffest; None: none is known

    @property
    def freedoms(self) -> int:
        """Freedoms of single joints that are added; the mechanism gains none."""
        return sum(release.freedoms for release in self.releases)

    @cached_property
    def released(self) -> Model:
        """The model with these joints replaced."""
        model = self.model
        for release in self.releases:
            model = release.applied(model)
        return replace(model, source="")

    @cached_property
    def verdicts(self) -> Solvability:
        """The verdicts of ``check`` on the changed model, independent of how the proposal was found."""
        return check(self.released)

    def __str__(self) -> str:
        return "; ".join(str(release) for release in self.releases)

    def as_data(self) -> dict[str, Any]:
        """The result as data, for JSON."""
        return super().as_data() | {"verdicts": {group.name: str(group.verdict) for group in self.verdicts}}


@dataclass(frozen=True, eq=False)
class ReleaseAdvice(Result, Tabular):
    """Proposals, the cheapest first, and how far the search went."""

    SCHEMA = "reactio.advise/1"
    KEYS = (
        "model=model.name redundancy redundancy_everywhere=generic mobility poses exhaustive_up_to_joints=exhaustive "
        "sets_tried=tried partial notes"
    )

    model: Model
    redundancy: int  # in the given pose
    mobility: int
    generic: int  # in every pose that was examined
    poses: int
    proposals: tuple[Proposal, ...]
    exhaustive: int  # number of joints up to which all sets were tried
    tried: int
    options: tuple[Release, ...]
    notes: tuple[str, ...]
    partial: bool = False  # no set does all that was asked: the proposals are those that remove most

    @property
    def complete(self) -> tuple[Proposal, ...]:
        """The proposals that do all that was asked."""
        return () if self.partial else self.proposals

    @cached_property
    def groups(self) -> tuple[Interchangeable, ...]:
        """The proposals that differ only in the joints that they change, side by side; the cheapest first."""
        names = [joint.name for joint in self.model.joints]
        costs = [proposal.cost for proposal in self.proposals]
        return interchangeable([proposal.releases for proposal in self.proposals], costs, names)

    def __repr__(self) -> str:
        count = f"{len(self.proposals)}{' partial' * self.partial} proposals against {self.redundancy} redundancies"
        return f"<ReleaseAdvice on {self.model.name}: {count}>"

    def as_data(self, most: int | None = None) -> dict[str, Any]:
        """The result as data, for JSON, with so many proposals."""
        groups = [group for group in self.groups if most is None or group.first < most]
        return super().as_data() | {
            "found": len(self.proposals),
            "proposals": plain(self.proposals[:most]),
            "groups": plain(groups),
        }

    def table(self) -> ResultTable:
        """The proposals, the cheapest first."""
        heads = ("proposal", "releases", "cost", "margin", "freedoms", "redundancy_left")
        rows = [
            (f"{k}", str(option), option.cost, option.margin, option.freedoms, option.left)
            for k, option in enumerate(self.proposals, 1)
        ]
        return table_of(f"{self!r}"[1:-1], heads, rows, 1, ("cost", "margin"), " ".join(self.notes))


@dataclass(frozen=True, slots=True, eq=False)
class _ReleasedStresses:
    """One pose: self-stresses as wrenches of joints, and their part that each release removes."""

    p: int
    stress: Mapping[str, Floats]  # joint → Y_j N (6, p)
    G: Mapping[Release, Floats]  # release → V_jᵀ Y_j N (freedoms, p)


def releases(
    model: Model | System | Equations,
    *,
    until: float | None = None,
    make: Sequence[str] = (),
    keep: Sequence[str] = (),
    cost: Mapping[str, float] | None = None,
    using: Mapping[str, str] | None = None,
    remove: bool = False,
    state: State | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> ReleaseAdvice:
    """Joints to replace by others of the catalogue, so that no equation is redundant and no freedom is added.

    ``until`` [s]: the motion up to this time is examined too; ``make``: only these joints need to be unique; ``keep``:
    joints that stay as they are; ``cost`` of a change by name of joint (default 1) or of the new type (0), in place of
    the ``costs`` of the model; ``using``: the types that some joints get, {"B": "spherical"}; with ``remove`` joints
    may be removed altogether; ``on_progress`` is called with the number of sets tried so far.  Where no set does all
    that was asked, the proposals are those that remove most, and the advice is ``partial``.

    >>> import reactio
    >>> found = releases(reactio.load("four-bar-spatial"))
    >>> found.redundancy, len(found.proposals[0].releases), found.proposals[0].verdicts.redundancy
    (3, 1, 0)
    """
    if not isinstance(model, Model):
        system, state = system_and_state(model, state)
        model = system.model
    model = named_coordinates(model)  # a release may have more coordinates than the joint that it replaces
    prices = _checked(model, make, keep, {**model.costs, **(cost or {})})
    system = build(model)
    here = state_of(system) if state is None else state
    answer = check(system, here)
    around, notes = _poses(system, here, until)
    if not answer.redundancy:
        return ReleaseAdvice(
            model=model,
            redundancy=0,
            mobility=answer.mobility,
            generic=0,
            poses=len(around),
            proposals=(),
            exhaustive=0,
            tried=0,
            options=(),
            notes=("Nothing is redundant: every reaction is unique already.",),
        )
    options, poses = _options(around, candidates(model, keep, remove))
    options = _restricted(options, model, using or {})
    least = min(poses, key=lambda pose: pose.p)
    if least.p < answer.redundancy:
        notes += (
            f"{answer.redundancy - least.p} of {answer.redundancy} redundant equations are redundant in this pose "
            f"only; no release removes them without adding a freedom elsewhere.",
        )
    search = _Search(poses, least, options, tuple(make), on_progress)
    fitting, notes_along = _most_complete(search, set(using or {}), system, here, until)
    proposals = [_proposal(model, sets, margin, prices, least.p) for sets, margin in fitting]
    return ReleaseAdvice(
        model=model,
        redundancy=answer.redundancy,
        mobility=answer.mobility,
        generic=least.p,
        poses=len(poses),
        proposals=tuple(sorted(proposals, key=_order)),
        exhaustive=search.exhaustive,
        tried=search.tried,
        options=tuple(options),
        notes=notes + notes_along + search.words(len(proposals), remove),
        partial=bool(proposals) and search.left > 0,
    )


def _most_complete(
    search: _Search, given: set[str], system: System, pose: State, until: float | None
) -> tuple[list[tuple[tuple[Release, ...], float]], tuple[str, ...]]:
    """The sets of releases that leave least, all joints ``given`` among them, and notes on the motion in time."""
    fitting: list[tuple[tuple[Release, ...], float]] = []
    notes: tuple[str, ...] = ()
    while not fitting and search.left < search.asked:
        fitting = [(sets, margin) for sets, margin in search.run() if given <= {release.joint for release in sets}]
        if until is not None and fitting:
            fitting, notes = _regular_along(system, pose, until, fitting)
        if not fitting:
            search.lower()
    return fitting, notes


def _checked(model: Model, make: Sequence[str], keep: Sequence[str], cost: Mapping[str, float]) -> dict[str, float]:
    """The costs; unknown names, and costs that are not numbers, are refused."""
    joints = [joint.name for joint in model.joints]
    for name in (*make, *keep):
        if name not in joints:
            raise ReactioError(f"There is no joint '{name}'.{did_you_mean(name, joints)}")
    kinds = list(JOINTS_BY_SPACE[model.space])
    for name, value in cost.items():
        if name not in joints and name not in kinds:
            hint = did_you_mean(name, [*joints, *kinds])
            raise ReactioError(
                f"A cost is given for '{name}', which is neither a joint nor a type of the catalogue.{hint}"
            )
        if not value >= 0 or not np.isfinite(value):
            raise ReactioError(f"The cost of '{name}' is {value:g}; a cost is a finite number, 0 or more.")
    return dict(cost)


def _restricted(options: list[Release], model: Model, using: Mapping[str, str]) -> list[Release]:
    """The releases that agree with the given types of some joints."""
    for name, kind in using.items():
        _checked(model, (name,), (), {})
        known = dict.fromkeys(r.after for r in options if r.joint == name)
        if kind not in known:
            has = f"it can become: {', '.join(known)}" if known else "none of its releases keeps the mobility"
            raise ReactioError(
                f"'{name}' ({model.joint(name).type}) cannot be released to '{kind}': {has}."
                + did_you_mean(kind, JOINTS_BY_SPACE[model.space]) * (kind not in JOINTS_BY_SPACE[model.space])
            )
    return [r for r in options if using.get(r.joint, r.after) == r.after]


def _poses(system: System, pose: State, until: float | None) -> tuple[list[tuple[Model, Equations]], tuple[str, ...]]:
    """The given pose, poses nearby along admissible motions, and poses along the motion in time."""
    poses = [(model_at(system, pose), equations(system, pose))]
    notes: tuple[str, ...] = ()
    free, at = undriven(system, pose)
    undriven_here = equations(free, at)
    if free.m and undriven_here.solvability.redundancy == poses[0][1].solvability.redundancy:
        poses += [(model_at(free, eqs.state), eqs) for eqs in poses_nearby(undriven_here)]
    else:
        notes = ("Drives are part of the redundancy: other poses are examined along the motion only (--until).",)
    if until is not None:
        times = np.linspace(pose.t, until, RELEASE_INSTANTS)[1:]
        with expected_work(system.m, EVALUATIONS_OF_MOTION):
            poses += [(model_at(system, state), equations(system, state)) for state in states_at(system, times, pose)]
    return poses, notes


def _regular_along(
    system: System, pose: State, until: float, proposals: list[tuple[tuple[Release, ...], float]]
) -> tuple[list[tuple[tuple[Release, ...], float]], tuple[str, ...]]:
    """The sets of releases that pass no singular pose in the whole motion, and a note on the instants examined."""
    passages = singular_sets(system, pose, until, [sets for sets, _ in proposals])
    kept = [proposal for k, proposal in enumerate(proposals) if k not in passages.singular]
    until_words = f"The whole motion until t = {until:g} s was examined, at {passages.instants} instants"
    if not passages.singular:
        return kept, (f"{until_words}: it passes no singular pose with any of the proposals.",)
    first = min(passages.singular.values())
    count = len(passages.singular)
    return kept, (
        f"{until_words}: {count} of {len(proposals)} sets of releases were left out, because the mechanism would pass "
        f"a singular pose with them, the first at t = {first:.4g} s.",
    )


def _options(
    around: Sequence[tuple[Model, Equations]], tried: list[Release]
) -> tuple[list[Release], tuple[_ReleasedStresses, ...]]:
    """The different releases in every pose, and the poses with the self-stresses that they remove."""
    released = []  # wrenches, in each pose
    for model, _ in around:
        released.append(released_wrenches(model, tried))
        tried = list(released[-1])
        if len(released) == 2:  # two poses distinguish most releases; fewer remain to be examined in others
            tried = distinct(released, tried)
    tried = distinct(released, tried)
    poses = []
    for (_, eqs), V in zip(around, released, strict=True):
        stress = stress_wrenches(eqs)
        G = {r: V[r].T @ stress[r.joint] for r in tried}
        poses.append(_ReleasedStresses(eqs.solvability.redundancy, stress, G))
    without_freedom = [r for r in tried if all(_rank(pose.G[r]) == r.freedoms for pose in poses)]
    return without_freedom, tuple(poses)


def _smallest(G: Floats) -> float:
    """The smallest singular value of G (R, p); 0 where its rows are more than p, so that they are dependent."""
    return float(np.linalg.svd(G, compute_uv=False)[-1]) if G.shape[0] <= G.shape[1] else 0.0


def _rank(G: Floats) -> int:
    """The rank of G, whose rows are parts of unit wrenches in self-stresses."""
    return int((np.linalg.svd(G, compute_uv=False) > LEAST_SINGULAR_VALUE).sum())


def _proposal(
    model: Model, chosen: tuple[Release, ...], margin: float, prices: Mapping[str, float], p: int
) -> Proposal:
    """A set of releases with its cost and the redundancies that remain of p."""
    cost = sum(prices.get(r.joint, 1.0) + prices.get(r.after, 0.0) for r in chosen)
    return Proposal(model, chosen, cost, margin, p - sum(r.freedoms for r in chosen), _stiffness_lost(model, chosen))


def _order(proposal: Proposal) -> tuple[float, ...]:
    """Sorting: by cost, joints changed, freedoms added, stiffness lost; then by ease of manufacture, and margin.

    A joint that holds directions only is no bearing, and one whose axes differ on the two bodies from those
    of the old joint needs new bearing seats: both come after others.
    """
    unusual = (
        sum(not r.bears_force for r in proposal.releases),
        sum(r.turned[0] != r.turned[1] for r in proposal.releases),
    )
    return (
        proposal.cost,
        len(proposal.releases),
        proposal.freedoms,
        proposal.stiffness_lost or 0.0,
        *unusual,
        -round(proposal.margin, 6),
    )


def _stiffness_lost(model: Model, chosen: Sequence[Release]) -> float | None:
    """Σ k/k_max over released directions that have a stiffness, k_max the largest in the model of that kind."""
    labels = LABELS[model.space]
    known = {j.name: j.elastic.stiffness for j in model.joints if len(j.elastic.stiffness) == len(labels)}
    largest = {"F": 0.0, "M": 0.0}
    for stiffness in known.values():
        for label, k in zip(labels, stiffness, strict=True):
            largest[label[0]] = max(largest[label[0]], k if np.isfinite(k) else 0.0)
    lost = []
    for release in chosen:
        for label in release.lets_go if release.joint in known else ():
            k = known[release.joint][labels.index(label)]
            if largest[label[0]] and np.isfinite(k):
                lost.append(k / largest[label[0]])
    return float(sum(lost)) if lost else None


class _Search:
    """The search over sets of releases: all of one joint, then of two, and so on.

    Of the self-stresses in the wanted joints (all, where none are named) ``left`` may stay: 0 at first, and one more
    each time that no set is found, which makes the answer partial.
    """

    def __init__(
        self,
        poses: Sequence[_ReleasedStresses],
        least: _ReleasedStresses,
        options: Sequence[Release],
        make: tuple[str, ...],
        on_progress: Callable[[int], None] | None,
    ) -> None:
        self.poses, self.least, self.on_progress = poses, least, on_progress
        self.wanted = np.vstack([least.stress[name] for name in make]) if make else None
        self.asked = least.p if self.wanted is None else _rank(self.wanted)
        self.left = 0
        self.by_joint: dict[str, list[Release]] = {}
        for release in options:
            self.by_joint.setdefault(release.joint, []).append(release)
        self.tried = 0
        self.exhaustive = 0
        self.found: list[tuple[tuple[Release, ...], float]] = []

    def lower(self) -> None:
        """Allow one self-stress more to stay, or more where the joints have too few releases anyway."""
        reach = sum(max(r.freedoms for r in options) for options in self.by_joint.values())
        self.left = max(self.left + 1, self.asked - reach)

    def run(self) -> list[tuple[tuple[Release, ...], float]]:
        """Every set that leaves no more than allowed in the wanted joints, up to a number of joints or of sets."""
        self.found, self.exhaustive = [], 0
        for count in range(1, min(len(self.by_joint), self.least.p) + 1):
            for joints in self._choices(count):
                if self.tried > MOST_RELEASE_SETS:
                    break
                for chosen, G in self._grow(joints, (), np.zeros((0, self.least.p))):
                    self._keep(chosen, G)
                if self.on_progress is not None:
                    self.on_progress(self.tried)
            if self.tried > MOST_RELEASE_SETS:
                if not self.found:
                    self._greedy()
                break
            self.exhaustive = count
            if len(self.found) > ENOUGH_PROPOSALS:
                break
        return self.found

    @property
    def _freedoms(self) -> int | None:
        """The freedoms of all releases of a set together; None where only some joints are wanted: any number."""
        return self.least.p - self.left if self.wanted is None else None

    def _choices(self, count: int) -> Iterator[tuple[str, ...]]:
        """Sets of joints whose releases together can remove as much redundancy as is asked."""
        most = {name: max(r.freedoms for r in options) for name, options in self.by_joint.items()}
        for joints in combinations(self.by_joint, count):
            if sum(most[name] for name in joints) >= (self._freedoms or 0):
                yield joints

    def _grow(
        self, joints: Sequence[str], chosen: tuple[Release, ...], G: Floats
    ) -> Iterator[tuple[tuple[Release, ...], Floats]]:
        """Releases of each of these joints that together add no freedom."""
        if not joints:
            yield chosen, G
            return
        most = self._freedoms or self.least.p
        reach = sum(max(r.freedoms for r in self.by_joint[name]) for name in joints[1:])
        for release in self.by_joint[joints[0]]:
            rows = len(G) + release.freedoms
            if rows + len(joints) - 1 > most or rows + reach < (self._freedoms or 0):
                continue
            self.tried += 1
            more = np.vstack([G, self.least.G[release]])
            if _smallest(more) > LEAST_SINGULAR_VALUE:
                yield from self._grow(joints[1:], (*chosen, release), more)

    def _keep(self, chosen: tuple[Release, ...], G: Floats) -> None:
        """Keep a set that succeeds in every pose, unless a smaller one does."""
        if self._remaining(G) > self.left or self._dominated(chosen):
            return
        margin = self._margin(chosen)
        if margin > LEAST_SINGULAR_VALUE:
            self.found.append((chosen, margin))

    def _margin(self, chosen: Sequence[Release]) -> float:
        """The smallest singular value of G over all poses."""
        return min(_smallest(np.vstack([pose.G[r] for r in chosen])) for pose in self.poses)

    def _remaining(self, G: Floats) -> int:
        """Self-stresses that stay in the wanted joints after releases with the rows G (R, p) of rank R."""
        if self.wanted is None:
            return self.least.p - len(G)
        rest = np.linalg.svd(G, full_matrices=True)[2][len(G) :].T
        return _rank(self.wanted @ rest) if rest.size else 0

    def _dominated(self, chosen: tuple[Release, ...]) -> bool:
        """Does a set found earlier achieve the same with some of these joints and no more freedoms?"""
        if self.wanted is None:
            return False
        names, size = {r.joint for r in chosen}, sum(r.freedoms for r in chosen)
        return any({r.joint for r in kept} <= names and sum(r.freedoms for r in kept) < size for kept, _ in self.found)

    def _greedy(self) -> None:
        """One set, where there are too many: step by step the release that removes most redundancy with most margin.

        Where it ends before all is removed, what remains is allowed: a partial answer.
        """
        chosen: tuple[Release, ...] = ()
        G = np.zeros((0, self.least.p))
        while not len(G) or self._remaining(G) > self.left:
            taken = {r.joint for r in chosen}
            trials = [
                (r.freedoms, self._margin((*chosen, r)), r)
                for name, options in self.by_joint.items()
                for r in options
                if name not in taken and len(G) + r.freedoms <= self.least.p
            ]
            fitting = [trial for trial in trials if trial[1] > LEAST_SINGULAR_VALUE]
            if not fitting:
                break
            release = max(fitting, key=lambda trial: (trial[0], trial[1]))[2]
            chosen, G = (*chosen, release), np.vstack([G, self.least.G[release]])
        if chosen and self._remaining(G) < self.asked:
            self.left = max(self.left, self._remaining(G))
            self._keep(chosen, G)

    def words(self, count: int, remove: bool) -> tuple[str, ...]:
        """Notes on how far the search went, for so many proposals."""
        notes: tuple[str, ...] = ()
        if not count or self.left:
            remainder = (
                f"the proposals leave {self.left} of {self.asked}" if count else "none removes a part of it either"
            )
            ways = ("" if remove else "allow joints to be left out (--remove), ") + "name fewer joints to keep"
            notes = (
                "No set of releases of the catalogue removes all redundancy without a new freedom; "
                f"{remainder}. {ways[0].upper()}{ways[1:]}, or change the mechanism.",
            )
        joints = f"{self.exhaustive} joint{'s' * (self.exhaustive != 1)}"
        if self.tried > MOST_RELEASE_SETS:
            return (
                *notes,
                f"{self.tried:,} sets were tried, all with up to {joints} changed; larger ones only in part: there may "
                "be cheaper or more proposals.",
            )
        if not count:
            return notes
        more = "" if len(self.found) <= ENOUGH_PROPOSALS else ", and there are more with more joints changed"
        return (*notes, f"Every set with up to {joints} changed was tried{more}.")
