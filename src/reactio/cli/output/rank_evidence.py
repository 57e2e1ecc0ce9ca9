"""Evidence of solvability on the terminal: ranks of every joint, and B_X as the papers print it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reactio.cli.output.printing import escape, table

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.uniqueness import Solvability

COLUMNS_SIDE_BY_SIDE = 8  # of B_Xᵀ in one table


def print_evidence(out: Console, answer: Solvability) -> None:
    """Tables of r_X, r_Y, rank(B_X) and |B_X|, then B_Xᵀ of the joints for which it is not zero (Eq. 38)."""
    from reactio.diagnosis.rank_evidence import PRINTED_ZERO, column_names, rank_evidence

    evidence = list(rank_evidence(answer))
    heads = ("name", ">r_X", ">r_Y", ">r_X + r_Y", ">rank(B_X)", ">|B_X|")
    listing = table(f"Ranks, each decided on its own; r = {answer.rank}", *heads)
    for joint in evidence:
        numbers = (joint.r_X, joint.r_Y, joint.r_X + joint.r_Y, joint.rank_B)
        listing.add_row(
            escape(joint.name), *map(str, numbers), f"{joint.norm:.4g}" if joint.norm > PRINTED_ZERO else "0"
        )
    out.print(listing)
    wrong = [joint.name for joint in evidence if not joint.agrees(answer.rank)]
    out.print(
        f"rank(B_X) = r_X + r_Y − r does not hold for {escape(', '.join(wrong))}: the ranks are not clear."
        if wrong
        else "rank(B_X) = r_X + r_Y − r holds for all: the rank test and the null-space test agree."
    )
    columns, zero = column_names(answer.matrix.columns, answer.n), []
    for joint in evidence:
        names, Bt = joint.printed(columns)
        if not names:
            zero.append(joint.name)
        for first in range(0, len(names), COLUMNS_SIDE_BY_SIDE):
            part = slice(first, first + COLUMNS_SIDE_BY_SIDE)
            block = table(f"B_Xᵀ of {escape(joint.name)}", *(f">{name}" for name in names[part]))
            for row in Bt[:, part]:
                block.add_row(*(f"{x:.3f}" if abs(x) > PRINTED_ZERO else "0" for x in row))
            out.print(block)
    if zero:
        out.print(f"B_X = 0: {escape(', '.join(zero))}.")
    out.print("Entries of B_X depend on the basis of null(Cᵀ); its rank and |B_X| do not.")
