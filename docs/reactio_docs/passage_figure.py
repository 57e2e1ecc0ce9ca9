"""The figure of docs/passage.md: errors of one state near a singular pose, measured on two four-bars laid flat.

``python -m reactio_docs.passage_figure`` writes docs/images/passage.svg.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import reactio
from reactio.arrays import Floats
from reactio.drawing.plots.style import canvas, save
from reactio.forward_dynamics.accelerate import accelerations
from reactio.system.types import State

IMAGE = Path(__file__).parents[1] / "images" / "passage.svg"
ANGLES = np.logspace(-5, -0.3, 95)  # crank angles s from the flat pose [rad]
SPEED = 1.0  # of the cranks [rad/s]
DISTURBANCE = 1e-10  # of every coordinate before the state is projected: what a step of tolerance 1e-9 leaves
# N = 2 four-bars whose cranks stay parallel: ((N + 1)/3 + N) θ̈ = −((N + 1)/2 + N) g cos θ
RATIO = (3 / 2 + 2) / (3 / 3 + 2)
KINDS = {"positions [rad]": "o", "velocities [rad/s]": "s", "accelerations [rad/s²]": "^"}
# Down to which distance a state is used for what: CLEAR and CLOSE of reactio.integrate.projection.clearance.
REACHES = {
    "accelerations are used": (1e-2, 0.5),
    "projections only": (1e-3, 1e-2),
    "interpolated from both sides": (1e-5, 1e-3),
}


def errors(angle: float, rng: np.random.Generator) -> Floats:
    """(3,) largest error of crank angles, rates and accelerations, after such a disturbance."""
    system = reactio.build(reactio.load("n-four-bar", N=2, theta=float(angle), omega=SPEED))
    exact = reactio.assemble(system)
    q, v = (x + DISTURBANCE * rng.standard_normal(len(x)) for x in (exact.q, exact.v))
    here = reactio.assemble(system, State(0.0, q, v))
    vdot = accelerations(reactio.equations(system, here)).vdot
    cranks = [2, 8, 14]
    truth = -9.81 * RATIO * np.cos(angle)
    return np.array([abs(x[cranks] - want).max() for x, want in ((here.q, angle), (here.v, SPEED), (vdot, truth))])


def draw() -> None:
    """Measure the errors and write the figure."""
    rng = np.random.default_rng(0)
    found = np.maximum([errors(angle, rng) for angle in ANGLES], 1e-17)
    figure, grid = canvas(1, 1, width=7.0, height=4.0)
    axis = figure.add_subplot(grid[0, 0])
    for (name, mark), one in zip(KINDS.items(), found.T, strict=True):
        axis.loglog(ANGLES, one, mark, markersize=3, label=name)
    axis.set(xlabel="distance s from the singular pose [rad]", ylabel="error of one projected state", ylim=(1e-12, 1e3))
    for shade, (name, (low, high)) in zip((0.0, 0.06, 0.12), REACHES.items(), strict=True):
        axis.axvspan(low, high, color="black", alpha=shade, linewidth=0)
        axis.text(np.sqrt(low * high), 3e2, name, ha="center", va="top", fontsize=7)
    axis.legend(fontsize=7, loc="upper right", bbox_to_anchor=(1.0, 0.92))
    save(figure, IMAGE)


if __name__ == "__main__":
    draw()
