"""The same mechanism without its redundancy: joints that are released, alone or with bushings in their place."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from reactio.design.catalogue import Release
from reactio.design.releases import releases
from reactio.errors import ReactioError
from reactio.model.model import Model
from reactio.model.specs import Force
from reactio.system.compile.length import characteristic_length
from reactio.system.constraints import LABELS

MOST_SETS_TRIED = 5_000  # sets of releases that are tried: half a minute at 7 ms for each that cannot be written
MANY_SETS = 1_000  # of releases, above which a message announces that trying them takes many seconds
MANY_JOINTS = 20  # of a model, above which a message announces that finding releases takes seconds
log = logging.getLogger("reactio")


def released(
    model: Model, writable: Callable[[Model], object] = lambda released: None, components: bool = False
) -> tuple[Model, tuple[Release, ...]]:
    """The model with the cheapest releases after which no equation is redundant and the mobility is as before.

    They are those that ``reactio.releases`` proposes; the first counts for which ``writable`` raises no error and,
    with ``components``, each of whose releases lets go single components of forces and moments.

    >>> import reactio
    >>> exact, made = released(reactio.load("four-bar-spatial"))
    >>> reactio.check(exact).redundancy, len(made) > 0
    (0, True)
    """
    if len(model.joints) > MANY_JOINTS:
        log.info(f"{model.name}: searching for joints to release …")
    advice = releases(model)
    if not advice.redundancy:
        return model, ()
    refused: ReactioError | None = None
    failed: list[str] = []  # sets that the search found and the check of the changed model does not confirm
    if len(advice.complete) > MANY_SETS:
        log.info(f"{model.name}: {len(advice.complete):,} sets of releases; trying to write them …")
    for proposal in advice.complete[:MOST_SETS_TRIED]:
        if components and not all(release.lets_go for release in proposal.releases):
            continue
        try:
            writable(proposal.released)
        except ReactioError as error:
            refused = refused or error
            continue
        if proposal.verdicts.redundancy or proposal.verdicts.mobility != advice.mobility:
            failed.append(
                f"Release of {', '.join(release.joint for release in proposal.releases)} would leave "
                f"{proposal.verdicts.redundancy} redundant equations and mobility {proposal.verdicts.mobility} "
                f"instead of {advice.mobility}."
            )
            continue
        return proposal.released, proposal.releases
    if refused is not None:
        tried, count = min(MOST_SETS_TRIED, len(advice.complete)), len(advice.complete)
        sets = f"{count:,} sets" if tried == count else f"the first {tried:,} of {count:,} sets"
        raise ReactioError(f"None of {sets} of releases can be written. The first: {refused}")
    advise = "`reactio advise SOURCE` has the options." if "--" in " ".join(advice.notes) else ""
    raise ReactioError(f"'{model.name}' cannot be released: {' '.join((*failed[:1], *advice.notes, advise)).rstrip()}")


def bushed(model: Model, stiffness: float) -> tuple[Model, tuple[Release, ...]]:
    """The model with released joints held by bushings in the released directions.

    ``stiffness`` k [N/m] along axes, k L² [N m/rad] about them with the characteristic length L: the load of redundant
    joints is shared by a stated stiffness instead of by accident.

    >>> import reactio
    >>> soft, made = bushed(reactio.load("four-bar-spatial"), 1e6)
    >>> len(soft.forces) >= len(made) > 0, reactio.check(soft).redundancy
    (True, 0)
    """
    if not stiffness > 0:
        raise ReactioError(f"The stiffness of a bushing is {stiffness:g} N/m; it must be positive.")
    if model.space != "spatial":
        raise ReactioError("Bushings are made in space; in the plane give joints a `stiffness`.")
    if any(body.mass is None for body in model.bodies):
        raise ReactioError(f"'{model.name}' has bodies without mass; bushings are loads, which need them.")
    turning = stiffness * characteristic_length(model) ** 2
    exact, releases = released(model, components=True)
    forces = []
    for release in releases:
        joint = model.joint(release.joint)
        sizes = [
            (turning if label.startswith("M") else stiffness) if label in release.lets_go else 0.0
            for label in LABELS[model.space]
        ]
        K = tuple(tuple(size if i == k else 0.0 for i in range(6)) for k, size in enumerate(sizes))
        forces.append(Force(f"bushing of {joint.name}", "bushing", {"a": joint.a, "b": joint.b, "stiffness": K}))
    return replace(exact, forces=(*exact.forces, *forces)), releases
