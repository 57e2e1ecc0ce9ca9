"""Interfaces: where joints and loads hold the nodes of a structure."""

from __future__ import annotations

from dataclasses import dataclass

from reactio.arrays import Floats, Ints


@dataclass(frozen=True, eq=False)
class Interface:
    """A frame that holds nodes: rigidly (they move with it), or as their mean."""

    label: str
    point: Floats  # (3,) [m]
    nodes: Ints  # (k,)
    rigid: bool = True
