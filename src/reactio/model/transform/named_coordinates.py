"""Joint coordinates by their full names: they stay clear when a joint is replaced by one with more coordinates."""

from __future__ import annotations

from dataclasses import replace

from reactio.catalogue.places import CoordinateName
from reactio.couplings import COUPLINGS
from reactio.model.model import Model
from reactio.model.specs import Coupling, Force
from reactio.model.validate import coordinate, force_coordinates


def named_coordinates(model: Model) -> Model:
    """The model with every ``joint`` that stands for its one coordinate written as ``joint.coordinate``.

    >>> import reactio
    >>> named_coordinates(reactio.load("double-four-bar")).drives == reactio.load("double-four-bar").drives
    True
    """
    return replace(
        model,
        drives=tuple(replace(d, along=_named(model, d.along, "drives", d.name)) for d in model.drives),
        couplings=tuple(_coupling(model, coupling) for coupling in model.couplings),
        forces=tuple(_force(model, force) for force in model.forces),
        stops=tuple(replace(s, along=_named(model, s.along, "stops", s.name)) for s in model.stops),
    )


def _named(model: Model, along: CoordinateName, section: str, name: str, unit: str = "") -> CoordinateName:
    return CoordinateName(*coordinate(model, along, (section, name), unit))


def _coupling(model: Model, coupling: Coupling) -> Coupling:
    units = COUPLINGS.get(coupling.type).joints.units or ("",) * len(coupling.along)
    pairs = zip(coupling.along, units, strict=True)
    return replace(
        coupling, along=tuple(_named(model, along, "couplings", coupling.name, unit) for along, unit in pairs)
    )


def _force(model: Model, force: Force) -> Force:
    return replace(force, parameters={**force.parameters, **force_coordinates(model, force, ("forces", force.name))})
