"""The same mechanism without its redundancy: joints that are let go, alone or with bushings in their place."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reactio.diagnosis.check import check
from reactio.errors import ReactioError
from reactio.joints import SPATIAL
from reactio.model.specs import Force, Joint, Model
from reactio.system.length import characteristic_length

# What a joint becomes when it gives up some of its rows; the nearest first.
RELEASES = {
    "fixed": ("revolute", "prismatic", "cylindrical", "spherical"),
    "revolute": ("cylindrical", "spherical", "point-on-line", "point-on-plane"),
    "prismatic": ("cylindrical", "point-on-line", "point-on-plane"),
    "cylindrical": ("point-on-line", "point-on-plane"),
    "universal": ("spherical", "point-on-line", "point-on-plane"),
    "constant-velocity": ("spherical", "point-on-line"),
    "spherical": ("point-on-line", "point-on-plane"),
    "planar": ("point-on-plane",),
    "point-on-line": ("point-on-plane",),
}


@dataclass(frozen=True, slots=True)
class Release:
    """A joint that was let go."""

    joint: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"'{self.joint}': {self.before} → {self.after}"


def released(model: Model) -> tuple[Model, tuple[Release, ...]]:
    """The model with joints released one after the other until no equation is redundant, its mobility unchanged.

    Greedy: of all releases that keep the mobility, the one that takes out most redundancy is made, then the next.

    >>> import reactio
    >>> exact, made = released(reactio.load("four-bar-spatial"))
    >>> reactio.check(exact).redundancy, len(made) > 0
    (0, True)
    """
    if model.space != "spatial":
        raise ReactioError("Releases are looked for in space; in the plane a redundant joint is one too many.")
    made: list[Release] = []
    answer = check(model)
    while answer.redundancy:
        options = list(_options(model, {group.name for group in answer if str(group.verdict) != "unique"}))
        tried = [(check(other), other, release) for other, release in options]
        fitting = [one for one in tried if one[0].mobility == answer.mobility and one[0].redundancy < answer.redundancy]
        if not fitting:
            raise ReactioError(
                f"No release of a single joint takes out the last {answer.redundancy} redundant equations without a "
                "new freedom; change the mechanism."
            )
        answer, model, release = min(fitting, key=lambda one: one[0].redundancy)
        made.append(release)
    return model, tuple(made)


def _options(model: Model, open_joints: set[str]) -> list[tuple[Model, Release]]:
    counted = {along.joint for c in model.couplings for along in c.along} | {d.along.joint for d in model.drives}
    found = []
    for k, joint in enumerate(model.joints):
        if joint.name not in open_joints or joint.name in counted:
            continue
        for kind in RELEASES.get(joint.type, ()):
            joints = (*model.joints[:k], Joint(joint.name, kind, joint.a, joint.b), *model.joints[k + 1 :])
            found.append((replace(model, joints=joints), Release(joint.name, joint.type, kind)))
    return found


def bushed(model: Model, stiffness: float) -> tuple[Model, tuple[Release, ...]]:
    """The model with released joints held by bushings in the directions that were let go.

    ``stiffness`` k [N/m] along axes, k L² [N m/rad] about them with the characteristic length L: the load of redundant
    joints is shared by a stated stiffness instead of by accident.

    >>> import reactio
    >>> soft, made = bushed(reactio.load("four-bar-spatial"), 1e6)
    >>> len(soft.forces) >= len(made) > 0, reactio.check(soft).redundancy
    (True, 0)
    """
    if not stiffness > 0:
        raise ReactioError(f"The stiffness of a bushing is {stiffness:g} N/m; it must be positive.")
    if any(body.mass is None for body in model.bodies):
        raise ReactioError(f"'{model.name}' has bodies without mass; bushings are loads, which need them.")
    turning = stiffness * characteristic_length(model) ** 2
    exact, made = released(model)
    forces = []
    for name in dict.fromkeys(release.joint for release in made):
        before, after = model.joint(name), exact.joint(name)
        gone = _free(after.type) - _free(before.type)
        sizes = [stiffness if part in gone else 0.0 for part in PARTS[:3]]
        sizes += [turning if part in gone else 0.0 for part in PARTS[3:]]
        K = tuple(tuple(size if i == k else 0.0 for i in range(6)) for k, size in enumerate(sizes))
        forces.append(Force(f"bushing of {name}", "bushing", {"a": after.a, "b": after.b, "stiffness": K}))
    return replace(exact, forces=(*exact.forces, *forces)), made


PARTS = ("x", "y", "z", "turn x", "turn y", "turn z")


def _free(kind: str) -> set[str]:
    """Directions along and about the axes of a joint in which it gives way, in the pose where its frames coincide."""
    named = {f.axis if not f.rotates else f"turn {f.axis}" for f in SPATIAL.get(kind).free if f.axis}
    return named | ({"turn x", "turn y"} if kind == "constant-velocity" else set())
