"""``--group NAME=A.Fz+B.Fz``: sums of reaction components as options, as a table and as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.units import unit_name
from reactio.cli.output.numbers import number_text
from reactio.cli.output.printing import escape
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.joint_reactions.data import Reactions
    from reactio.joint_reactions.sums import ReactionSum

ASK_FOR_JOINT_AXES = "End the sum with `in joint axes` for those."  # after a remark on joints with other axes
SumOf = Annotated[
    list[str] | None,
    typer.Option(
        "--group",
        metavar="NAME=A.Fz+B.Fz",
        help=(
            "Evaluate a sum of components, in world axes across joints unless it ends in `in joint axes`; "
            "may be repeated."
        ),
    ),
]


def named_sum(text: str, taken: Sequence[str]) -> tuple[str, str]:
    """Name and expression of ``weight=A.Fz+B.Fz``."""
    name, equals, expression = (part.strip() for part in text.partition("="))
    if not equals or not name or not expression:
        raise ReactioError(f"--group {text}: write NAME=A.Fx+B.Fx.")
    if not text.isprintable():
        raise ReactioError(f"--group {text}: a name and its sum must consist of printable characters.")
    if name in taken:
        raise ReactioError(f"--group {text}: '{name}' is a joint already; choose another name for the sum.")
    return name, expression


def named_sums(texts: Sequence[str] | None, taken: Sequence[str]) -> dict[str, str]:
    """Expressions by name."""
    return dict(named_sum(text, taken) for text in texts or ())


def asked_for(every: Reactions, texts: Sequence[str] | None) -> list[ReactionSum]:
    """The sums that were asked for."""
    from reactio.joint_reactions.sums import evaluated

    return [evaluated(every, expression, name) for name, expression in named_sums(texts, tuple(every)).items()]


def print_sums(
    out: Console, asked: Iterable[ReactionSum], simple: Iterable[ReactionSum], zero: float, by_stiffness: bool
) -> None:
    """Print the sums that were asked for, then other unique ones; numbers up to ``zero`` are rounding.

    ``by_stiffness``: does stiffness determine the components of the sums?
    """
    from reactio.joint_reactions.sums import not_asked_for

    asked = list(asked)
    for total in asked:
        by = f" by the rule {total.rule}" if total.rule and total.value is not None and not total.by_stiffness else ""
        number = (
            "undetermined (--rule chooses a load distribution)"
            if total.value is None
            else f"{number_text(total.value, zero, 6, total.unit)} {unit_name(total.unit)}{by}"
        )
        text = f"{escape(total.expression)} = {escape(number)}"
        out.print(f"[bold]{escape(total.name)}[/bold] = {text}  ({total.state}, {total.axes} axes)")
        if total.remark:
            out.print(f"  {escape(total.remark)}. {ASK_FOR_JOINT_AXES}")
    if rest := not_asked_for(asked, simple):
        what = "Sums that no stiffness changes" if by_stiffness else "Unique sums of undetermined components"
        out.print(f"{what}, in {rest[0].axes} axes:")
        for total in rest:
            number = number_text(total.value or 0.0, zero, 6, total.unit)  # unique, so that it has a value
            out.print(f"  {escape(total.expression)} = {number} {unit_name(total.unit)}")
