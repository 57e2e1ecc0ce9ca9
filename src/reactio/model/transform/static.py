"""Models whose flexible bodies do not vibrate: level 1 in place of levels 2 and 3."""

from __future__ import annotations

from reactio.model.model import Model
from reactio.model.transform.floating_frames import vibrates, without_modes
from reactio.model.transform.split_rods import is_split, whole_rods


def static(model: Model) -> Model:
    """The model with its split rods whole and its bodies with modes rigid: the rule compliance deforms them.

    >>> import reactio
    >>> len(static(reactio.load("spatial-parallelogram", links="split")).bodies)
    7
    """
    return without_modes(whole_rods(model))


def vibrating_bodies(model: Model) -> tuple[str, ...]:
    """The bodies that move in halves or in modes."""
    return tuple(body.name for body in model.bodies if vibrates(body) or is_split(body))
