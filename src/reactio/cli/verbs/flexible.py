"""``reactio flexible``: which parts must be flexible, and what each of them means for the split."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import quantity, small_quantity, unit_name
from reactio.cli.arguments.options import AsJson, At, InAxes, Settings, Source, finite
from reactio.cli.arguments.sources import read_source
from reactio.cli.output.printing import console, escape, plural, print_json, table
from reactio.errors import listed

if TYPE_CHECKING:
    from reactio.flexibility.certificate import Certificate
    from reactio.system.types import State, System


def flexible(
    source: Source,
    settings: Settings = None,
    only: Annotated[
        str,
        typer.Option("--only", metavar="NAMES", help="Judge a choice: only these parts are flexible."),
    ] = "",
    at: At = None,
    axes: InAxes = ReactionAxes.JOINT,
    corrected: Annotated[
        bool,
        typer.Option(
            "--corrected",
            help="Also compute forces with equilibrium at the displaced pose and inertia of elastic motion.",
        ),
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw shares and changes as bars into a picture.")
    ] = None,
    deformed: Annotated[
        Path | None, typer.Option("--deformed", metavar="FILE", help="Draw the deformed mechanism into a picture.")
    ] = None,
    scale: Annotated[
        float | None,
        typer.Option(callback=finite, help="Scale of drawn displacements (default: chosen to be visible)."),
    ] = None,
    self_stress: Annotated[
        Path | None,
        typer.Option("--self-stress", metavar="FILE", help="Draw a self-stress on parts coloured by their share."),
    ] = None,
    which: Annotated[int, typer.Option("--which", min=1, help="Number of the self-stress to draw.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Show which parts must be flexible, and which reactions each determines.

    Lists for every flexible joint and body its share of the self-stress energy, whether it is needed, and the change
    if it were rigid.

    Stiffness comes from the model: `stiffness` of joints, `flexible` bodies.

      reactio flexible door --set hinges=2 --set bushings=1

      reactio flexible spatial-parallelogram --set links=beam --set platform=plate --only link1,link3

      reactio flexible shaft-three-bearings --deformed shaft.png
    """
    from reactio.flexibility.certificate import flexible as certify
    from reactio.joint_reactions.closing import with_closing_contacts
    from reactio.simulation.state_at import state_at
    from reactio.system.compile.build import build

    for path in (plot, deformed, self_stress):
        if path is not None:
            _check(path)
    model = with_closing_contacts(read_source(source, settings))
    system = build(model, vibration=False).in_axes(axes)
    names = [name.strip() for name in only.split(",") if name.strip()] or None
    state = state_at(system, at) if at else None
    certificate = certify(system, only=names, state=state)
    better = _corrected(system, state, names) if corrected else None
    if as_json:
        print_json({**certificate.as_data(), **({} if better is None else {"forces": better})})
    else:
        _print(certificate)
        if better is not None:
            _print_corrected(better, axes)
    for line in _draw(system, state, certificate, names, plot, deformed, scale, self_stress, which):
        if not as_json:
            console().print(line)


def _check(path: Path) -> None:
    from reactio.drawing.plots.style import checked

    checked(path)


def _draw(
    system: System,
    state: State | None,
    certificate: Certificate,
    only: list[str] | None,
    plot: Path | None,
    deformed: Path | None,
    scale: float | None,
    self_stress: Path | None,
    which: int,
) -> Iterator[str]:
    """The pictures that were asked for."""
    from reactio.drawing.plots.deformed import draw_deformed, draw_self_stress
    from reactio.drawing.plots.flexibility import draw_certificate
    from reactio.flexibility.deformation import deformation
    from reactio.flexibility.instant import instant

    if plot is not None:
        draw_certificate(certificate, plot)
        yield f"Shares and changes: {escape(str(plot))}."
    if deformed is not None:
        used = draw_deformed(deformation(system, state, only), deformed, scale, certificate.validity)
        yield f"Deformed shape, displacements × {used:g}: {escape(str(deformed))}."
    if self_stress is not None:
        draw_self_stress(instant(system, state), certificate, self_stress, which)
        yield f"Self-stress {which}: {escape(str(self_stress))}."


def _corrected(system: System, state: State | None, only: list[str] | None) -> dict[str, dict[str, list[float]]]:
    """Forces at level 1 and corrected, by joint."""
    from reactio.flexibility.instant import instant
    from reactio.flexibility.sensitivity import corrected

    now = instant(system, state)
    chosen_parts = now if only is None else replace(now, elastic=now.elastic.only(only))
    before, after = chosen_parts.components(chosen_parts.whole.lam), chosen_parts.components(corrected(chosen_parts))
    return {name: {"level_1": before[name].tolist(), "corrected": after[name].tolist()} for name in before}


def _print_corrected(better: dict[str, dict[str, list[float]]], axes: ReactionAxes) -> None:
    heads = ("name", f"level 1, {unit_name('N')} and {unit_name('N m')}, {axes} axes", "corrected")
    listing = table("Equilibrium in the displaced pose, with f − Mξ̈", *heads)
    for name, forces in better.items():
        cells = (", ".join(f"{x:.5g}" for x in forces[key]) for key in ("level_1", "corrected"))
        listing.add_row(escape(name), *cells)
    console().print(listing)


def _print(certificate: Certificate) -> None:
    out = console()
    out.print(
        f"[bold]{escape(certificate.model)}[/], t = {certificate.t:g} s: "
        f"{plural(certificate.redundancy, 'self-stress', 'self-stresses')}."
    )
    if not certificate.redundancy:
        out.print("Nothing is redundant: every reaction is unique, and does not depend on stiffness.")
        return
    if not certificate.parts:
        out.print("All parts are rigid. Give joints a `stiffness`, or make bodies `flexible`.")
    listing = table("Flexible parts", "part", "kind", ">share", ">change if rigid", "verdict")
    for part in sorted(certificate.parts, key=lambda p: -p.share):
        change = "undetermined" if part.change_if_rigid is None else quantity(part.change_if_rigid, part.unit)
        listing.add_row(
            escape(part.name),
            part.kind,
            f"{100 * part.share / certificate.redundancy:.1f} %",
            change,
            escape(part.reason),
        )
    if certificate.parts:
        out.print(listing)
    if certificate.open:
        joints = list(dict.fromkeys(name for stress in certificate.open for name in stress.joints))
        out.print(
            f"[red]Still redundant[/]: {plural(len(certificate.open), 'self-stress is', 'self-stresses are')} "
            f"undetermined, in {escape(listed(joints, most=8))}. Could determine them: "
            f"{escape(listed(certificate.could_decide, most=10))}."
        )
    out.print(f"This choice: {escape(certificate.advice)}.")
    closing = [gap for gap in certificate.gaps if gap.size]
    for gap in closing:
        size = small_quantity(abs(gap.size), gap.unit, 4)
        out.print(f"Assembly must close {size} along the self-stress of {escape(listed(gap.joints, most=8))}.")
    if (valid := certificate.validity) is not None:
        inertia = "not known" if valid.inertia is None else f"{100 * round(valid.inertia, 9):.3g} % of the loads"
        stretch = (
            "not known without a mass matrix" if valid.centrifugal is None else quantity(valid.centrifugal, "N", 3)
        )
        out.print(
            "Level 1 (rigid motion and least complementary energy): elastic rotation "
            f"{small_quantity(valid.rotation, 'rad')}, "
            f"inertia of elastic motion {inertia}, centrifugal stretch {stretch}, condition of H "
            f"{certificate.condition:.2g}{f', N/N_Euler {valid.buckling:.2g}' if valid.buckling else ''}. Vibration "
            "after sudden loads is not included."
        )
    for note in certificate.notes:
        out.print(escape(note))
