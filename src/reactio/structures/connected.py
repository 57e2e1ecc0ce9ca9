"""Is a structure connected, and held by its interfaces?  Loose parts, or a hinge, would move without stiffness."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.catalogue.units import quantity
from reactio.errors import ModelError, listed
from reactio.linear.precision import LOCATED
from reactio.structures import FiniteElements, Interface
from reactio.topology.components import connected

STIFFNESS_RATIO = 10  # least ratio of the stiffness of a deformation to the rounding of that of rigid motions
HELD_NODE = 1e-8  # part of the least motion of a free node below which one is rounding of a held one
NO_STIFFNESS_RATIO = 100  # energy of a motion over that which rounding of K leaves, up to which it meets no stiffness


def check_connected(elements: FiniteElements, interfaces: Sequence[Interface], name: str) -> None:
    """Refuse elements that are not connected, with a node of each part and the places where two of them only touch."""
    component = _pieces(elements, interfaces)
    sizes = np.bincount(component)
    if len(sizes) < 2:
        return
    pieces = [
        f"{sizes[k]} node{'s' if sizes[k] > 1 else ''} at {np.round(elements.nodes[component == k][0], 6).tolist()} m"
        for k in np.argsort(-sizes)
    ]
    raise ModelError(
        f"body '{name}': its elements are {len(sizes)} pieces that nothing connects: "
        f"{listed(pieces, most=3)}.{_touching(elements.nodes, component)}",
        ("bodies", name, "flexible"),
    )


def _pieces(elements: FiniteElements, interfaces: Sequence[Interface]) -> Ints:
    """The piece (N,) that each node belongs to: stiffness connects nodes, and so do rigid interfaces."""
    K, count = elements.K.tocoo(), len(elements.nodes)
    stiff = K.data != 0.0
    i, j = K.row[stiff] // elements.freedoms, K.col[stiff] // elements.freedoms
    tied = [interface.nodes for interface in interfaces if interface.rigid]
    i = np.concatenate([i, *(np.full(len(nodes), nodes[0]) for nodes in tied)])
    j = np.concatenate([j, *tied])
    return connected(count, i, j)


def _touching(nodes: Floats, component: Ints) -> str:
    """Where two pieces have nodes at the same place, in words."""
    from scipy.spatial import cKDTree

    near = LOCATED * float(np.ptp(nodes, axis=0).max())
    first = component == np.bincount(component).argmax()
    far = np.asarray(cKDTree(nodes[first]).query(nodes[~first])[0])
    both = int((far <= near).sum())
    if not both:
        return f" The next nodes are {quantity(far.min(), 'm', 3)} apart: model one body for each, or connect them."
    return f" {both} nodes lie where another piece has one: merge nodes at the same place when the mesh is written."


def check_held(elements: FiniteElements, solver: Any, name: str) -> None:
    """Refuse motions that meet no stiffness while all interfaces are held: inverse iteration finds the softest."""
    n = elements.K.shape[0]
    right = np.zeros(solver.shape[0])
    right[:n] = np.random.default_rng(3).standard_normal(n)
    # Of K over its mean diagonal, which the solver holds: a free node moves by 1/stiffest at least.
    stiffest = float(abs(elements.K).sum(axis=1).max() / np.abs(elements.K.diagonal()).mean())
    for _ in range(2):
        u = solver.solve(right)[:n]
        if np.abs(u).max() * stiffest <= HELD_NODE * np.abs(right[:n]).max():
            return  # the interfaces hold all nodes
        right[:n] = u / np.abs(u).max()
    u = right[:n]
    energy = float(u @ (elements.K @ u))
    rounding = np.finfo(float).eps * float(np.abs(u) @ (abs(elements.K) @ np.abs(u)))
    if not np.isfinite(u).all() or energy <= NO_STIFFNESS_RATIO * rounding:
        node = int(np.abs(u.reshape(len(elements.nodes), -1)).max(axis=1).argmax())
        raise ModelError(
            f"body '{name}': some of its nodes move without meeting any stiffness while all interfaces are held, most "
            f"at {np.round(elements.nodes[node], 6).tolist()} m: a hinge inside, a node without elements, interfaces "
            "whose nodes lie in a line, or a body so slender that rounding hides its stiffness (take a `beam`).",
            ("bodies", name, "flexible"),
        )


def check_free(K: Floats, unit: Floats, labels: Sequence[str], name: str) -> None:
    """Refuse a body whose interfaces have more motions without stiffness than the six of a rigid one.

    K (6J, 6J) is condensed on J interfaces; ``unit`` (6J,) holds the lengths that turn rotations into displacements.
    """
    values, vectors = np.linalg.eigh(K / np.outer(unit, unit))
    order = np.argsort(np.abs(values))
    if len(values) <= 6 or abs(values[order[6]]) > STIFFNESS_RATIO * abs(values[order[5]]):
        return
    moving = np.linalg.norm(vectors[:, order[:7]].reshape(len(labels), -1), axis=1)
    raise ModelError(
        f"body '{name}': its interfaces have more than six motions without stiffness, most at "
        f"'{labels[int(moving.argmax())]}': there is a hinge inside. Elements that share an edge or a corner only do "
        "not hold each other.",
        ("bodies", name, "flexible"),
    )
