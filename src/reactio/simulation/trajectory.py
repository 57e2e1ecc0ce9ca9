"""Runs: states in time with their reactions, energy and peaks, as tables and as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reactio.optional_libraries import optional_library
from reactio.results.html_table import html_table
from reactio.results.table import ResultTable, Tabular
from reactio.simulation.state_history import StateHistory

if TYPE_CHECKING:
    from reactio.simulation.energy_balance import EnergyHistory
    from reactio.simulation.passages import PassedSingularities
    from reactio.simulation.peaks import Peaks


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(StateHistory, Tabular):
    """A run: rows of states with accelerations and multipliers, how it ended, and reactions on demand."""

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} … {self.t[-1]:g} s, " if len(self.t) else ""
        return f"<Trajectory of {self.system.model.name}: {span}{len(self.t):,} rows. {self.status.value}>"

    def _repr_html_(self) -> str:
        """The peaks of the run as a table, for notebooks."""
        peaks = self.peaks()
        rows = [
            (p.name, p.component, *("–" if x is None else f"{x:.5g}" for x in (p.peak, p.t, p.rms)), p.unit, p.verdict)
            for p in peaks.found
            if p.peak is None or p.peak
        ]
        heads = ("name", f"component ({peaks.axes} axes)", "peak", "at t [s]", "RMS", "unit", "verdict")
        return html_table(f"{self!r}"[1:-1], heads, rows, f"Peaks were {peaks.words}.")

    @cached_property
    def energy(self) -> EnergyHistory:
        """Energy and its balance at every row."""
        from reactio.simulation.energy_balance import balance

        return balance(self)

    @cached_property
    def singular_passages(self) -> PassedSingularities:
        """The singular poses that the run has passed, located on first access."""
        from reactio.simulation.passages import passed_singularities

        return passed_singularities(self)

    def peaks(self, sums: Mapping[str, str] | None = None) -> Peaks:
        """Peak, time of the peak and RMS of every reaction component, and of named ``sums`` such as "A.Fz + B.Fz"."""
        from reactio.simulation.peaks import peaks

        return peaks(self, sums)

    def table(self) -> ResultTable:
        """All columns of the run; a plot shows its reactions."""
        columns = self.named_columns()
        units = {column.name: column.unit for column in columns}
        groups = {group.name for group in self.system.reacting}
        loads = tuple(c.name for c in columns if c.unit in ("N", "N m") and c.name.partition(".")[0] in groups)
        return ResultTable(f"{self!r}"[1:-1], {c.name: c.values for c in columns}, ("t",), loads, units)

    def to_pandas(self) -> Any:
        """The columns as a pandas DataFrame indexed by time."""
        pandas = optional_library("pandas", "This needs pandas", "tables")
        return pandas.DataFrame(self.columns()).set_index("t")

    def to_xarray(self) -> Any:
        """The run as an xarray Dataset with an attribute ``units`` on every variable.

        ``reaction`` has the dimensions time × joint × component, Fx … Mz in joint axes (in the plane, world axes), F or
        M for drives and couplings, NaN where a joint has no such component or where it is not unique.  ``position``
        [m], ``velocity`` [m/s] and ``angular_velocity`` [rad/s] have time × body × axis (x, y, z), zero along axes that
        the plane does not have.  ``orientation`` has time × body in the plane [rad] and time × body × quaternion
        (w, x, y, z) in space.  ``elastic`` and ``elastic_velocity`` of bodies that bend have time × body ×
        elastic_coordinate.
        """
        from reactio.simulation.dataset import dataset

        return dataset(self)

    def save(self, path: str) -> None:
        """Write the run to .npz, .nc or .csv, whole or not at all; ``load_run`` reads it back."""
        from reactio.simulation.write_run import save_run

        save_run(self, path)
