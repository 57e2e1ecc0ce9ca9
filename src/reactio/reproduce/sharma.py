"""Sharma & Ghosal: reaction solvability in absolute and in natural coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reactio.bodies.elements import ElementKind
from reactio.catalogue.places import GROUND, End
from reactio.diagnosis.check import check
from reactio.diagnosis.generic import generic_ranks
from reactio.drawing.figure import draw, save_figure
from reactio.library import load
from reactio.model.model import Model
from reactio.model.specs import Body, Element, Joint
from reactio.model.transform.natural import natural
from reactio.reproduce import Paper, PrintedNumber, by_ourselves, equal, register, stated
from reactio.uniqueness import Solvability, Verdict
from reactio.uniqueness.exact import exact_rank


class PrintedJoint(NamedTuple):
    """A row of Table 1."""

    rank: int  # r_i
    rank_outside: int  # r_−i
    unique: str  # Y or N


class PrintedHalf(NamedTuple):
    """One half of Table 1, with the numbers of Sect. 4.3."""

    size: int  # of the square matrix Φ_q
    rank: int
    joints: dict[str, PrintedJoint]  # by the first letter of their names


# Table 1: r_i and r_−i of each joint, and whether its reaction is unique; ranks and sizes from Sect. 4.3.
TABLE = {
    "natural": PrintedHalf(20, 19, {"P": PrintedJoint(2, 18, "N"), "R": PrintedJoint(2, 17, "Y")}),
    "absolute": PrintedHalf(12, 11, {"P": PrintedJoint(2, 10, "N"), "R": PrintedJoint(2, 9, "Y")}),
}
JOINTS = ("P1", "P2", "P3", "R1", "R2", "R3")
Equation = Callable[[Any], Any]
COUNTED = "not printed: four hinges of five rows, three bodies, one freedom"


def compare() -> tuple[PrintedNumber, ...]:
    """Table 1, both halves; the equations as printed; the Bennett linkage in both sets of coordinates."""
    model, pose = load("sharma-ghosal"), "a pose without special dimensions"
    rows = _half("absolute", _ranks(check(model)))
    rows += _half("natural", _ranks(check(with_frame(natural(model)))))
    printed = stated(rows, pose, "constraint equations")
    note = "Eqs 8–14 typed in, Eq. 10 mended: the same table a second time, from other equations"
    again = [replace(row, note=note) for row in _half("natural", _printed(as_printed=False))]
    typed = stated([*again, *_eq_10(_printed(as_printed=True))], "rational points on Eqs 8–13", "exact arithmetic")
    bennett = _bennett(check(load("bennett")), check(natural(load("bennett"))))
    by_us = [*typed, *stated(bennett, "t = 0", "constraint equations")]
    return (*printed, *by_ourselves(by_us))


def with_frame(model: Model) -> Model:
    """The model with ground's points on a body of their own, as Eq. 14 has them: r₁ and r₈, held by four rows."""
    h, w = model.parameters["h"], model.parameters["w"]
    points = (Element(ElementKind.POINT, (0.0, h)), Element(ElementKind.POINT, (w, 0.0)))
    frame = Body("frame", 1.0, (1.0,), (0.0, 0.0), kind="natural", elements=points)
    held = Joint("ground", "fixed", End(GROUND), End("frame"))
    joints = tuple(replace(j, a=replace(j.a, body="frame")) if j.a.body == GROUND else j for j in model.joints)
    return replace(model, bodies=(*model.bodies, frame), joints=(*joints, replace(held, name="G")))


Ranks = dict[str, Any]


def _ranks(answer: Solvability) -> Ranks:
    """Size, rank, (r_i, r_−i) of each joint, and the joints that the null space of Cᵀ leaves unique."""
    ranks: Ranks = {name: (answer[name].rank, answer[name].rank_outside) for name in JOINTS}
    unique = {name for name in JOINTS if answer[name].verdict is Verdict.UNIQUE}
    return {"size": answer.m, "columns": answer.n, "rank": answer.rank, "unique": unique, **ranks}


def _half(name: str, ours: Ranks) -> list[PrintedNumber]:
    """One half of Table 1."""
    size, rank, kinds = TABLE[name]
    rows = [
        equal("Table 1", f"{name}: size of Φ_q", f"{size} × {size}", f"{ours['size']} × {ours['columns']}"),
        equal("Sect. 4.3", f"{name}: r", rank, ours["rank"]),
    ]
    for joint in JOINTS:
        r, outside, unique = kinds[joint[0]]
        rank_here, rest = ours[joint]
        ranks = [f"{a}, {b}, {a + b}" for a, b in ((r, outside), (rank_here, rest))]
        word = "Y" if joint in ours["unique"] else "N"
        rows += [
            equal("Table 1", f"{name}: {joint} r_i, r_−i, r_i + r_−i", *ranks),
            equal("Table 1", f"{name}: {joint} unique", unique, word),
        ]
    return rows


def _cross(a: Any, b: Any) -> Any:
    return a[0] * b[1] - a[1] * b[0]


def _equations(as_printed: bool) -> dict[str, tuple[Equation, ...]]:
    """Eqs 8–14 as functions of r (11, 2), row k the point r_k; constants are left out, they have no gradient."""
    last: Equation = lambda r: (r[10] - r[3]) @ (r[9] - r[7])  # noqa: E731
    if not as_printed:
        last = lambda r: _cross(r[10] - r[3], r[9] - r[7])  # noqa: E731
    return {
        "P1": (lambda r: _cross(r[1], r[3]), lambda r: (r[3] - r[10]) @ r[1]),
        "P2": (lambda r: _cross(r[7], r[8]), lambda r: (r[9] - r[7]) @ r[8]),
        "P3": (lambda r: _cross(r[10] - r[3], r[3] - r[9]), last),
        "R1": (lambda r: (r[2] - r[3])[0], lambda r: (r[2] - r[3])[1]),
        "R2": (lambda r: (r[4] - r[5])[0], lambda r: (r[4] - r[5])[1]),
        "R3": (lambda r: (r[7] - r[6])[0], lambda r: (r[7] - r[6])[1]),
        "fixed": (lambda r: r[1][0], lambda r: r[1][1], lambda r: r[8][0], lambda r: r[8][1]),
        "lengths": tuple(
            (lambda r, i=i, j=j: (r[i] - r[j]) @ (r[i] - r[j])) for i, j in ((4, 2), (5, 6), (7, 9), (3, 10))
        ),
    }


def _configuration() -> Any:
    """Points r₁ … r₁₀ in rational numbers on all of Eqs 8–13: r₁₀, r₃, r₉ and r₇ lie on one line, as P3 demands."""
    direction = np.array([Fraction(4, 5), Fraction(-3, 5)], dtype=object)
    r = np.full((11, 2), Fraction(0), dtype=object)
    r[1], r[3], r[7], r[8] = (Fraction(0), Fraction(1)), (Fraction(0), Fraction(3)), (Fraction(4), Fraction(0)), (2, 0)
    r[10], r[9], r[4] = r[3] + 2 * direction, r[7] + direction, (Fraction(7, 2), Fraction(5))
    r[2], r[5], r[6] = r[3], r[4], r[7]
    return r


def _gradient(f: Equation, r: Any) -> list[Fraction]:
    """∂f/∂r₁ … ∂f/∂r₁₀ (20,): a central difference is exact for polynomials up to the second degree."""
    row = []
    for k in range(1, 11):
        for axis in range(2):
            ahead, behind = r.copy(), r.copy()
            ahead[k, axis] += 1
            behind[k, axis] -= 1
            row.append(Fraction(f(ahead) - f(behind)) / 2)
    return row


def _printed(as_printed: bool) -> Ranks:
    """Ranks of the paper's own equations, in rational numbers."""
    r = _configuration()
    rows = {name: [_gradient(f, r) for f in group] for name, group in _equations(as_printed).items()}
    everything = [row for group in rows.values() for row in group]
    ranks: Ranks = {"size": len(everything), "columns": len(everything[0]), "rank": _rank(everything)}
    for name in JOINTS:
        ranks[name] = (_rank(rows[name]), _rank([row for key, group in rows.items() if key != name for row in group]))
    ranks["unique"] = {name for name in JOINTS if sum(ranks[name]) == ranks["rank"]}
    twice = _rank([*rows["lengths"], *rows["P3"][:1], *rows["P1"][:1], *rows["P2"][:1], *rows["fixed"], rows["P3"][1]])
    once = _rank([*rows["lengths"], *rows["P3"][:1], *rows["P1"][:1], *rows["P2"][:1], *rows["fixed"]])
    return {**ranks, "adds": twice - once}


def _rank(rows: list[list[Fraction]]) -> int:
    return exact_rank(np.array(rows, dtype=object))


def _eq_10(printed: Ranks) -> list[PrintedNumber]:
    """The second line of Eq. 10 fixes the cosine of an angle that is zero, where a cosine has no gradient."""
    wrong = ", ".join(j for j in JOINTS[:3] if j in printed["unique"])
    parallel = "r₁₀−r₃ and r₉−r₇ are parallel: fixing cos 0 = 1 constrains nothing, fixing their cross product does"
    falsely = "Table 1 has N for all three, so it was not made with Eq. 10 as printed"
    return [
        equal("Eq. 10", "as printed: rank it adds to lengths and lines", 0, printed["adds"], parallel),
        equal("Eq. 10", "as printed: prismatic joints falsely unique", "P1, P2", wrong, falsely),
    ]


def _bennett(absolute: Solvability, natural: Solvability) -> list[PrintedNumber]:
    """The spatial mechanism of Sect. 4.4, whose numbers the paper does not print."""
    where, note = "Sect. 4.4", "natural next to absolute coordinates; the paper prints no numbers"
    rows = [
        equal(where, "Bennett: size and rank, absolute", "20 × 18, 17", _size(absolute), COUNTED),
        equal(
            where, "Bennett: size and rank, natural", "38 × 36, 35", _size(natural), "six rows for each body besides"
        ),
        equal(where, "Bennett: redundancy p", absolute.redundancy, natural.redundancy, note),
    ]
    generic = generic_ranks(load("bennett"))
    words = f"{generic.generic.redundancy}{' in exact arithmetic' if generic.exact else ''}"
    rows.append(equal(where, "Bennett: redundancies with random dimensions", "2 in exact arithmetic", words, COUNTED))
    for group in absolute.groups:
        words, expected = (_verdict(answer, group.name) for answer in (natural, absolute))
        rows.append(equal(where, f"Bennett: {group.name}", expected, words, note))
    return rows


def _verdict(answer: Solvability, name: str) -> str:
    group = answer[name]
    parts = " ".join(c.name for c in group.components if c.unique) or "no component by itself"
    return f"{group.verdict}, {group.known}; {parts}"


def _size(answer: Solvability) -> str:
    return f"{answer.m} × {answer.n}, {answer.rank}"


def _figures(folder: Path, suffix: str) -> Iterator[Path]:
    """Fig. 4: the mechanism, with the verdicts of Table 1 on its joints."""
    path = folder / f"sharma-fig4{suffix}"
    save_figure(draw(load("sharma-ghosal")), path)
    yield path


SHARMA = register(
    Paper(
        key="sharma",
        title="Reaction solvability analysis using natural coordinates",
        cite="Sharma & Ghosal",
        compare=compare,
        figures=_figures,
        left_open=(
            "Dimensions are not printed: any that are not degenerate give the same ranks.",
            "Eq. 10 as printed fixes the cosine of an angle that is zero; Table 1 follows from the cross product.",
            "The paper's claim that natural coordinates make the symbolic analysis faster is measured in "
            "benchmarks/natural.py.",
        ),
    )
)
