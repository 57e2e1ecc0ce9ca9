"""Formulations side by side on the terminal, as JSON and as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reactio.catalogue.units import unit_name
from reactio.cli.output.numbers import number_text, rounding
from reactio.cli.output.printing import console, escape, print_json, table, wrote
from reactio.operating_system.files import write_bytes
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from reactio.simulation.formulation_table import FormulationReaction, FormulationRow, FormulationTable
    from reactio.system.types import System

ALL = "all"  # formulations that are registered
LEGEND = "● unique, ○ not unique: a number there belongs to the formulation, not to the machine; – undetermined."


def show_formulations(
    system: System, names: str, until: float, tol: float | None, everything: bool, output: Path | None, as_json: bool
) -> None:
    """Run a model by several formulations; print the table, and write the page where one is asked for."""
    from reactio.integrate.formulation import formulations_of
    from reactio.simulation.formulation_table import compare_formulations

    chosen = () if names.strip() == ALL else formulations_of(names)
    compared = compare_formulations(system, until, chosen, tol=1e-9 if tol is None else tol)
    if as_json:
        print_json(formulations_data(compared))
    else:
        _print(compared, everything)
    if output is not None:
        from reactio.reporting.formulations_page import formulations_page

        write_bytes(output, formulations_page(compared).encode())
        if not as_json:
            wrote(output)


def formulations_data(compared: FormulationTable) -> dict[str, Any]:
    """The table as data; docs/json.md describes it."""
    return {
        "schema": "reactio.formulations/1",
        **picked(compared, "model until tol"),
        "axes": "joint",
        "formulations": [_row_data(row) for row in compared.rows],
        **picked(compared, "reactions summary"),
    }


def _row_data(row: FormulationRow) -> dict[str, Any]:
    data = picked(
        row,
        "name t=run.checkpoint.t motion_error motion_tolerance=formulation.agreement agrees "
        "position_drift=run.position_drift velocity_drift=run.velocity_drift energy_error=run.energy_error "
        "steps=run.checkpoint.steps evaluations=run.checkpoint.evaluations wall_s=run.wall_s "
        "undetermined=formulation.undetermined cite=formulation.cite",
    )
    status = None if row.run is None else row.run.status.name.lower().replace("_", "-")
    return data | {"status": status, "note": row.note or None}


def value_text(component: FormulationReaction, k: int, zero: float) -> str:
    """The number of one formulation with the verdict; – where it is undetermined."""
    value = component.values[k]
    mark = "●" if component.unique else "○"
    return f"{mark} –" if value is None else f"{mark} {number_text(value, zero, unit=component.unit)}"


def _print(compared: FormulationTable, everything: bool) -> None:
    out = console()
    out.print(f"[bold]{escape(compared.model)}[/bold]  {escape(compared.summary)}")
    lines = table(
        f"Formulations, 0 … {compared.until:g} s",
        "formulation", ">motion apart", ">tolerance", ">drift", ">velocities", ">energy", ">steps", ">evaluations",
        ">time s",
    )  # fmt: skip
    for row in compared.rows:
        run = row.run
        if run is None:
            lines.add_row(escape(row.name), "refused", *[""] * 7)
            continue
        energy = "–" if run.energy_error is None else f"{run.energy_error:.1e}"
        ended = f"{row.motion_error:.1e}" if row.reached else f"stopped at {run.checkpoint.t:.4g} s"
        drifts = (f"{run.position_drift:.1e}", f"{run.velocity_drift:.1e}")
        counts = (f"{run.checkpoint.steps:,}", f"{run.checkpoint.evaluations:,}", f"{run.wall_s:.2g}")
        lines.add_row(escape(row.name), ended, f"{row.formulation.agreement:.0e}", *drifts, energy, *counts)
    out.print(lines)
    out.print("Motions are compared with projection, in characteristic lengths and radians.")
    for row in compared.rows:
        if row.note:
            out.print(escape(f"{row.name}: {row.note}"))
    _print_reactions(compared, everything)
    out.print("What each does to undetermined reactions:")
    for row in compared.rows:
        out.print(escape(f"  {row.name}: {row.formulation.undetermined}"))


def _print_reactions(compared: FormulationTable, everything: bool) -> None:
    """Print the components that differ, or all; formulations that leave the undetermined ones open share a column."""
    from reactio.simulation.formulation_table import sharing

    shown = [
        component for component in compared.reactions if everything or not component.unique or component.contradicts
    ]
    if not shown:
        return
    columns = list(range(len(compared.rows))) if everything else sharing(compared)
    zero = rounding(component.values for component in shown)
    lines = table(
        "Reactions at the end, joint axes", "name", "part", *(f">{compared.rows[k].name}" for k in columns), "unit"
    )
    before = ""
    for component in shown:
        numbers = (value_text(component, k, zero) for k in columns)
        lines.add_row(
            escape(component.group) if component.group != before else "",
            component.component,
            *numbers,
            unit_name(component.unit),
        )
        before = component.group
    out = console()
    out.print(lines)
    out.print(LEGEND)
    rest = [compared.rows[k].name for k in range(len(compared.rows)) if k not in columns]
    if rest:
        out.print(escape(f"Left undetermined by {', '.join(rest)}; --all lists every component by every formulation."))
