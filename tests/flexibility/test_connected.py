"""Structures that fall into pieces, or have a hinge inside, are refused: they would bend without any stiffness."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import reactio
from reactio.arrays import Floats, Ints
from reactio.errors import ReactioError
from reactio.flexibility.certificate import flexible
from reactio.model.structure import structure
from reactio.structures import Flexibility, Interface
from reactio.structures.condense import condense
from reactio.structures.material import Material
from reactio.structures.solids import assemble_solids, brick

STEEL = Material(E=2.1e11, nu=0.3, density=7800.0)


def _block(start: float, end: float) -> tuple[Floats, Ints]:
    corners = [[x, y, z] for z in (0.0, 0.1) for x, y in ((start, 0.0), (end, 0.0), (end, 0.1), (start, 0.1))]
    return brick(np.array(corners), (3, 1, 1))


def _two_blocks(merged: Callable[[Floats], bool], gap: float = 0.0) -> tuple[Floats, Ints]:
    """Two bars along x, one behind the other; nodes of the second that lie on the first are merged where asked."""
    (low, first), (high, second) = _block(0.0, 1.0), _block(1.0 + gap, 2.0 + gap)
    place = []
    for k, point in enumerate(high):
        same = np.flatnonzero(np.abs(low - point).max(axis=1) < 1e-9)
        place.append(int(same[0]) if len(same) and merged(point) else len(low) + k)
    used, second = np.unique(place), np.array(place)[second]
    keep = np.concatenate([np.arange(len(low)), used[used >= len(low)]])
    number = {int(n): k for k, n in enumerate(keep)}
    return np.vstack([low, high])[keep], np.vectorize(number.__getitem__)(np.vstack([first, second]))


def _held(nodes: Floats, table: Ints, *faces: float) -> Flexibility:
    ends = [np.flatnonzero(np.abs(nodes[:, 0] - x) < 1e-9) for x in faces]
    holds = [Interface(f"x = {x:g}", nodes[own].mean(axis=0), own) for x, own in zip(faces, ends, strict=True)]
    return condense(assemble_solids(nodes, [("hex27", table, STEEL)]), holds, "bar")


def test_pieces_that_touch_are_told_to_be_merged() -> None:
    with pytest.raises(ReactioError, match=r"2 pieces that nothing connects.*9 nodes lie where another piece has one"):
        _held(*_two_blocks(lambda _: False), 0.0, 2.0)


def test_pieces_apart_are_told_their_distance() -> None:
    with pytest.raises(ReactioError, match=r"2 pieces .* The next nodes are 0\.5 m apart"):
        _held(*_two_blocks(lambda _: False, 0.5), 0.0, 2.5)


@pytest.mark.parametrize("merged", [lambda p: p[2] == 0, lambda p: p[2] == 0 and p[1] == 0], ids=["edge", "corner"])
def test_elements_that_share_an_edge_or_a_corner_are_a_hinge(merged: Callable[[Floats], bool]) -> None:
    with pytest.raises(ReactioError, match="more than six motions without stiffness"):
        _held(*_two_blocks(merged), 0.0, 2.0)
    with pytest.raises(ReactioError, match="without meeting any stiffness while all interfaces are held"):
        _held(*_two_blocks(merged), 0.0, 1 / 3)


def test_what_is_merged_is_one_piece() -> None:
    stiffness = _held(*_two_blocks(lambda _: True), 0.0, 2.0).K
    assert stiffness is not None
    # Of twelve, six are rigid motions; what condensation leaves of their stiffness is rounding, 1e-14 of the largest.
    assert np.linalg.matrix_rank(stiffness, rtol=1e-10) == 6


FEET = "".join(
    f"  leg{k}: {{type: point-on-plane, bodies: [ground, top], at: [{x}, {y}, 0], axis: z, stiffness: {s}}}\n"
    for k, (x, y, s) in enumerate([(0, 0, 1e6), (1, 0, 2e6), (1, 0.6, 5e5), (0, 0.6, 3e6)])
)
TOP = (
    "space: spatial\ngravity: [0, 0, -9.81]\nmaterials: {{steel: {{E: 2.1e11, nu: 0.3, density: 7800}}}}\n"
    "bodies: {{top: {{flexible: {{material: steel, plate: {{outline: [[0, 0], [1, 0], [1, 0.6], [0, 0.6]], "
    "thickness: 0.01{more}}}}}}}}}\n"
)


def test_a_plate_needs_no_insert() -> None:
    """Without `insert` joints hold the nodes next to them; a smaller insert makes the plate softer, not much so."""
    shares = [
        flexible(reactio.parse_model(TOP.format(more=more) + "joints:\n" + FEET))["top"].share
        for more in ("", ", insert: 0.03", ", insert: 0.06")
    ]
    assert shares[1] > shares[0] > shares[2]
    assert shares[1] - shares[2] < 0.02


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (", insert: 0", "not positive"),
        (", insert: 0.001", r"need 501 divisions of a side; up to 60 .* a radius of 0\.00833 m"),
        (", insert: 0.001, divisions: 12", "holds 3 nodes in a line"),
    ],
)
def test_inserts_that_cannot_be(more: str, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        flexible(reactio.parse_model(TOP.format(more=more) + "joints:\n" + FEET))


def test_a_body_that_nothing_holds_has_no_self_stress() -> None:
    with pytest.raises(ReactioError, match="has no constraints"):
        flexible(reactio.parse_model(TOP.format(more="")))


def test_six_stiffnesses_in_a_line_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "line.csv").write_text("8e6, 8e6, 5e6, 2000, 2000, 0\n")
    text = (
        "space: spatial\nbodies: {{door: {{mass: 25, inertia: [8, 10, 2]}}}}\njoints:\n"
        "  hinge: {{type: revolute, bodies: [ground, door], at: [0, 0, 0], axis: z, stiffness: {}}}\n"
    )
    read, same = (
        reactio.parse_model(text.format(k), folder=tmp_path).joints[0].elastic.stiffness
        for k in (
            "line.csv",
            "[[8e6,0,0,0,0,0],[0,8e6,0,0,0,0],[0,0,5e6,0,0,0],[0,0,0,2e3,0,0],[0,0,0,0,2e3,0],[0,0,0,0,0,0]]",
        )
    )
    assert read == same


def test_a_beam_whose_nodes_are_all_held_is_no_mechanism() -> None:
    """Rounding of nodes that interfaces hold is no motion without stiffness."""
    section = "section: {A: 4e-4, Iy: 2e-8, Iz: 3e-8, J: 4e-8, kappa: 0.8}"
    for seed in range(40):
        a, b, c = np.random.default_rng(seed).normal(size=(3, 3)).tolist()
        joints = "".join(
            f"  j{k}: {{type: fixed, a: ground, b: {{body: bar, point: {x}}}}}\n" for k, x in enumerate((a, b, c))
        )
        model = reactio.parse_model(
            "space: spatial\nmaterials: {light: {E: 7e10, nu: 0.33, density: 2700}}\n"
            f"bodies: {{bar: {{flexible: {{material: light, beam: [{{from: {a}, to: {b}, {section}}}, "
            f"{{from: {b}, to: {c}, {section}}}]}}}}}}\njoints:\n{joints}"
        )
        assert structure(model, model.bodies[0]) is not None
