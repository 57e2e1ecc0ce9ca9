"""Table 1 of Sharma & Ghosal, both halves, and Eq. 10 as printed."""

from __future__ import annotations

from reactio.reproduce import reproduce


def test_every_number_of_table_1_is_compared() -> None:
    ((_, rows),) = reproduce(["sharma"])
    table = [row for row in rows if row.where in ("Table 1", "Sect. 4.3")]
    assert len(table) == 3 * (2 + 6 * 2)  # absolute, natural, and the paper's own equations
    assert {row.status for row in rows} == {"holds"}


def test_eq_10_as_printed_is_degenerate() -> None:
    ((_, rows),) = reproduce(["sharma"])
    assert [row.ours for row in rows if row.where == "Eq. 10"] == ["0", "P1, P2"]
