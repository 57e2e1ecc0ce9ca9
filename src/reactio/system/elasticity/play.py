"""Play of joints at one pose, as gap sets in the rows of C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from reactio.arrays import Floats
from reactio.bearings import BEARINGS
from reactio.errors import ModelError
from reactio.model.bearing import bearing_numbers
from reactio.model.elastic import COMPONENTS
from reactio.model.play import ALONG, NATURAL, one_way_gap
from reactio.model.specs import Elastic
from reactio.sharing.elasticity import GapSet, LoadLaw
from reactio.system.equations import Equations
from reactio.system.types import RowGroup


def play_gaps(
    eqs: Equations, group: RowGroup, elastic: Elastic, D: Floats | None, gain: Floats | float
) -> Iterator[GapSet]:
    """The gap sets of a joint or coupling; D (…, rows, 6) as in ``rows_of``, ``gain`` that of a single row."""
    rows = np.arange(group.start, group.stop)
    if not elastic.play:
        return
    if any(group.unilateral):
        upper = float(np.abs(gain)) * one_way_gap(elastic.play)
        yield GapSet(group.name, "depth", rows[:1], np.ones((1, 1)), upper=upper)
        return
    if not eqs.system.holonomic[group.start : group.stop].all():
        raise _free(group, next(iter(elastic.play)), "rolls and holds velocities, which have no gap")
    turning = D is not None and not D[..., : eqs.system.dimension].any()
    for word, size in elastic.play.items():
        if turning and word in (NATURAL, ALONG):
            raise _free(group, word, "holds angles alone; name one, as in {tilt: 1 mrad} or {torsion: 1 mrad}")
        if size <= 0.0:  # pressed together: both sides of the gap stay in contact
            continue
        if D is None or word == ALONG or (word == NATURAL and len(rows) == 1):
            if len(rows) > 1:
                raise _free(group, word, f"has {len(rows)} equations; name a direction, as in {{radial: …}}")
            yield GapSet(group.name, word, rows, np.abs(gain)[..., None, None], -size, size)
            continue
        names = directions(eqs, group, D, word)
        A = D[..., [COMPONENTS[eqs.system.space].index(name) for name in names]].swapaxes(-1, -2)
        if len(names) == 1:
            yield GapSet(group.name, word, rows, A, -size, size)
        else:
            yield GapSet(group.name, word, rows, A, radius=size)


def bearing_laws(
    eqs: Equations, group: RowGroup, elastic: Elastic, bearing: Mapping[str, float | str], D: Floats | None
) -> Iterator[LoadLaw]:
    """The nonlinear stiffness of the bearing in a joint, along the directions that the joint holds.

    A joint with a `stiffness` of its own has that one.
    """
    if not bearing or elastic.stiffness or D is None:
        return
    names, numbers = COMPONENTS[eqs.system.space], bearing_numbers(bearing)
    for word, law in BEARINGS.get(str(bearing["type"])).laws(numbers).items():
        held = [name for name in ("x", "y") if word == "radial"] or ["z"]
        columns = [names.index(name) for name in held if name in names and D[..., names.index(name)].any()]
        if columns:
            yield LoadLaw(
                group.name, np.arange(group.start, group.stop), D[..., columns].swapaxes(-1, -2), law.a, law.p
            )


def directions(eqs: Equations, group: RowGroup, D: Floats, word: str) -> tuple[str, ...]:
    """The components of a word: those of one gap, a disc or ball where there are several.

    Radial, or the one number of a joint: across its axis z, and in all directions where the joint leaves its axis free
    to tilt, as a ball in a socket does.
    """
    names = COMPONENTS[eqs.system.space]
    held = {name for i, name in enumerate(names) if D[..., i].any()}
    across: tuple[str, ...] = tuple(name for name in ("x", "y") if name in held)
    tilts = {"about_x", "about_y"} <= held
    wanted: tuple[str, ...]
    if word in (NATURAL, "radial", "lateral"):
        wanted = across if across and (tilts or "z" not in held) else tuple(n for n in ("x", "y", "z") if n in held)
    else:
        wanted = {"axial": ("z",), "tilt": ("about_x", "about_y"), "torsion": ("about_z",)}.get(word, (word,))
    missing = [name for name in wanted if name not in held]
    if not wanted or missing:
        where = missing[0] if missing else "any direction of its place"
        raise _free(group, word, f"leaves {where} free")
    return wanted


def _free(group: RowGroup, word: str, why: str) -> ModelError:
    word = "" if word == NATURAL else f" ({word})"
    return ModelError(
        f"joint '{group.name}' ({group.type}): play{word} where the joint {why}: a gap is where it holds.",
        ("joints", group.name, "play"),
    )
