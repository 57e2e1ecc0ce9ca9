"""``reactio export``: a model for another program, as it is or without its redundancy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from reactio.catalogue.units import in_si, unit_name
from reactio.cli.arguments.options import AsJson, Settings, Source
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.printing import console, escape, print_json
from reactio.errors import ReactioError


def export(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file: .yaml, .xml or .mjcf (MuJoCo), .urdf.")],
    settings: Settings = None,
    released: Annotated[
        bool, typer.Option("--released", help="Release joints until no equation is redundant (exact constraint).")
    ] = False,
    bushing: Annotated[
        float | None,
        typer.Option(
            metavar="K",
            help="Release joints, and hold the released components by bushings of K, in the file's force per length "
            "(YAML only).",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a model for another program.

    Joints that close loops become connect or weld in MJCF, and are listed in a YAML file next to a URDF. Simulators
    distribute the load of redundant joints arbitrarily: --released writes a statically determinate mechanism instead,
    --bushing one whose released components are held by bushings of a stated stiffness.

    Examples:

      reactio export four-bar-spatial -o four-bar.xml

      reactio export four-bar-spatial --released -o exact.urdf
    """
    from reactio.exporters import check_export, check_model, left_out, texts
    from reactio.exporters import export as written
    from reactio.exporters.variants import bushed
    from reactio.exporters.variants import released as let_go

    if bushing is not None and (released or output.suffix.lower() not in (".yaml", ".yml")):
        raise ReactioError("--bushing works without --released and writes YAML: MJCF and URDF have no such bushings.")
    check_export(output)
    model = read_source(source, settings)
    head = [f"From {source} by `reactio export`."]
    changes: list[str] = []
    check_model(model, output)
    if released:
        model, releases = let_go(model, lambda exact: texts(exact, output))
        changes = [f"released {release}" for release in releases]
    if bushing is not None:
        model, releases = bushed(model, in_si(bushing, "N/m"))
        changes = [f"released {release}, held by a bushing of {bushing:g} {unit_name('N/m')}" for release in releases]
    missing = left_out(model, output)
    files = written(model, output, [*head, *changes])
    if as_json:
        print_json({"schema": "reactio.export/1", "model": model.name, "changes": changes,
                    "left_out": missing, "written": [str(path) for path in files]})  # fmt: skip
        return
    out = console()
    for change in (*changes, *missing):
        out.print(escape(change))
    for path in files:
        out.print(f"Written to {escape(str(path))}.")
