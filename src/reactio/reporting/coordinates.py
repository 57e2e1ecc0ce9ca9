"""Joint coordinates in a report: values and rates at its state, ranges and curves along its run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import in_units, unit_name
from reactio.linear.precision import ROUNDOFF
from reactio.results.as_data import Result
from reactio.simulation.trajectory import Trajectory
from reactio.system.joint_coordinates import joint_coordinates
from reactio.system.types import State, System

MOST_COORDINATES = 200  # of a report; JSON of a run has them all
CURVE_INSTANTS = 120  # of a curve as wide as a thumb
SPARKLINE_WIDTH, SPARKLINE_HEIGHT = 140, 28  # pixels


@dataclass(frozen=True, slots=True, eq=False)
class CoordinateLine(Result):
    """A joint coordinate at the state of a report, and along its run."""

    KEYS = "name unit value rate times values"

    name: str  # A.rotation
    unit: str  # m or rad
    value: float
    rate: float  # per second
    times: Floats  # (k,) of the run [s]; empty without one
    values: Floats  # (k,)

    @property
    def numbers(self) -> tuple[str, ...]:
        """Value, rate, and the least and largest value along the run, in the units of the file."""
        factor = in_units(1.0, self.unit)
        ends = (self.values.min(), self.values.max()) if len(self.values) else ()
        zero = ROUNDOFF * max([1.0, *(abs(float(x)) for x in ends)])
        return tuple(f"{factor * float(x) if abs(x) > zero else 0.0:.6g}" for x in (self.value, self.rate, *ends))

    @property
    def shown_unit(self) -> str:
        """The unit of ``numbers``."""
        return unit_name(self.unit)


def coordinate_lines(system: System, state: State, run: Trajectory | None) -> tuple[CoordinateLine, ...]:
    """The joint coordinates of a system at a state, in time where there is a run; turns are counted on."""
    coordinates = joint_coordinates(system, state)[:MOST_COORDINATES]
    if not coordinates or run is None:
        return tuple(CoordinateLine(*coordinate, np.zeros(0), np.zeros(0)) for coordinate in coordinates)
    rows = np.unique(np.linspace(0, len(run.t) - 1, CURVE_INSTANTS).astype(int))
    table = np.array(
        [
            [coordinate.value for coordinate in joint_coordinates(system, run.state(k))[: len(coordinates)]]
            for k in rows.tolist()
        ]
    )
    columns = [
        np.unwrap(x) if coordinate.unit == "rad" else x for coordinate, x in zip(coordinates, table.T, strict=True)
    ]
    return tuple(
        CoordinateLine(*coordinate, run.t[rows], x) for coordinate, x in zip(coordinates, columns, strict=True)
    )


def coordinates_html(lines: Sequence[CoordinateLine]) -> str:
    """A folded table of all joint coordinates, with a curve of each along the run."""
    if not lines:
        return ""
    run = bool(len(lines[0].times))
    heads = (
        "Coordinate",
        "Value",
        "Rate per s",
        *(("Least", "Largest") if run else ()),
        "Unit",
        *(("In time",) if run else ()),
    )
    head = "".join(f"<th scope='col'>{word}</th>" for word in heads)
    rows = "".join(
        f"<tr><th scope='row'>{escape(line.name)}</th>"
        + "".join(f"<td class='n'>{text.replace('-', '−')}</td>" for text in line.numbers)
        + f"<td>{line.shown_unit}</td>{f'<td>{_curve(line)}</td>' if run else ''}</tr>"
        for line in lines
    )
    return (
        "<section aria-labelledby='coordinates'><h2 id='coordinates'>Joint coordinates</h2>"
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def _curve(line: CoordinateLine) -> str:
    """The coordinate over time as a small line."""
    t, x = line.times, line.values
    span = float(np.ptp(x)) or 1.0
    px = (SPARKLINE_WIDTH - 4) * (t - t[0]) / (float(t[-1] - t[0]) or 1.0) + 2
    py = SPARKLINE_HEIGHT - 2 - (SPARKLINE_HEIGHT - 4) * (x - x.min()) / span
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(px, py, strict=True))
    low, high = (f"{text} {line.shown_unit}".replace("-", "−") for text in line.numbers[2:])
    return (
        f"<svg width='{SPARKLINE_WIDTH}' height='{SPARKLINE_HEIGHT}' role='img' aria-label='from {low} to {high}'>"
        f"<polyline points='{points}' fill='none' stroke='currentColor' stroke-width='1.2'></polyline></svg>"
    )


def coordinates_markdown(lines: Sequence[CoordinateLine], escaped: Callable[[str], str]) -> list[str]:
    """The table in Markdown; ``escaped`` takes the markup out of names."""
    if not lines:
        return []
    ends = " least | largest |" if len(lines[0].times) else ""
    count = 6 if ends else 4
    return [
        "",
        "## Joint coordinates",
        "",
        f"| coordinate | value | rate per s |{ends} unit |",
        f"|{'---|' * count}",
        *(f"| {escaped(line.name)} | {' | '.join(line.numbers)} | {line.shown_unit} |" for line in lines),
    ]
