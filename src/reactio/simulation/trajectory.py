"""Runs: states in time with their reactions, energy and peaks, as tables and as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError, how_to_install
from reactio.html_table import html_table
from reactio.kinematics.body_state import elastic_coordinates
from reactio.simulation.state_history import StateHistory

if TYPE_CHECKING:
    from reactio.simulation.energy_balance import EnergyHistory
    from reactio.simulation.peaks import Peaks


@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(StateHistory):
    """A run: rows of states with accelerations and multipliers, how it ended, and reactions on demand."""

    contacts_change: ClassVar[bool] = False  # do contacts close and open along runs of this class?

    def __repr__(self) -> str:
        span = f"t = {self.t[0]:g} … {self.t[-1]:g} s, " if len(self.t) else ""
        return f"<Trajectory of {self.system.model.name}: {span}{len(self.t):,} rows. {self.status.value}>"

    def _repr_html_(self) -> str:
        """The peaks of the run as a table, for notebooks."""
        found = self.peaks()
        rows = [
            (p.name, p.component, *("–" if x is None else f"{x:.5g}" for x in (p.peak, p.t, p.rms)), p.unit, p.verdict)
            for p in found.found
            if p.peak is None or p.peak
        ]
        heads = ("name", f"component ({found.axes} axes)", "peak", "at t [s]", "RMS", "unit", "verdict")
        return html_table(f"{self!r}"[1:-1], heads, rows, f"Peaks were {found.words}.")

    @cached_property
    def energy(self) -> EnergyHistory:
        """Energy and its balance at every row."""
        from reactio.simulation.energy_balance import balance

        return balance(self)

    def peaks(self, sums: Mapping[str, str] | None = None) -> Peaks:
        """Peak, time of the peak and RMS of every reaction component, and of named ``sums`` such as "A.Fz + B.Fz"."""
        from reactio.simulation.peaks import peaks

        return peaks(self, sums)

    def to_pandas(self) -> Any:
        """The columns as a pandas DataFrame indexed by time."""
        try:
            import pandas
        except ImportError:
            raise ReactioError(f"This needs pandas: {how_to_install('tables')}.") from None
        return pandas.DataFrame(self.columns()).set_index("t")

    def to_xarray(self) -> Any:
        """The run as an xarray Dataset.

        ``reaction`` has the dimensions time × joint × component, in joint axes [N, N m], NaN where a joint has no such
        component or where it is not unique; ``position`` [m], ``velocity`` [m/s], ``orientation`` and
        ``angular_velocity`` [rad/s] have time × body × axis, and ``elastic`` and ``elastic_velocity`` of bodies that
        bend time × body × coordinate.
        """
        try:
            import xarray
        except ImportError:
            raise ReactioError(f"This needs xarray: {how_to_install('tables')}.") from None
        columns = self.columns()
        joints = [group.name for group in self.system.reacting]
        bodies = [body.name for body in self.system.model.bodies]
        parts = {"reaction": _stacked(columns, joints, ".", ("joint", "component"))}
        for key in ("position", "orientation", "velocity", "angular_velocity"):
            parts[key] = _stacked(columns, bodies, f".{key}", ("body", f"{key}_axis"))
        if any(elastic_coordinates(self.system, b) for b in range(len(bodies))):
            for key in ("elastic", "elastic_velocity"):
                parts[key] = _stacked(columns, bodies, f".{key}.", ("body", "elastic_coordinate"))
        coordinates: dict[str, Any] = {"time": self.t, "joint": joints, "body": bodies}
        coordinates |= {dimension: labels for (_, dimension), labels, _ in parts.values()}
        data = {key: (("time", *dimensions), values) for key, (dimensions, _, values) in parts.items()}
        return xarray.Dataset(data, coordinates)

    def save(self, path: str) -> None:
        """Write the run to .npz, .nc or .csv, whole or not at all; ``load_run`` reads it back."""
        from reactio.simulation.write_run import save_run

        save_run(self, path)


def _stacked(
    columns: dict[str, Floats], names: list[str], infix: str, dimensions: tuple[str, str]
) -> tuple[tuple[str, str], list[str], Floats]:
    """Columns ``name + infix + label`` as one array (k, names, labels), NaN where there is none, with its labels."""
    found = {
        (name, label.removeprefix(".")): column
        for name in names
        for label, column in ((key.removeprefix(name + infix), key) for key in columns if key.startswith(name + infix))
        if "." not in label.removeprefix(".") and (infix != "." or label[:1] in ("F", "M"))
    }
    labels = list(dict.fromkeys(label for _, label in found))
    empty = np.full(len(columns["t"]), np.nan)
    table = [[columns[found[name, label]] if (name, label) in found else empty for label in labels] for name in names]
    values = np.array(table, dtype=float).reshape(len(names), len(labels), len(empty))
    return dimensions, labels, np.moveaxis(values, 2, 0)
