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


def write_peaks(path: Path, peaks: Peaks) -> None:
    """Write a table for spreadsheets: one line for each component; empty where it is not unique."""
    import csv

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["name", f"component ({peaks.axes} axes)", "verdict", "peak", "unit", "t [s]", "rms"])
    rows.writerows(
        [p.name, p.component, p.verdict, in_units(p.peak, p.unit), unit_name(p.unit), p.t, in_units(p.rms, p.unit)]
        for p in peaks.found
    )
    write_bytes(path, out.getvalue().encode())


def print_peaks(out: Console, run: Trajectory, peaks: Peaks, singular: Sequence[float] = ()) -> None:
    """Print the peak force and moment of every joint, or its unique components; --peaks and --json have all.

    ``singular``: times of singular poses of the run [s].
    """
    from reactio.simulation.peaks import UNIQUE_AT_TIMES
    from reactio.uniqueness.words import Verdict

    if run.system.model.unknown_masses:
        out.print("No peaks: the masses are not known, so no reaction has a value.")
        return
    if not peaks.found:
        if peaks.groups_left_out:
            out.print("Peaks were not computed: the model is too large. `reactio reactions --at T` shows one instant.")
        return
    listing = table("Peaks over the run", "name", "", ">peak", "unit", ">at t s", ">RMS", "verdict over the run")
    lines = [peak for name in dict.fromkeys(p.name for p in peaks.found) for peak in _lines(peaks, name)]
    for peak in lines[:TABLE_ROWS]:
        values = [
            rounded(peak.peak, 5, peak.unit),
            unit_name(peak.unit),
            rounded(peak.t),
            rounded(peak.rms, 5, peak.unit),
        ]
        listing.add_row(escape(peak.name), escape(peak.component), *values, escape(peak.verdict))
    out.print(listing)
    more = f"; {len(lines) - TABLE_ROWS:,} more lines are not shown" if len(lines) > TABLE_ROWS else ""
    where = "" if silent() else " All components: --peaks FILE.csv, --json."
    axes = f"in {peaks.axes} axes" + (", sums of several joints in world axes" if peaks.has_sums else "")
    out.print(f"Peaks were {peaks.words}, {axes}{more}.{where}")
    print_turning_axes(out, run.system)
    if peaks.in_doubt and any(peak.verdict == UNIQUE_AT_TIMES for peak in lines):
        first, last = peaks.in_doubt[0], peaks.in_doubt[-1]
        when = f"at t = {first:.4g} s" if first == last else f"from t = {first:.4g} to {last:.4g} s"
        instants = f"{len(peaks.in_doubt)} of {peaks.looked} instants"
        out.print(f"Unique at times: uniqueness cannot be decided at {instants}, {when}, next to a special geometry.")
        out.print("  `reactio check SOURCE --at T` shows the numbers; its --tolerance says how exact the geometry is.")
    if near := _near_singular(run, peaks, lines, singular):
        out.print("Near a singular pose reactions may grow without bound. The peaks of")
        out.print(f"  {escape(near)} lie there and may reflect the sampling only.")
    if run.rule is None and any(peak.verdict == Verdict.NOT for peak in lines):
        remark("– undetermined by a rigid model. `reactio check SOURCE --why NAME` explains why;")
        remark("  --rule NAME chooses a load distribution and prints its name next to the number.")


def _near_singular(run: Trajectory, peaks: Peaks, lines: Sequence[Peak], singular: Sequence[float]) -> str:
    """A sentence on joints whose peaks are so near to a singular pose that the instants do not resolve them."""
    apart = NEAR_POSE * float(run.t[-1] - run.t[0]) / peaks.looked
    near = [peak.name for peak in lines if peak.t is not None and any(abs(peak.t - t) <= apart for t in singular)]
    return listed(list(dict.fromkeys(near)), MOST_PEAK_NAMES)


def _lines(peaks: Peaks, name: str) -> list[Peak]:
    """The magnitudes of a joint, and its unique components where one is open; none where all are zero."""
    of_name = [peak for peak in peaks.found if peak.name == name]
    parts = [peak for peak in of_name if not peak.component.startswith("|")]
    lines: list[Peak] = []
    for unit in dict.fromkeys(peak.unit for peak in of_name):
        size = [peak for peak in of_name if peak.unit == unit and peak.component.startswith("|")]
        known = [peak for peak in parts if peak.unit == unit and peak.peak]
        lines += (size or [peak for peak in parts if peak.unit == unit]) + (
            known if size and size[0].peak is None else []
        )
    return [peak for peak in lines if peak.peak is None or peak.peak] or lines[:1]
