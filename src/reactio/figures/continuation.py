"""T and generalised velocities, made afresh and continued: Figs 10, 11 and 15 of Masarati, Quro & Zanoni 2023."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reactio.errors import ReactioError, did_you_mean
from reactio.figures.style import canvas, save
from reactio.singular.passages.continued_bases import Bases

COMPONENT_NAMES = {"planar": ("x", "y", "θ"), "spatial": ("x", "y", "z", "ω x", "ω y", "ω z")}
TITLES = ("QR factorisation made afresh", "continued")


def plot_bases(found: Bases, body: str, path: str | Path | None = None) -> Any:
    """The rows of T of one body in time: made afresh (Fig. 10) and continued (Fig. 11)."""
    system = found.system
    if body not in system.model.body_index:
        raise ReactioError(f"There is no body '{body}'.{did_you_mean(body, system.model.body_index)}")
    b = system.model.body_index[body]
    first, stop = int(system.body_v[b]), int(system.body_v[b + 1])
    figure, grid = canvas(1, 2)
    for k, (T, title) in enumerate(zip((found.plain, found.smooth), TITLES, strict=True)):
        axis = figure.add_subplot(grid[0, k])
        for i in range(first, stop):
            for column in range(T.shape[2]):
                label = f"{COMPONENT_NAMES[system.space][i - first]}" + (
                    f", column {column + 1}" if T.shape[2] > 1 else ""
                )
                axis.plot(found.t, T[:, i, column], ".", markersize=2, label=label)
        axis.set(title=f"T of {body}: {title}", xlabel="t [s]", ylim=(-1.05, 1.05))
        axis.legend(fontsize=7)
    return _kept(figure, path)


def plot_velocities(found: Bases, path: str | Path | None = None) -> Any:
    """The generalised velocities in time, made afresh and continued (Fig. 15)."""
    figure, grid = canvas(1, 2)
    for k, (u, title) in enumerate(zip((found.u_plain, found.u_smooth), TITLES, strict=True)):
        axis = figure.add_subplot(grid[0, k])
        for i in range(u.shape[1]):
            axis.plot(found.t, u[:, i], ".", markersize=2, label=f"u{i + 1}")
        axis.set(title=f"generalised velocities: {title}", xlabel="t [s]", ylabel="u [m/s]")
        axis.legend(fontsize=7)
    return _kept(figure, path)


def plot_diagonal(found: Bases, path: str | Path | None = None) -> Any:
    """The diagonal elements of R in time; at a singular configuration some vanish (Figs 2, 5, 8 and 14)."""
    figure, grid = canvas(1, 1)
    axis = figure.add_subplot(grid[0, 0])
    axis.plot(found.t, found.diagonal, linewidth=1)
    axis.set(xlabel="t [s]", ylabel="|R_ii|", ylim=(0, None))
    return _kept(figure, path)


def _kept(figure: Any, path: str | Path | None) -> Any:
    if path is not None:
        save(figure, Path(path))
    return figure
