"""Every mechanism of the library has the sizes, ranks and verdicts its source prints."""

from __future__ import annotations

import numpy as np
import pytest

import reactio
from reactio import library

# name, parameters, m, n, rank, source of the numbers
SIZES = [
    ("mobile-robot", {}, 22, 21, 20, "Wojtyra & Fraczek 2013, Eq. 35"),
    ("shaft-three-bearings", {}, 7, 6, 5, "one span too many, in two planes"),
    ("rail-four-carriages", {}, 20, 6, 5, "four carriages that hold all but one freedom"),
    ("spatial-parallelogram", {}, 36, 42, 35, "Wojtyra & Fraczek 2012, Eq. 8"),
    ("sharma-ghosal", {}, 12, 12, 11, "Sharma & Ghosal, Table 1"),
    ("bennett", {}, 20, 18, 17, "Sharma & Ghosal, Sect. 4.4; 4 hinges x 5 rows, one freedom"),
    ("pendulum-twice", {}, 2, 2, 1, "Masarati 2023, Eq. 30"),
    ("pendulum-two-rods", {}, 2, 2, 1, "the same rod twice, once squared"),
    ("double-four-bar", {}, 14, 15, 14, "Masarati 2023, Sect. 3.2"),
    ("double-four-bar", {"theta": 0}, 14, 15, 12, "Masarati 2023, Sect. 3.2, singular"),
    ("modified-double-four-bar", {}, 12, 12, 11, "Masarati 2023, Sect. 3.3"),
    ("modified-double-four-bar", {"theta": 0}, 12, 12, 10, "Masarati 2023, Sect. 3.3, singular"),
    ("modified-triple-four-bar", {}, 16, 15, 14, "Masarati 2023, Sect. 3.4"),
    ("modified-triple-four-bar", {"theta": 0}, 16, 15, 13, "Masarati 2023, Sect. 3.4, singular"),
    ("two-by-two-four-bar", {}, 24, 24, 22, "Masarati 2023, Sect. 3.5"),
    ("two-by-two-four-bar", {"theta1": 0}, 24, 24, 21, "Masarati 2023, Sect. 3.5, singular"),
    ("four-bar-planar", {}, 8, 9, 8, "Gruebler: 3*3 - 2*4 = 1"),
    ("four-bar-spatial", {}, 20, 18, 17, "planar motion with spatial hinges: 3 redundancies"),
    ("door", {"hinges": 3}, 15, 6, 5, "one hinge line: 5 (n - 1) redundancies"),
    ("door", {"hinges": 7}, 35, 6, 5, "one hinge line: 5 (n - 1) redundancies"),
    ("planetary", {}, 18, 15, 15, "held: n - 1 planets too many"),
    ("planetary", {"planets": 3, "floating": 1}, 12, 12, 12, "three forces hold a floating sun"),
    ("table", {}, 4, 6, 3, "four parallel forces span three dimensions"),
    ("five-leg-parallelogram", {}, 20, 18, 17, "one freedom: rank 18 - 1"),
    ("sarrus", {}, 30, 30, 29, "one freedom: rank 30 - 1"),
    ("bricard", {}, 30, 30, 29, "IFToMM A04: one freedom, one redundancy"),
    ("andrews", {}, 20, 21, 20, "Hairer & Wanner 1996: one freedom, not redundant"),
    ("slider-crank", {}, 9, 9, 9, "driven: no freedom left"),
    ("n-four-bar", {"N": 5}, 32, 33, 32, "planar chain: full row rank"),
    ("n-four-bar", {"N": 5, "spatial": 1}, 80, 66, 65, "p = 3 N"),
    ("box-on-plane", {}, 4, 6, 3, "four parallel forces, three equations of balance"),
    ("chain", {}, 42, 33, 32, "two pinned ends stand on each place between links: one too many for each pin"),
    ("gripper", {}, 24, 24, 24, "three tips of three rows each, three guides of five: nothing moves"),
    ("gripper", {"fingers": 4}, 32, 30, 30, "four tips: two rows more than velocities"),
    ("bolt-group", {}, 8, 3, 3, "four pins hold a plate twice each; three velocities"),
    ("sling-lift", {}, 3, 6, 3, "three taut lines through the hook, which span space; the long one hangs slack"),
    ("stool", {"legs": 3}, 3, 6, 3, "three legs are determined"),
    ("stool", {"legs": 5}, 5, 6, 3, "five parallel forces, three equations of balance"),
    ("scissor-lattice", {"rows": 4, "columns": 4}, 113, 96, 95, "2 k^2 - 4 k + 2 redundancies, one freedom"),
]


@pytest.mark.parametrize(("name", "parameters", "m", "n", "rank", "source"), SIZES)
def test_sizes_and_rank(name: str, parameters: dict[str, float], m: int, n: int, rank: int, source: str) -> None:
    system = reactio.build(reactio.load(name, **parameters))
    eqs = reactio.equations(system)
    assert (system.m, system.n) == (m, n), source
    # An independent decision: NumPy's SVD; entries are of order one, so rounding stays below 1e-12.
    assert np.linalg.matrix_rank(eqs.C.toarray(), tol=1e-9) == rank, source
    assert reactio.check(system, reactio.assemble(system)).rank == rank, source


def test_every_mechanism_is_listed_here() -> None:
    assert {row[0] for row in SIZES} == set(library.names())


@pytest.mark.parametrize("name", library.names())
def test_poses_close_and_text_is_there(name: str) -> None:
    entry, model = library.entry(name), library.load(name)
    assert entry.title
    assert entry.cite
    assert model.name == name
    eqs = reactio.equations(reactio.build(model))
    # Poses are computed from the same dimensions as the joints: they close to rounding.
    assert np.abs(eqs.Phi).max() < 1e-14


def test_parts_of_the_mobile_robot() -> None:
    """rank(Phi_q) = 17 and rank(Psi) = 4 (Wojtyra & Fraczek 2013, Eq. 35); rows in the order of Eq. 37."""
    system = reactio.build(reactio.load("mobile-robot"))
    C = reactio.equations(system).C.toarray()
    assert np.linalg.matrix_rank(C[:17], tol=1e-9) == 17
    assert np.linalg.matrix_rank(C[17:], tol=1e-9) == 4
    names = [group.name for group in system.groups]
    assert names == ["A", "B", "C", "D", "E", "F", "G", "H", "steering", "W1", "W2", "W3", "W4", "W5"]
    assert (system.group("C").start, system.group("W4").start) == (4, 20)  # rows 6 and 21 of the paper, from 1


VERDICTS: list[tuple[str, dict[str, float], set[str], str]] = [
    ("mobile-robot", {}, {"B", "C", "W1", "W2", "W3", "W4"}, "Wojtyra & Fraczek 2013, Eq. 38"),
    ("spatial-parallelogram", {}, set("ABCDEFGH"), "Wojtyra & Fraczek 2012, Sect. 2.2"),
    ("sharma-ghosal", {}, {"P1", "P2", "P3"}, "Sharma & Ghosal, Table 1"),
    ("bennett", {}, set("ABCD"), "paper-notes: no joint solvable"),
    ("four-bar-planar", {}, set(), "full rank"),
]


@pytest.mark.parametrize(("name", "parameters", "open_joints", "source"), VERDICTS)
def test_published_verdicts(name: str, parameters: dict[str, float], open_joints: set[str], source: str) -> None:
    answer = reactio.check(reactio.load(name, **parameters))
    assert {g.name for g in answer.groups if g.verdict != "unique"} == open_joints, source
    assert answer.confident


def test_norms_of_B_X_of_the_mobile_robot() -> None:
    """Frobenius norms that agree with Eq. 38 of Wojtyra & Fraczek 2013, printed to three digits."""
    answer = reactio.check(reactio.load("mobile-robot"))
    printed = {"B": 0.5831, "C": 0.5831, "W1": 0.4082, "W2": 0.4082, "W3": 0.8165, "W4": 0.8165}
    for group in answer.groups:
        assert np.linalg.norm(answer.B(group.name)) == pytest.approx(printed.get(group.name, 0.0), abs=5e-5)


def test_table_1_of_sharma_and_ghosal() -> None:
    """r_i, r_-i and their sum for every joint, absolute coordinates."""
    answer = reactio.check(reactio.load("sharma-ghosal"))
    prismatic, revolute = dict.fromkeys(("P1", "P2", "P3"), (2, 10)), dict.fromkeys(("R1", "R2", "R3"), (2, 9))
    for name, (r_i, r_rest) in (prismatic | revolute).items():
        group = answer[name]
        assert (group.rank, group.rank_outside) == (r_i, r_rest)
        assert (group.rank + group.rank_outside == answer.rank) == (group.verdict == "unique")


@pytest.mark.parametrize(
    ("name", "determined"), [("bennett", 2), ("bricard", 4), ("four-bar-spatial", 2), ("sarrus", 4)]
)
def test_determined_components_of_five(name: str, determined: int) -> None:
    answer = reactio.check(reactio.load(name))
    assert {(g.determined, g.size) for g in answer.groups} == {(determined, 5)}


def test_components_of_the_spatial_four_bar() -> None:
    """The force in the plane is unique; the force along the hinges and the two bending moments are not."""
    answer = reactio.check(reactio.load("four-bar-spatial"))
    for group in answer.groups:
        flags = {c.name: c.unique for c in group.components}
        assert flags == {"Fx": True, "Fy": True, "Fz": False, "Mx": False, "My": False}
