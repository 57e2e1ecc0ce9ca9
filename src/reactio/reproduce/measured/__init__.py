"""Measurements: published readings next to predicted intervals, one file for each; a reading outside is a miss.

Every case states its source, its model, and the uncertainties of its data.  The interval of a prediction is that of the
reactions over the corners of these uncertainties, widened by the resolution of the reading.

No number is fitted.  Where a source states no uncertainties, their ranges were chosen with the readings known, and wide
ones (the slack of the slings) say little.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reactio.drawing.plots.panels import Curve, Panel, draw_with_numbers
from reactio.reproduce import Paper, PrintedNumber, register
from reactio.reproduce.measured.beam_on_three_supports import THREE_SUPPORTS
from reactio.reproduce.measured.cantilever_truss import CANTILEVER_TRUSS
from reactio.reproduce.measured.four_slings import SLINGS
from reactio.reproduce.measured.portal_frame import PORTAL_FRAME
from reactio.reproduce.measured.rims_pressed_together import PRESSED_RIMS
from reactio.reproduce.measured.wheel_pressed_on_a_road import PRESSED_WHEEL
from reactio.reproduce.measured.wheel_pushed_sideways import PUSHED_WHEEL

MEASUREMENTS = (SLINGS, THREE_SUPPORTS, CANTILEVER_TRUSS, PORTAL_FRAME, PRESSED_RIMS, PUSHED_WHEEL, PRESSED_WHEEL)


def _compare() -> Iterator[PrintedNumber]:
    for case in MEASUREMENTS:
        yield from case.rows()


def _figures(folder: Path, suffix: str) -> Iterator[Path]:
    """Readings between the ends of their intervals, each over the middle of its interval."""
    panels = []
    for case in MEASUREMENTS:
        ends = np.array([case.intervals[reading.what] for reading in case.readings])
        ends += np.array([[-reading.resolution, reading.resolution] for reading in case.readings])
        value = np.array([reading.value for reading in case.readings])
        k = np.arange(1.0, len(value) + 1)
        curves = [
            Curve("least", k, ends[:, 0], "_"),
            Curve("largest", k, ends[:, 1], "_", 0),
            Curve("measured", k, value, "x"),
        ]
        panels.append(Panel(case.name, "predicted and measured", curves, "reading"))
    yield from draw_with_numbers(folder / f"measured{suffix}", panels)


MEASURED = register(
    Paper(
        key="measured",
        title="Published measurements inside or outside predicted intervals",
        cite="; ".join(dict.fromkeys(case.source for case in MEASUREMENTS)),
        compare=_compare,
        left_open=(
            *(f"{case.name}: {case.stated}. {case.read}" for case in MEASUREMENTS),
            "Rectangular table (Garcia, Wood & Barrera-Mora 2015, doi 10.4236/am.2015.63055): its first page was at "
            "hand, its readings were not, so that it is not compared.",
            "Planets with pin errors, bolts with clearance, multi-leg rope anchors, two-pinned arches and propped "
            "beams: publications exist, but the parts at hand lack their readings or their dimensions, so that they "
            "are not compared.",
        ),
        figures=_figures,
    )
)
