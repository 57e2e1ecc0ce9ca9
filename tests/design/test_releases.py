"""Releases: every set that is proposed holds, and none that holds is missed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats
from reactio.design.along_motion import Passages, singular_sets
from reactio.design.catalogue import Release
from reactio.design.interchangeable import interchangeable
from reactio.errors import ReactioError
from reactio.kinematics.body_state import model_at
from reactio.kinematics.cycle import cycle
from reactio.model.specs import Elastic
from reactio.simulation.state_at import states_at
from reactio.system.types import State, System

CHECKED = 20  # one set of releases in so many is a model of its own, judged by ``check``; benchmarks/releases.py: all


def rows_by_name(model: reactio.Model) -> dict[str, Floats]:
    """The rows of C that belong to each joint and drive."""
    eqs = reactio.equations(system := reactio.build(model), reactio.assemble(system))
    return {group.name: eqs.C.toarray()[group.start : group.stop] for group in system.groups}


def brute_force(model: reactio.Model, options: tuple[Release, ...], count: int) -> set[frozenset[Release]]:
    """Sets of releases of that many joints that leave neither redundancy nor new freedoms: rows of C of full rank.

    A row belongs to one joint: those of each release are found once, and joined.
    """
    before, rows = reactio.check(model), rows_by_name(model)
    released = {release: rows_by_name(release.applied(model))[release.joint] for release in options}
    by_joint = {name: [r for r in options if r.joint == name] for name in dict.fromkeys(r.joint for r in options)}
    sets = [
        chosen
        for joints in combinations(by_joint, count)
        for chosen in product(*(by_joint[name] for name in joints))
        if sum(r.freedoms for r in chosen) == before.redundancy  # m − p rows of full rank are left only so
    ]
    found = set()
    for number, chosen in enumerate(sets):
        joined = np.vstack([*(rows | {r.joint: released[r] for r in chosen}).values()])
        rank = np.linalg.matrix_rank(joined, tol=1e-9)  # entries of order one, and their rounding
        if rank == len(joined):
            found.add(frozenset(chosen))
        if number % CHECKED == 0:
            other = model
            for release in chosen:
                other = release.applied(other)
            answer = reactio.check(other)
            assert (answer.redundancy, answer.mobility) == (len(joined) - rank, joined.shape[1] - rank)
    return found


def test_a_spatial_four_bar_has_the_textbook_answer_and_its_kin_among_the_first() -> None:
    model = reactio.load("four-bar-spatial")
    advice = reactio.releases(model)
    assert (advice.redundancy, advice.mobility) == (3, 1)
    first = [p for p in advice.proposals if len(p.releases) <= 2]
    kinds = [tuple(sorted(r.after for r in p.releases)) for p in first]
    assert kinds[:4] == [("point-on-line",)] * 4
    assert kinds[4] == ("cylindrical", "spherical")
    assert kinds.count(("cylindrical", "spherical")) == 12  # ordered pairs of four joints
    two = tuple(r for r in advice.options if r.joint in "AC")  # all joints: benchmarks/releases.py
    for count in (1, 2):
        proposed = {frozenset(p.releases) for p in first if len(p.releases) == count and set(p.releases) <= set(two)}
        assert proposed == brute_force(model, two, count)


@pytest.mark.parametrize("name", ["rail-four-carriages", "spatial-parallelogram"])
def test_every_minimal_set_is_found_and_checked(name: str) -> None:
    model = reactio.load(name)
    advice = reactio.releases(model)
    fewest = len(advice.proposals[0].releases)
    minimal = [p for p in advice.proposals if len(p.releases) == fewest]
    assert {frozenset(p.releases) for p in minimal} == brute_force(model, advice.options, fewest)
    for proposal in minimal[:4]:
        assert (proposal.verdicts.redundancy, proposal.verdicts.mobility) == (0, advice.mobility)


def test_proposals_hold_all_around_the_motion() -> None:
    model = reactio.load("four-bar-spatial")
    system = reactio.build(model)
    poses = list(cycle(system, 12))
    proposal = reactio.releases(model).proposals[4]
    for state in poses[::3]:
        other = model_at(system, state)
        for release in proposal.releases:
            other = release.applied(other)
        answer = reactio.check(other)
        assert (answer.redundancy, answer.mobility) == (0, 1)


def test_one_joint_is_made_unique_and_another_is_kept() -> None:
    advice = reactio.releases(reactio.load("four-bar-spatial"), make=["B"], keep=["A"])
    assert advice.complete
    for proposal in advice.complete[:5]:
        assert "A" not in {r.joint for r in proposal.releases}
        assert str(proposal.verdicts["B"].verdict) == "unique"
        assert proposal.verdicts.mobility == advice.mobility


@pytest.mark.parametrize(
    ("name", "keep", "make", "left"),
    [
        ("rail-four-carriages", ["carriage1"], [], 3),  # three carriages with one row each, beside one with five
        ("door", ["hinge1", "hinge2"], [], 6),  # one hinge keeps one of five rows
        ("door", ["hinge1"], ["hinge2", "hinge3"], 2),  # both keep one row, which hinge1 holds too
    ],
)
def test_where_none_is_complete_the_sets_that_remove_most_are_proposed(
    name: str, keep: list[str], make: list[str], left: int
) -> None:
    advice = reactio.releases(reactio.load(name), keep=keep, make=make)
    assert advice.partial
    assert advice.complete == ()
    assert any(f"leave {left} of" in note for note in advice.notes)
    for proposal in advice.proposals[:3]:
        assert (proposal.verdicts.redundancy, proposal.verdicts.mobility) == (proposal.left, advice.mobility)
        assert make or proposal.left == left
        assert not set(keep) & {r.joint for r in proposal.releases}


def test_a_partial_answer_is_found_by_greedy_steps_where_sets_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reactio.design.releases.MOST_RELEASE_SETS", -1)
    advice = reactio.releases(reactio.load("rail-four-carriages"), keep=["carriage1"])
    assert [p.left for p in advice.proposals] == [3]
    assert advice.proposals[0].verdicts.redundancy == 3
    assert "only in part" in advice.notes[-1]


def test_sets_that_differ_in_their_joints_only_are_one_group() -> None:
    """Each of four hinges may become a point on a line; twelve ordered pairs of them cylindrical and spherical."""
    advice = reactio.releases(reactio.load("four-bar-spatial"))
    first, second = advice.groups[:2]
    assert (first.words, second.words) == ("any one of A, B, C, D", "any 2 of A, B, C, D, in any order")
    assert len(second.members) == 12
    assert sorted(k for group in advice.groups for k in group.members) == list(range(len(advice.proposals)))
    assert advice.proposals[4].releases[0].shop == "floating bearing"


def test_choices_that_are_missing_or_cost_more_are_not_promised() -> None:
    pairs = [tuple(Release(name, "revolute", "spherical", 2) for name in names) for names in ("AB", "BC", "AC")]
    assert interchangeable(pairs[:2], [2.0] * 2, "ABC")[0].words.startswith("and 1 more of the same kind")
    assert interchangeable(pairs, [2.0] * 3, "ABC")[0].words == "any 2 of A, B, C, in any order"
    assert [group.members for group in interchangeable(pairs, [2.0, 6.0, 2.0], "ABC")] == [(0, 2), (1,)]


def test_costs_decide_what_comes_first() -> None:
    model = reactio.load("four-bar-spatial")
    advice = reactio.releases(model, cost={"point-on-line": 10, "A": 5, "B": 5})
    first = advice.proposals[0]
    assert {r.joint for r in first.releases} == {"C", "D"}
    assert first.cost == 2
    assert np.all(np.diff([p.cost for p in advice.proposals]) >= 0)


def test_a_table_loses_a_leg_only_when_asked() -> None:
    model = reactio.load("table")
    none = reactio.releases(model)
    assert none.proposals == ()
    assert "--remove" in none.notes[-1]
    assert [str(p) for p in reactio.releases(model, remove=True).proposals] == [
        f"leg{k}: point-on-plane → removed (releases Fz)" for k in (1, 2, 3, 4)
    ]


def test_a_sarrus_linkage_is_freed_without_losing_its_straight_line() -> None:
    model = reactio.load("sarrus")
    advice = reactio.releases(model)
    for proposal in advice.proposals[:3]:
        assert (proposal.verdicts.redundancy, proposal.verdicts.mobility) == (0, advice.mobility)


def test_a_release_that_the_catalogue_does_not_have_is_refused() -> None:
    model = reactio.load("four-bar-spatial")
    with pytest.raises(
        ReactioError, match=r"'B' \(revolute\) cannot be released to 'fixed': it can become: .*spherical"
    ):
        reactio.releases(model, using={"B": "fixed"})
    with pytest.raises(ReactioError, match="Did you mean 'spherical'"):
        reactio.releases(model, using={"B": "sperical"})
    with pytest.raises(ReactioError, match="There is no joint 'Q'"):
        reactio.releases(model, make=["Q"])
    with pytest.raises(ReactioError, match="cost of 'A' is -1"):
        reactio.releases(model, cost={"A": -1})


def test_costs_of_the_model_count_and_those_given_before_them() -> None:
    model = replace(reactio.load("four-bar-spatial"), costs={"point-on-line": 10.0, "A": 5.0, "B": 5.0})
    first = reactio.releases(model).proposals[0]
    assert ({r.joint for r in first.releases}, first.cost) == ({"C", "D"}, 2)
    assert reactio.releases(model, cost={"point-on-line": 0.0}).proposals[0].cost == 1
    with pytest.raises(ReactioError, match="'sperical', which is neither a joint"):
        reactio.releases(replace(model, costs={"sperical": 1.0}))


def test_of_equal_releases_the_one_that_loses_less_stiffness_comes_first() -> None:
    model = reactio.load("four-bar-spatial")
    firm = {joint.name: 1e3 if joint.name == "C" else 1e4 for joint in model.joints}
    joints = [
        replace(j, elastic=Elastic((1e3 * firm[j.name],) * 3 + (firm[j.name],) * 2 + (0.0,))) for j in model.joints
    ]
    first, second, *_ = reactio.releases(replace(model, joints=tuple(joints))).proposals
    assert [release.joint for release in first.releases] == ["C"]
    assert first.stiffness_lost == pytest.approx(0.3)  # three directions with a tenth of the stiffest
    assert second.stiffness_lost == pytest.approx(3.0)


def test_releases_that_fail_along_the_motion_are_not_proposed() -> None:
    """Along the motion as here: every proposal of `until` is one of those for the start, and holds at its end."""
    model = reactio.load("four-bar-spatial")
    here, along = reactio.releases(model), reactio.releases(model, until=0.1)
    assert along.poses > here.poses
    assert {frozenset(p.releases) for p in along.proposals} <= {frozenset(p.releases) for p in here.proposals}
    proposal = along.proposals[4]
    answer = reactio.check(proposal.released, t=0.1)
    assert (answer.redundancy, answer.mobility) == (0, 1)


def test_bearings_come_before_joints_that_hold_directions_only() -> None:
    """Of proposals that cost the same, those that a workshop can build from bearings stand first."""
    found = reactio.releases(reactio.load("door")).proposals
    cheapest = [one for one in found if one.cost == found[0].cost]
    bears = [all(r.bears_force for r in one.releases) for one in cheapest]
    assert set(bears) == {True, False}
    assert bears == sorted(bears, reverse=True)


def test_no_part_is_left_out_unless_asked() -> None:
    """Every hinge of a door on three can be left out; only --remove speaks of it."""
    advice = reactio.releases(reactio.load("door"))
    assert "left out" not in " ".join(advice.notes)
    assert all(r.after != "removed" for proposal in advice.proposals for r in proposal.releases)


def test_a_driven_joint_may_get_more_coordinates() -> None:
    """A hinge whose one coordinate is driven by the name of the joint becomes cylindrical: its rotation is meant."""
    found = reactio.releases(
        reactio.parse_model(
            "{space: spatial, bodies: {bar: {mass: 2, inertia: [0.02, 0.03, 0.04]}}, joints: {"
            "A: {type: revolute, bodies: [ground, bar], at: [0, 0, 0], axis: x}, "
            "B: {type: revolute, bodies: [ground, bar], at: [0.5, 0, 0], axis: x}}, "
            "drives: {d: {joint: A, function: 0.1*t}}, stops: {s: {along: A, lower: -1, action: stop}}, "
            "forces: {spring: {type: torsional-spring-damper, joint: A, stiffness: 3}}}"
        )
    )
    chosen = next(one for one in found.proposals if one.releases[0].after == "cylindrical")
    assert chosen.verdicts.redundancy == 0
    made = chosen.released
    assert str(made.drives[0].along) == str(made.forces[0].parameters["joint"]) == "A.rotation"
    assert str(made.stops[0].along) == "A.rotation"


CRANK_ROCKER = """
space: spatial
parameters: {a: 0.6}
bodies:
  crank: {mass: 1, inertia: [0.1, 0.3, 0.3], position: [0.5*cos(a), 0.5*sin(a), 0]}
  rod: {mass: 1, inertia: [0.1, 0.3, 0.3], position: [1.9726737557538443, 1.5308801204385838, 0]}
  rocker: {mass: 1, inertia: [0.1, 0.3, 0.3], position: [3.060005948299005, 1.2485588837410662, 0]}
joints:
  A: {type: revolute, bodies: [ground, crank], at: [0, 0, 0], axis: z}
  B: {type: revolute, bodies: [crank, rod], at: [cos(a), sin(a), 0], axis: z}
  C: {type: revolute, bodies: [rod, rocker], at: [3.1200118965980104, 2.4971177674821323, 0], axis: z}
  D: {type: revolute, bodies: [ground, rocker], at: [3, 0, 0], axis: z}
drives: {motor: {joint: A, function: 2*pi*t}}
"""


def test_proposals_are_regular_along_the_whole_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sign of det C of some released mechanisms, at 41 instants that the search does not know."""
    model = reactio.parse_model(CRANK_ROCKER)
    judged: list[tuple[Sequence[tuple[Release, ...]], Passages]] = []

    def recorded(system: System, here: State, until: float, sets: Sequence[tuple[Release, ...]]) -> Passages:
        judged.append((sets, singular_sets(system, here, until, sets)))
        return judged[-1][1]

    monkeypatch.setattr("reactio.design.releases.singular_sets", recorded)
    along = reactio.releases(model, keep=("A", "D"), until=1.0)
    (sets, passages) = judged[0]
    assert 0 < len(along.proposals) == len(sets) - len(passages.singular) < len(sets)
    assert any("whole motion until t = 1 s" in note and "singular pose" in note for note in along.notes)
    states = list(states_at(reactio.build(along.model), np.linspace(0.0, 1.0, 41)))
    kept = [chosen for k, chosen in enumerate(sets) if k not in passages.singular]
    left_out = [chosen for k, chosen in enumerate(sets) if k in passages.singular]
    assert not any(_changes_sign(along.model, chosen, states) for chosen in kept[:: len(kept) // 5])
    seen = [_changes_sign(along.model, chosen, states) for chosen in left_out[:: len(left_out) // 5]]
    assert sum(seen) > 0.5 * len(seen)  # 41 instants do not show zeros of det C that lie near each other


def _changes_sign(model: reactio.Model, chosen: tuple[Release, ...], states: list[State]) -> bool:
    for release in chosen:
        model = release.applied(model)
    system = reactio.build(model)
    signs = [np.linalg.slogdet(reactio.equations(system, one).C.toarray())[0] for one in states]
    return bool(min(signs) < 0 < max(signs))
