"""One motion by several formulations as one self-contained HTML file, in the style of the report."""

from __future__ import annotations

from html import escape
from importlib.resources import files

from reactio.catalogue.units import decimal, in_units, unit_name
from reactio.simulation.formulation_table import FormulationReaction, FormulationRow, FormulationTable

FORMULATIONS_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}, formulations</title><link rel="icon" href="data:,"><style>{style}</style></head>
<body><header><div class="opening"><p class="overline">Reactio · formulations of constrained motion</p><h1>{title}</h1>
<p class="lead">{summary}</p></div></header>
<main><section><p class="dim">Runs from 0 to {until:g} s with steps of a tolerance of {tol:g}. Motions are compared with
projection, in characteristic lengths and radians.</p>
<div class="scroll"><table class="sides"><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div></section>
<section><h2>Reactions at the end</h2><p class="dim">Components on the second body of each joint, in joint axes.
● unique, ○ not unique: a number there belongs to the formulation, not to the machine; – undetermined. Components that
differ are shaded.</p>
<div class="scroll"><table class="sides"><thead><tr>{names}</tr></thead><tbody>{reactions}</tbody></table></div>
</section>
<section><h2>Undetermined reactions</h2><dl>{sentences}</dl></section></main></body></html>
"""
HEADS = ("Formulation", "Motion apart", "Tolerance", "Drift", "Velocities", "Energy", "Steps", "Evaluations", "Time s")


def formulations_page(compared: FormulationTable) -> str:
    """The page: a line for each formulation, then each reaction, then what each does to undetermined ones."""
    style = (files("reactio.reporting") / "page" / "page.css").read_text(encoding="utf-8")
    return FORMULATIONS_PAGE.format(
        title=escape(compared.model),
        style=style,
        summary=escape(compared.summary),
        until=compared.until,
        tol=compared.tol,
        heads="".join(f"<th scope='col'{' class=n' if k else ''}>{text}</th>" for k, text in enumerate(HEADS)),
        rows="".join(map(_line, compared.rows)),
        names="".join(
            f"<th scope='col'>{escape(text)}</th>"
            for text in ("Joint", "Part", *(r.name for r in compared.rows), "Unit")
        ),
        reactions="".join(map(_reaction, compared.reactions)),
        sentences="".join(
            f"<dt>{escape(row.name)}</dt><dd>{escape(row.formulation.undetermined)} "
            f"<span class='dim'>{escape(row.formulation.cite)}. {escape(row.note)}</span></dd>"
            for row in compared.rows
        ),
    )


def _line(row: FormulationRow) -> str:
    """The line of a formulation."""
    run = row.run
    if run is None:
        return f"<tr><th scope='row'>{escape(row.name)}</th><td colspan='{len(HEADS) - 1}'>{escape(row.note)}</td></tr>"
    apart = f"{row.motion_error:.1e}" if row.reached else f"stopped at {run.checkpoint.t:.4g} s"
    energy = "–" if run.energy_error is None else f"{run.energy_error:.1e}"
    cells = (
        apart,
        f"{row.formulation.agreement:.0e}",
        f"{run.position_drift:.1e}",
        f"{run.velocity_drift:.1e}",
        energy,
        f"{run.checkpoint.steps:,}",
        f"{run.checkpoint.evaluations:,}",
        f"{run.wall_s:.2g}",
    )
    shade = "" if row.agrees else " class='differs'"
    return f"<tr{shade}><th scope='row'>{escape(row.name)}</th>{''.join(f'<td class=n>{c}</td>' for c in cells)}</tr>"


def _reaction(reaction: FormulationReaction) -> str:
    """The line of a component."""
    mark = "●" if reaction.unique else "○"
    numbers = ("–" if x is None else decimal(in_units(x, reaction.unit), 5) for x in reaction.values)
    cells = (
        "".join(f"<td class='n'>{mark} {number}</td>" for number in numbers) + f"<td>{unit_name(reaction.unit)}</td>"
    )
    shade = " class='differs'" if reaction.differs else ""
    return f"<tr{shade}><th scope='row'>{escape(reaction.group)}</th><td>{reaction.component}</td>{cells}</tr>"
