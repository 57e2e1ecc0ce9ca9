"""Reports: data that shows itself in a notebook and is written in every format."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reactio.reporting.data import ReportData
from reactio.results.table import ResultTable, Tabular, table_of


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Report(ReportData, Tabular):
    """All results on the reactions of a mechanism at a state."""

    def __repr__(self) -> str:
        return f"<Report on {self.name} at t = {self.t:g} s: {self.headline}>"

    def _repr_html_(self) -> str:
        """The page itself, in a frame, for notebooks."""
        from html import escape

        from reactio.reporting.html import to_html

        return f'<iframe srcdoc="{escape(to_html(self))}" style="width:100%;height:720px;border:0"></iframe>'

    def save(self, path: str | Path, format: str = "") -> None:
        """Write the report; the suffix chooses the format (html, md, pdf, json) when it is not named."""
        from reactio.reporting.formats import save_report

        save_report(self, path, format)

    def table(self) -> ResultTable:
        """Every component of the report with its value."""
        rows = [
            (joint.name, c.name, c.value if c.is_determined or self.asked else None, c.unit, joint.state, c.low, c.high)
            for joint in self.joints
            for c in joint.components
        ]
        heads = ("name", "component", "value", "unit", "verdict", "low", "high")
        return table_of(f"{self!r}"[1:-1], heads, rows, 2, ("value",))
