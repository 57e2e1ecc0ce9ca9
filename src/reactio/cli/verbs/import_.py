"""``reactio import``: a mechanism of another program as a model of our own, with a report of all changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.units import quantity
from reactio.cli.arguments.import_options import import_options
from reactio.cli.arguments.options import AsJson
from reactio.cli.output.printing import GAP_ROWS, console, escape, print_json, print_rest, table

if TYPE_CHECKING:
    from reactio.importers import Options
    from reactio.importers.pipeline import ImportReport

PlacementPrecision = Annotated[
    float | None,
    typer.Option(
        metavar="X", help="Precision of placements as a fraction of the size (default: estimated from the loops)."
    ),
]


def import_(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="FreeCAD, Ondsel, MJCF, URDF, SDF, USD, OpenSim, Adams, MBDyn file.")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the model to this file: .yaml, .xml (MJCF) or .urdf.")
    ] = None,
    units: Annotated[
        str | None, typer.Option(metavar="mm", help="Unit of length of files that do not state one.")
    ] = None,
    keep_fixed: Annotated[
        bool | None,
        typer.Option("--keep-fixed/--merge-fixed", help="Keep fixed joints as joints, or weld their bodies."),
    ] = None,
    free: Annotated[
        bool, typer.Option("--free", help="Let the root of a URDF tree float instead of being ground.")
    ] = False,
    drive: Annotated[bool, typer.Option("--drive", help="Read motions in the file as drives.")] = False,
    stops: Annotated[bool, typer.Option("--stops", help="Read ranges of joints as end stops.")] = False,
    limits_as_couplings: Annotated[
        bool, typer.Option("--limits-as-couplings", help="Read tendons of a narrow range as couplings.")
    ] = False,
    hinges: Annotated[bool, typer.Option("--hinges", help="Read two connects of the same bodies as a hinge.")] = False,
    planar: Annotated[
        bool, typer.Option("--planar", help="Make a planar model of a mechanism that moves in one plane.")
    ] = False,
    precision: PlacementPrecision = None,
    mass_from_mesh: Annotated[
        float | None, typer.Option(metavar="DENSITY", help="Compute masses from meshes with this density, in kg/m³.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Read a mechanism of another program and report what was read.

    With -o the model is also written, as YAML with the report in comments.

    Examples:

      reactio import excavator.FCStd -o excavator.yaml

      reactio import robot.urdf --loops loops.yaml -o robot.yaml

      reactio import hand.xml -o hand.urdf
    """
    from reactio.exporters import check_export, export
    from reactio.importers.options import options_from
    from reactio.importers.pipeline import import_file

    options: Options = options_from(
        {
            "units": units, "keep_fixed": keep_fixed, "free": free, "drives": drive,
            "stops": stops, "limits_as_couplings": limits_as_couplings, "hinges": hinges,
            "precision": precision, "planar": planar,
            "density": mass_from_mesh, **import_options(),
        }
    )  # fmt: skip
    if output is not None:
        check_export(output)
    imported = import_file(source, options)
    head = [f"From {source.name} by `reactio import`.", *imported.report.lines()]
    written = [] if output is None else export(imported.model, output, head)
    if as_json:
        print_json({"schema": "reactio.import/1", "model": imported.model.name, **imported.report.as_data(),
                    "written": [str(path) for path in written]})  # fmt: skip
    else:
        _print(imported.report, written)


def _print(report: ImportReport, written: list[Path]) -> None:
    out = console()
    for line in report.lines():
        out.print(escape(line))
    if report.gaps:
        listing = table("Joints that were open", "name", ">in the file", ">assembled")
        for gap in report.gaps[:GAP_ROWS]:
            listing.add_row(escape(gap.name), f"{quantity(gap.before, 'm', 3)}", f"{quantity(gap.after, 'm', 2)}")
        out.print(listing)
        print_rest(out, len(report.gaps) - GAP_ROWS, "--json lists them")
    for path in written:
        out.print(f"Written to {escape(str(path))}.")
    if not written:
        out.print("-o FILE writes the model; `reactio check` and all other commands read this file as it is.")
