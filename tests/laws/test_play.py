"""Play on every joint of the registry: refused in words, or a gap that meets the conditions of optimality."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reactio.catalogue.places import GROUND, End
from reactio.errors import ReactioError
from reactio.flexibility.instant import Instant, instant
from reactio.functions.constant import Constant
from reactio.joints import JOINTS_BY_SPACE
from reactio.kinematics.body_state import model_at
from reactio.model.model import Model
from reactio.model.specs import Elastic, Force, Joint
from tests.laws.manifold import on_manifold
from tests.laws.scenes import JOINTS

WORDS = ("natural", "radial", "axial", "tilt", "torsion", "x", "about_x")
ROUNDING = 1e-9  # of forces and displacements of about one size
# Rolling in the plane is a matter of angles, as that of gears; in space it is one of velocities.
ROLLS = {("planar", "knife-edge"), *(("spatial", name) for name in ("knife-edge", "rolling-disc", "rolling-sphere"))}
ANGLES = {"axes-angle", "orientation", "parallel-axes", "perpendicular-axes"}


def scene(space: str, name: str, play: dict[str, float]) -> Model:
    """A body that a joint of some type and six springs hold together, under a random load."""
    eqs = on_manifold(space, name, (GROUND, "rigid"), 0)
    found, kind, rng = model_at(eqs.system, eqs.state), JOINTS_BY_SPACE[space].get(name), np.random.default_rng(1)
    size, dimension = (6, 3) if space == "spatial" else (3, 2)
    (body,), (given,) = found.bodies, found.joints
    own = {key: value for key, value in given.parameters.items() if key != "EA"}
    stiffness = (2e6,) if len(kind.rows) == 1 else (2e6,) * size
    joint = replace(given, parameters=own, elastic=Elastic(stiffness=stiffness, play=play))
    held = Elastic(stiffness=tuple(rng.uniform(1e6, 3e6, size)))
    base = Joint("base", "fixed", End(GROUND, body.position, body.orientation), End(body.name), elastic=held)
    along = tuple(Constant(float(x)) for x in rng.normal(0, 1e3, dimension))
    pull = Force("pull", "force", {"at": End(body.name, (0.3,) * dimension), "force": along})
    return replace(found, joints=(joint, base), drives=(), forces=(pull,), gravity=(0.0,) * dimension)


def solved(space: str, name: str, play: dict[str, float]) -> Instant | None:
    """The scene at its instant; None where such play is refused."""
    try:
        here = instant(scene(space, name, play))
        assert here.whole.solution is not None
    except ReactioError as error:
        if "joint 'J'" not in str(error):
            raise
        return None
    return here


def check_optimal(here: Instant) -> None:
    """C ξ = F λ − d + δ + Aᵀs with s in every gap, pressed to its boundary by w = A λ; loads balanced."""
    found = here.whole
    solution, elastic = found.solution, found.elastic
    assert solution is not None
    lam, r = solution.lam, elastic.F @ solution.lam - elastic.d + elastic.delta
    size = float(np.abs(lam).max())
    for gap, s in zip(solution.gaps, solution.s, strict=True):
        w = gap.A @ lam[gap.rows]
        np.add.at(r, gap.rows, gap.A.T @ s)
        loaded = bool(np.abs(w).max() > ROUNDING * size)
        if gap.radius is not None:
            most = gap.radius * float(np.linalg.norm(w))
            assert np.linalg.norm(s) <= gap.radius * (1 + ROUNDING)
        else:
            most = float(w[0]) * (gap.upper if w[0] > 0 else gap.lower) if loaded else 0.0
            assert gap.lower - ROUNDING <= s[0] <= gap.upper + ROUNDING
        assert float(w @ s) == pytest.approx(most if loaded else 0.0, abs=ROUNDING * size * 1e-4)  # h_K(w) = w·s
    C = here.eqs.C.toarray()
    xi = np.linalg.lstsq(C, r, rcond=None)[0]
    assert np.abs(C @ xi - r).max() <= ROUNDING * max(1e-4, np.abs(r).max())
    assert np.abs(C.T @ lam - here.motion.f).max() <= ROUNDING * size


@pytest.mark.parametrize(("space", "name"), JOINTS)
def test_play_of_every_joint_meets_the_conditions_or_is_refused(space: str, name: str) -> None:
    known = 0
    for word in WORDS:
        here = solved(space, name, {word: 1e-4})
        if here is None:
            continue
        known += 1
        check_optimal(here)
        tight, closed = solved(space, name, {word: 1e-16}), instant(scene(space, name, {})).whole.lam
        assert tight is not None
        assert tight.whole.lam == pytest.approx(closed, abs=ROUNDING * float(np.abs(closed).max()))
    if (space, name) in ROLLS:
        assert known == 0
    elif name in ANGLES:
        assert solved(space, name, {"natural": 1e-4}) is None
    else:
        assert known > 0
