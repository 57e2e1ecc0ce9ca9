"""Flexibility on the mechanism: its deformed shape with a scale, its self-stress on parts coloured by share."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.units import small_quantity
from reactio.drawing.arrows import loads, stress_arrows
from reactio.drawing.figure import Sheet, blank, paint, suffix_of
from reactio.drawing.frames import axes, placed
from reactio.drawing.parts import PartRole
from reactio.drawing.plots.style import save
from reactio.drawing.scene import scene
from reactio.drawing.style import mixed
from reactio.errors import ReactioError
from reactio.flexibility.certificate import Certificate
from reactio.flexibility.deformation import Deformation
from reactio.flexibility.instant import Instant
from reactio.flexibility.validity import Validity
from reactio.space.rotations import axes_of, exponential
from reactio.system.equations import equations
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Part of the size of the mechanism that the largest displacement is drawn as, when no scale is given.
DRAWN_DISPLACEMENT = 0.06
NO_SHARE_COLOUR, LARGEST_SHARE_COLOUR = "#F2F2F2", "#B2182B"


def visible_scale(deformation: Deformation) -> float:
    """A scale of 1, 2 or 5 times a power of ten that makes displacements visible."""
    if not deformation.largest > 0:
        return 1.0
    wanted = DRAWN_DISPLACEMENT * deformation.here.eqs.system.length / deformation.largest
    power = 10.0 ** math.floor(math.log10(wanted))
    return max(step * power for step in (1, 2, 5) if step * power <= wanted)


def displaced_frames(deformation: Deformation, scale: float) -> Floats:
    """(k, 12) frames of the deformed mechanism, displacements times a scale."""
    eqs = deformation.here.eqs
    state = eqs.state
    moved = equations(eqs.system, State(state.t, advance(eqs.system, state.q, scale * deformation.xi), state.v))
    frames = placed(moved)
    for k, twist in enumerate(deformation.frames):
        frames[k, :3] += scale * twist[:3]
        x, y, z = (scale * twist[3:]).tolist()
        # Rows are axes: each turns by the rotation vector.
        frames[k, 3:] = (axes(frames[k]) @ np.array(axes_of.plain(exponential.plain((x, y, z))))).ravel()
    return frames


def draw_deformed(
    deformation: Deformation, path: str | Path, scale: float | None = None, validity: Validity | None = None
) -> float:
    """The deformed mechanism over its rigid pose, in pale; the scale it was drawn with."""
    suffix_of(path)
    eqs = deformation.here.eqs
    by = visible_scale(deformation) if scale is None else scale
    figure, axes = blank()
    still = placed(eqs)
    drawn = scene(eqs)
    drawn = replace(drawn, parts=tuple(part for part in drawn.parts if part.role is not PartRole.MASS))
    sheet = Sheet(drawn, displaced_frames(deformation, by), tuple(eqs.system.model.body_index))
    paint(axes, sheet, eqs.system.model.gravity, ghosts=np.array([still, still]))
    trust = "" if validity is None else f"\nelastic rotation {small_quantity(validity.rotation, 'rad')}"
    if validity is not None and validity.inertia is not None:
        trust += f", inertia of elastic motion {100 * round(validity.inertia, 9):.2g} % of the loads"
    axes.set_title(
        f"{eqs.system.model.name}, t = {eqs.state.t:g} s: displacements × {by:g}, "
        f"the largest is {small_quantity(deformation.largest, 'm')}{trust}",
        fontsize=9,
    )
    save(figure, Path(path))
    return by


def draw_self_stress(now: Instant, certificate: Certificate, path: str | Path, which: int = 1) -> None:
    """Arrows of a self-stress n on the mechanism, parts coloured by their share nᵀF_e n / nᵀF n of its energy."""
    suffix_of(path)
    known = now.answer.self_stress
    if not 1 <= which <= len(known):
        raise ReactioError(f"'{certificate.model}' has {len(known)} self-stresses; there is no number {which}.")
    figure, axes = blank()
    model, eqs = now.eqs.system.model, now.eqs
    shares = _energies(now, [part.name for part in certificate.parts if part.flexible], known[which - 1].lam)
    top = max(shares.values(), default=0.0) or 1.0
    colours = {name: mixed(NO_SHARE_COLOUR, LARGEST_SHARE_COLOUR, share / top) for name, share in shares.items()}
    sheet = Sheet(scene(eqs), placed(eqs), tuple(model.body_index), loads(eqs), colours=colours)
    paint(axes, sheet, model.gravity, stress_arrows(eqs, known[which - 1]))
    _bar(figure, axes, top)
    axes.set_title(f"{certificate.model}, t = {certificate.t:g} s: self-stress {which} of {len(known)}", fontsize=9)
    save(figure, Path(path))


def _energies(now: Instant, names: list[str], lam: Floats) -> dict[str, float]:
    """The share of every flexible part in the elastic energy of multipliers λ (m,)."""
    parts = [now.elastic.part(name) for name in names]
    energy = {part.name: float(lam[part.rows] @ part.F @ lam[part.rows]) for part in parts}
    total = sum(energy.values())
    return {name: part_energy / total if total else 0.0 for name, part_energy in energy.items()}


def _bar(figure: Figure, axes: Any, top: float) -> None:
    """The scale of the colours."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    scale = ScalarMappable(
        Normalize(0.0, 100 * top), LinearSegmentedColormap.from_list("share", [NO_SHARE_COLOUR, LARGEST_SHARE_COLOUR])
    )
    figure.colorbar(scale, ax=axes, shrink=0.6, label="share of its elastic energy [%]")
