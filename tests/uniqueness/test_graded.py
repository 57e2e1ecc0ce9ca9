"""Self-stresses whose shares lie many decades apart, partners under symmetry, and matrices in odd units."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array

import reactio
from reactio.errors import ReactioError
from reactio.uniqueness import Solvability, Tolerances, Verdict, solvability
from reactio.uniqueness.last_digits import modular_null_space
from tests.shared_models import library_or_text, scissor_lift

# Gears in a ring of ratios 2⁴⁴: the third says what the other two say together.
GEARS = """
space: planar
bodies:
  w0: {mass: 1, inertia: 1}
  w1: {mass: 1, inertia: 1, position: [1, 0]}
  w2: {mass: 1, inertia: 1, position: [2, 0]}
joints:
  A0: {type: revolute, bodies: [ground, w0], at: [0, 0]}
  A1: {type: revolute, bodies: [ground, w1], at: [1, 0]}
  A2: {type: revolute, bodies: [ground, w2], at: [2, 0]}
couplings:
  G0: {type: gear, joints: [A0, A1], ratio: 2**44}
  G1: {type: gear, joints: [A1, A2], ratio: 2**44}
  close: {type: gear, joints: [A0, A2], ratio: 2**88}
"""
Array = NDArray[np.float64]


def ring(ratios: list[float]) -> Array:
    """x_i = k_i x_{i+1} around, closed by the row that follows from all of them: every row is in the self-stress."""
    n = len(ratios) + 1
    C = np.zeros((n, n))
    for i, k in enumerate(ratios):
        C[i, i], C[i, i + 1] = 1.0, -k
    C[-1, 0], C[-1, -1] = 1.0, -float(np.prod(ratios))
    return C


def beside(*parts: Array) -> Array:
    """Block diagonal."""
    m, n = (sum(p.shape[k] for p in parts) for k in (0, 1))
    C, at = np.zeros((m, n)), [0, 0]
    for p in parts:
        C[at[0] : at[0] + p.shape[0], at[1] : at[1] + p.shape[1]] = p
        at = [at[0] + p.shape[0], at[1] + p.shape[1]]
    return C


def verdicts(answer: Solvability) -> set[str]:
    return {str(g.verdict) for g in answer}


MIXED = [2.0**44, 2.0**-40, 3.0, 2.0**-50, 2.0**30, 1.0, 2.0**16, 2.0**-3]
RINGS = {
    "a chain of twos": ring([2.0] * 59),
    "a chain of halves": ring([0.5] * 79),
    "two large ratios": ring([2.0**44, 2.0**44]),
    "ratios beyond rounding": ring([2.0**60, 2.0**60, 2.0**-90]),
    "up and down": ring(MIXED),
    "two rings": beside(ring([2.0] * 55), ring(MIXED)),
    "a sparse block": ring([2.0] * 499),
}


@pytest.mark.parametrize("name", RINGS)
def test_no_share_is_too_small_to_be_seen(name: str) -> None:
    """Every row takes part in the self-stress by construction; with a share of 1e-26 too it is not called unique."""
    C = RINGS[name]
    answer = solvability(csr_array(C) if len(C) > 200 else C, rounding=0)
    assert "unique" not in verdicts(answer)
    assert answer.rank == len(C) - (2 if name == "two rings" else 1)
    if "ambiguous" in verdicts(answer):
        assert not answer.confident


def test_a_row_that_fits_no_scale_hides_no_share() -> None:
    """A second, contradictory closure holds the ring fast: the graded self-stress is there all the same."""
    C = ring([2.0] * 99)
    extra = np.zeros((1, 100))
    extra[0, 0], extra[0, -1] = 1.0, -1.0
    answer = solvability(np.vstack([C, extra]))
    assert all(answer[f"row {i}"].verdict is not Verdict.UNIQUE for i in range(100))
    assert answer["row 100"].verdict is not Verdict.NOT


@pytest.mark.parametrize("scale", [1.0, 1e-9, 1e9])
def test_a_chain_without_closure_stays_unique(scale: float) -> None:
    """Grading alone makes nothing ambiguous: a ladder of ratios with independent rows is clear."""
    answer = solvability(scale * ring([2.0] * 59)[:-1])
    assert verdicts(answer) == {"unique"}
    assert answer.confident


def test_gears_in_a_ring_of_a_model() -> None:
    """Bearings are unique, none of the gears is; exact arithmetic settles the one that floating point leaves open."""
    model = reactio.parse_model(GEARS)
    answer, exact = reactio.check(model), reactio.check(model, exact=True)
    gears = ("G0", "G1", "close")
    assert all(answer[g].verdict in (Verdict.NOT, Verdict.AMBIGUOUS) for g in gears)
    assert not answer.confident
    assert all(answer[a].verdict is Verdict.UNIQUE for a in ("A0", "A1", "A2"))
    assert exact.confident
    assert not any(np.signbit(found.decision.sigma_first_dropped) for found in (answer, exact))  # printed as −0
    for g in gears:
        assert exact[g].verdict is Verdict.NOT
        assert set(exact[g].shares_with) == set(gears) - {g}
        assert [c.unique for c in exact[g].components] == [False]


def test_an_exact_answer_stands() -> None:
    """Where floating point is sure and wrong, rank, verdicts and counts are the exact ones, and it is said."""
    C = [[1, 0], [1, 2e-3], [0, 1]]
    coarse = Tolerances(1e-2, 1e-2, 1e-2)
    float_only, exact = (solvability(C, tolerances=coarse, exact=e) for e in (False, True))
    assert (float_only["row 2"].verdict, float_only.confident) == (Verdict.UNIQUE, True)
    assert exact.exact is not None
    assert not exact.exact.agrees
    assert exact["row 2"].verdict is Verdict.NOT
    assert exact.confident
    assert "the exact answer stands" in " ".join(exact.notes)
    assert exact.headline.startswith("1 of 3 constraint equations are redundant; 0 of 3")


@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_partners_do_not_depend_on_symmetry(angle: float) -> None:
    """Any three rods on a point carry load together, at right angles too."""
    at = np.deg2rad([0, 90, 45, -45]) + angle
    answer = solvability(np.column_stack([np.cos(at), np.sin(at)]), dict(zip("XYZW", range(4), strict=True)))
    for name in "XYZW":
        assert set(answer[name].shares_with) == set("XYZW") - {name}


def test_partners_are_those_of_minimal_self_stresses() -> None:
    """Of two independent loops on the same columns each keeps to itself; the large path says the same."""
    rng = np.random.default_rng(5)
    loop = np.array([[1.0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    C = loop @ rng.standard_normal((4, 4))
    answer = solvability(C)
    assert [set(g.shares_with) for g in answer] == [
        {"row 1"}, {"row 0"}, {"row 3", "row 4"}, {"row 2", "row 4"}, {"row 2", "row 3"}, set(),
    ]  # fmt: skip
    many = solvability(csr_array(beside(*[C] * 40)))
    assert set(many["row 2"].shares_with) == {"row 3", "row 4"}
    at = np.deg2rad([0, 90, 45, -45])
    rods = solvability(csr_array(beside(*[np.column_stack([np.cos(at), np.sin(at)])] * 60)))
    assert set(rods["row 0"].shares_with) == {"row 1", "row 2", "row 3"}


def bare(name: str, scale: float = 1.0) -> tuple[Array, tuple[str, ...], dict[str, range]]:
    """The Jacobian of a model with lengths in another unit, its columns' units and groups."""
    eqs = reactio.equations(reactio.build(library_or_text(name)))
    C, units = eqs.C.toarray(), eqs.system.column_units
    C = C * np.where(np.array(units) == "rad/s", scale, 1.0)
    C[[unit == "rad" for g in eqs.system.groups for unit in g.units]] /= scale
    return C, units, {g.name: range(g.start, g.stop) for g in eqs.system.groups}


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1e3])
@pytest.mark.parametrize("name", ["sarrus", "mobile-robot", "four-bar-spatial", scissor_lift()], ids=len)
def test_the_unit_of_length_changes_nothing(name: str, scale: float) -> None:
    """With the units of columns declared, metres, millimetres and micrometres give the same answer."""
    one, other = (solvability(C, groups, columns=units) for C, units, groups in (bare(name), bare(name, scale)))
    assert [(g.name, g.verdict) for g in one] == [(g.name, g.verdict) for g in other]
    assert (one.rank, one.confident) == (other.rank, other.confident)


@pytest.mark.parametrize("name", ["sarrus", "mobile-robot", "four-bar-spatial"])
@pytest.mark.parametrize("declared", [True, False])
def test_rounding_in_a_bare_matrix_is_left_out_and_said(name: str, declared: bool) -> None:
    """Entries of 1e-14 where zeros were, called rounding, change no verdict; else what needs that is ambiguous."""
    C, units, groups = bare(name)
    rng = np.random.default_rng(8)
    noise = 1e-14 * rng.standard_normal(C.shape) * (rng.random(C.shape) < 0.4) * (C == 0.0)
    columns = units if declared else None
    clean, noisy = (solvability(A, groups, columns=columns, rounding=1e-12) for A in (C, C + noise))
    assert [(g.name, g.verdict) for g in noisy] == [(g.name, g.verdict) for g in clean]
    assert noisy.confident == clean.confident
    assert "left out" in noisy.notes[0]
    unsaid = solvability(C + noise, groups, columns=columns)
    assert "rounding=1e-12 says" in unsaid.notes[0]
    exact = modular_null_space((C + noise)[[i for rows in groups.values() for i in rows]])
    assert exact is not None
    own, determined = exact.determined(unsaid.matrix.rows.spans)
    for k, (g, h) in enumerate(zip(unsaid, clean, strict=True)):
        assert g.verdict in (h.verdict, Verdict.AMBIGUOUS)
        assert g.verdict is not Verdict.UNIQUE or own[k] == determined[k]
    assert not any("left out" in note for note in solvability(C + noise, groups, rounding=0).notes)
    with pytest.raises(ReactioError, match="rounding="):
        solvability(C, rounding=0.5)


def test_small_entries_that_a_scale_makes_large_are_not_rounding() -> None:
    """The small entries of a ring of extreme gears stay, whether rows are scaled or not."""
    C = ring([2.0**44, 2.0**44])
    far = ring([2.0**60, 2.0**60])
    assert "unique" not in verdicts(solvability(far / np.linalg.norm(far, axis=1, keepdims=True)))
    for A in (C, C / np.linalg.norm(C, axis=1, keepdims=True), C[:-1]):
        assert not any("left out" in note for note in solvability(A).notes)
    # Alone in its row and column, 2⁻⁵⁴ is what cos 90° leaves: left out, said, and kept on demand.
    lone = [[1.0, 0.0], [1.0, 2.0**-54], [0.0, 1.0]]
    assert "left out" in solvability(lone).notes[0]
    assert solvability(lone)["row 2"].verdict is Verdict.AMBIGUOUS
    assert solvability(lone, rounding=1e-12)["row 2"].verdict is Verdict.UNIQUE
    assert solvability(lone, rounding=0)["row 2"].verdict is Verdict.AMBIGUOUS


@pytest.mark.parametrize("method", ["nullspace", "qr", "svd", "rank"])
@pytest.mark.parametrize("row", range(4))
@pytest.mark.parametrize("size", [1e-310, 1e300])
def test_rows_at_the_ends_of_the_range_of_numbers(method: str, row: int, size: float) -> None:
    """Scaling a row changes no verdict, down to numbers that have lost digits."""
    C = np.array([[1.0, 2, 0], [2, 4, 0], [0, 1, 1], [1, 1, 1]])
    C[row] *= size
    for A in (C, csr_array(C)):
        answer = solvability(A, method=method)
        assert [str(g.verdict) for g in answer] == ["not unique", "not unique", "unique", "unique"]
        assert np.isfinite(answer.N).all()
        assert not answer.N[2:].any()


@pytest.mark.parametrize("method", ["nullspace", "qr", "svd", "rank"])
def test_a_row_that_fits_no_scale_stays_within_numbers(method: str) -> None:
    """Scales that lift entries of 1e-317 to 1 would make the 2 beside them infinite."""
    tiny = 2.07e-317 * np.array([[3, 3, 3, 1, 1], [1, 1, 1, 1, 0], [3, 1, 1, 3, 3], [3, 0, 3, 3, 0]])
    C = np.vstack([[2.0, 9.6e-311, 2.1e-317, 0.0, 6.2e-317], tiny])
    answer = solvability(C, method=method)
    assert answer.rank == 5
    assert "not unique" not in {str(g.verdict) for g in answer}
