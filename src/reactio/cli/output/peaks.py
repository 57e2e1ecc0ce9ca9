"""Peaks of reactions over a run, as a table and as data."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reactio.catalogue.units import in_units, unit_name
from reactio.cli.output.basis import print_turning_axes
from reactio.cli.output.numbers import rounded
from reactio.cli.output.printing import TABLE_ROWS, escape, remark, table
from reactio.cli.verbosity import silent
from reactio.errors import ReactioError, listed
from reactio.operating_system.files import check_writable, write_bytes

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.simulation.peaks import Peak, Peaks
    from reactio.simulation.trajectory import Trajectory

# Mean intervals between the instants of peaks within which a peak counts as near a singular pose: the instants are
# denser where reactions change.
NEAR_POSE = 2.0
MOST_PEAK_NAMES = 6  # in a sentence


def check_table(path: Path) -> None:
    """Refuse a file to which no table of peaks can be written, before the run."""
    if path.suffix.lower() != ".csv":
        raise ReactioError(f"'{path}': peaks are written as .csv.")
    check_writable(path)


def write_peaks(path: Path, found: Peaks) -> None:
    """Write a table for spreadsheets: one line for each component; empty where it is not unique."""
    import csv

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["name", f"component ({found.axes} axes)", "verdict", "peak", "unit", "t [s]", "rms"])
    rows.writerows(
        [p.name, p.component, p.verdict, in_units(p.peak, p.unit), unit_name(p.unit), p.t, in_units(p.rms, p.unit)]
        for p in found.found
    )
    write_bytes(path, out.getvalue().encode())


def print_peaks(out: Console, run: Trajectory, found: Peaks, singular: Sequence[float] = ()) -> None:
    """Print the peak force and moment of every joint, or its unique components; --peaks and --json have all.

    ``singular``: times of singular poses of the run [s].
    """
    from reactio.uniqueness.words import Verdict

    if not found.found:
        if found.groups_left_out:
            out.print("Peaks were not computed: the model is too large. `reactio reactions --at T` shows one instant.")
        return
    made = table("Peaks over the run", "name", "", ">peak", "unit", ">at t s", ">RMS", "verdict over the run")
    lines = [one for name in dict.fromkeys(p.name for p in found.found) for one in _lines(found, name)]
    for one in lines[:TABLE_ROWS]:
        values = [rounded(one.peak, 5, one.unit), unit_name(one.unit), rounded(one.t), rounded(one.rms, 5, one.unit)]
        made.add_row(escape(one.name), escape(one.component), *values, escape(one.verdict))
    out.print(made)
    more = f"; {len(lines) - TABLE_ROWS:,} more lines are not shown" if len(lines) > TABLE_ROWS else ""
    where = "" if silent() else " All components: --peaks FILE.csv, --json."
    axes = f"in {found.axes} axes" + (", sums of several joints in world axes" if found.has_sums else "")
    out.print(f"Peaks were {found.words}, {axes}{more}.{where}")
    print_turning_axes(out, run.system)
    if near := _near_singular(run, found, lines, singular):
        out.print("Near a singular pose reactions may grow without bound. The peaks of")
        out.print(f"  {escape(near)} lie there and may reflect the sampling only.")
    if run.rule is None and any(one.verdict == Verdict.NOT for one in lines):
        remark("– undetermined by a rigid model. `reactio check SOURCE --why NAME` explains why;")
        remark("  --rule NAME chooses a load distribution and prints its name next to the number.")


def _near_singular(run: Trajectory, found: Peaks, lines: Sequence[Peak], singular: Sequence[float]) -> str:
    """A sentence on joints whose peaks are so near to a singular pose that the instants do not resolve them."""
    apart = NEAR_POSE * float(run.t[-1] - run.t[0]) / found.looked
    near = [one.name for one in lines if one.t is not None and any(abs(one.t - t) <= apart for t in singular)]
    return listed(list(dict.fromkeys(near)), MOST_PEAK_NAMES)


def _lines(found: Peaks, name: str) -> list[Peak]:
    """The magnitudes of a joint, and its unique components where one is open; none where all are zero."""
    own = [one for one in found.found if one.name == name]
    parts = [one for one in own if not one.component.startswith("|")]
    lines: list[Peak] = []
    for unit in dict.fromkeys(one.unit for one in own):
        size = [one for one in own if one.unit == unit and one.component.startswith("|")]
        known = [one for one in parts if one.unit == unit and one.peak]
        lines += (size or [one for one in parts if one.unit == unit]) + (known if size and size[0].peak is None else [])
    return [one for one in lines if one.peak is None or one.peak] or lines[:1]
