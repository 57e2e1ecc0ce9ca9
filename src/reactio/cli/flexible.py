"""``reactio flexible``: which parts must be flexible, and what each of them means for the split."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reactio.cli.common import (
    AsJson,
    At,
    Settings,
    Source,
    console,
    escape,
    plural,
    prepare,
    print_json,
    read_source,
    table,
)

if TYPE_CHECKING:
    from reactio.flexibility.certificate import Certificate


def flexible(
    source: Source,
    settings: Settings = None,
    only: Annotated[
        str,
        typer.Option("--only", metavar="NAMES", help="Judge a choice: only these parts flexible, all others rigid."),
    ] = "",
    at: At = None,
    plot: Annotated[
        str, typer.Option("--plot", metavar="FILE", help="Draw shares and changes as bars into a picture.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Say which parts must be flexible, and what each decides.

    For every joint and body that gives way: its share of the self-stress energy, needed or not, and what leaving
    it rigid would change.

    Stiffness comes from the model: `stiffness` of joints, `flexible` bodies.

      reactio flexible door --set hinges=2 --set bushings=1

      reactio flexible spatial-parallelogram --set links=beam --set platform=plate --only link1,link3
    """
    from reactio.flexibility.certificate import flexible as certify
    from reactio.simulation.state_at import state_at
    from reactio.system.build import build

    model = read_source(source, settings)
    prepare(model.space)
    system = build(model, halves=False)
    names = [name.strip() for name in only.split(",") if name.strip()]
    found = certify(system, only=names or None, state=state_at(system, at) if at else None)
    if plot:
        from reactio.figures.flexibility import draw_certificate

        draw_certificate(found, plot)
    if as_json:
        print_json(found.as_data())
        return
    _print(found)


def _print(found: Certificate) -> None:
    out = console()
    out.print(
        f"[bold]{escape(found.model)}[/], t = {found.t:g} s: "
        f"{plural(found.redundancy, 'self-stress', 'self-stresses')}."
    )
    if not found.redundancy:
        out.print("Nothing is redundant: every reaction is unique, and stiffness has no part in it.")
        return
    if not found.parts:
        out.print("All parts are rigid. Give joints a `stiffness`, or make bodies `flexible`.")
    made = table("Parts that give way", "part", "kind", ">share", ">change if rigid", "verdict")
    for part in sorted(found.parts, key=lambda p: -p.share):
        change = "open" if part.change_if_rigid is None else f"{part.change_if_rigid:.4g} N"
        made.add_row(
            escape(part.name), part.kind, f"{100 * part.share / found.redundancy:.1f} %", change, escape(part.reason)
        )
    if found.parts:
        out.print(made)
    if found.open_count:
        out.print(
            f"[red]Still redundant[/]: {plural(found.open_count, 'self-stress is', 'self-stresses are')} open, in "
            f"{escape(', '.join(found.open[:8]))}. Could decide: {escape(', '.join(found.could_decide[:10]))}."
        )
    out.print(f"This choice: {escape(found.advice)}.")
    closing = [gap for gap in found.gaps if gap.size]
    for gap in closing:
        size = f"{1e3 * gap.size:.4g} {'mm' if gap.unit == 'm' else 'mrad'}"
        out.print(f"Assembly must close {size} along the self-stress of {escape(', '.join(gap.joints[:8]))}.")
    if (valid := found.validity) is not None:
        inertia = "not known" if valid.inertia is None else f"{100 * valid.inertia:.3g} % of the loads"
        out.print(
            f"Level 1 (rigid motion and least complementary energy): elastic rotation {1e3 * valid.rotation:.3g} mrad, "
            f"inertia of elastic motion {inertia}, condition of H {found.condition:.2g}. Vibration after sudden "
            "loads is "
            "not in it."
        )
    for note in found.notes:
        out.print(escape(note))
