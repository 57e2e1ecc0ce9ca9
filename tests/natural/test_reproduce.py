"""Table 1 of Sharma & Ghosal, both halves, and Eq. 10 as printed."""

from __future__ import annotations

from reactio.reproduce import PAPERS, reproduce


def test_every_number_of_table_1_holds() -> None:
    rows = reproduce("sharma")
    printed = [row for row in rows if row.paper is not None]
    assert len(printed) == 3 * (2 + 6 * 3)  # absolute, natural, and the paper's own equations
    assert all(row.holds for row in rows)


def test_eq_10_as_printed_is_degenerate() -> None:
    found = {row.quantity: row.ours for row in reproduce("sharma") if row.where == "Eq. 10"}
    assert list(found.values()) == [0, "P1, P2"]


def test_registry() -> None:
    assert "sharma" in PAPERS
