"""The same mechanism without its redundancy: joints that are let go, or springs in the place of their reactions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reactio.diagnosis.check import check
from reactio.errors import ReactioError
from reactio.model.specs import Joint, Model

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
