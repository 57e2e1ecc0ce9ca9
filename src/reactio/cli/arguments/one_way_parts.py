"""Contacts, cables and struts on the command line: which of them stand open, and options that they exclude."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reactio.catalogue.open_parts import with_gaps
from reactio.cli.arguments.options import Settings
from reactio.cli.arguments.sources import read_source
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from reactio.model.model import Model
    from reactio.system.types import System


def touching_model(source: str, settings: Settings) -> Model | None:
    """The model of a source that has contacts, cables or struts."""
    from reactio.model.contacts import acts_one_way

    model = read_source(source, settings)
    return model if acts_one_way(model) else None


def refuse_with_contacts(given: Mapping[str, object]) -> None:
    """Refuse options that a run with contacts does not have."""
    if wrong := [name for name, value in given.items() if value is not None]:
        raise ReactioError(f"{wrong[0]} does not work with contacts that close and open; leave it out.")


def reacting_names(source: Model | System) -> list[str]:
    """The names of everything that has a reaction: joints, drives, couplings, and points of contacts."""
    from reactio.model.contacts import joints_of
    from reactio.model.model import Model

    if not isinstance(source, Model):
        return [group.name for group in source.groups]
    names = [joint.name for joint in source.joints] + [drive.name for drive in source.drives]
    names += [coupling.name for coupling in source.couplings]
    return names + [joint.name for contact in source.contacts for joint in joints_of(contact)]


def touching(model: Model, system: System) -> System:
    """The system of a model; an error where it has no joints, and none of its contacts is closed."""
    if system.m or not system.open_parts:
        return system
    nearest = dict(sorted(system.open_parts.items(), key=lambda item: item[1]))
    raise ReactioError(
        f"No contact of '{model.name}' is closed at this pose, and no cable is taut: there is no reaction. The "
        f"nearest: {with_gaps(nearest)}. "
        "`reactio simulate` computes how they close, `reactio equilibrium` where the bodies come to rest."
    )
