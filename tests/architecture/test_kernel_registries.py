"""Systems evaluate with the kinds of bodies and primitives that were registered when they were built."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import reactio
from reactio import joints, primitives
from reactio.arrays import Floats
from reactio.bodies import BODIES, BodyKind, register
from reactio.errors import ModelError
from reactio.joints import Freedom, JointType, Row
from reactio.kernels import kernel
from reactio.primitives import primitive

KIND = "registered-anew"
TEXT = """
space: {space}
bodies:
  b: {{kind: {kind}, mass: 1, inertia: {inertia}, position: {position}}}
joints: {{A: {{type: fixed, a: ground, b: b}}}}
"""


@kernel
def seven(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """A force of 7 N."""
    Q[iv] += 7.0


@kernel
def eight(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """A force of 8 N."""
    Q[iv] += 8.0


def planar_kind(applied_forces: Any) -> BodyKind:
    """A kind of body that only the plane has."""
    rigid = BODIES.get("rigid")
    return replace(rigid, name=KIND, ports={"planar": replace(rigid.ports["planar"], applied_forces=applied_forces)})


def model(space: str = "planar", kind: str = KIND) -> reactio.Model:
    planar = space == "planar"
    text = TEXT.format(
        space=space, kind=kind, inertia=1 if planar else [1, 1, 1], position=[0, 0] if planar else [0, 0, 0]
    )
    return reactio.parse_model(text)


@pytest.fixture
def kind() -> Iterator[None]:
    """The kind is known during a test."""
    register(planar_kind(seven))
    yield
    BODIES.remove(KIND)


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_a_kind_registered_anew_under_its_name_is_used(kind: None, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    monkeypatch.setenv("REACTIO_KERNELS", way)
    old = reactio.build(model())
    assert reactio.equations(old).Q[0] == 7.0
    BODIES.remove(KIND)
    register(planar_kind(eight))
    assert reactio.equations(reactio.build(model())).Q[0] == 8.0
    assert reactio.equations(old).Q[0] == 7.0  # it was built for the other
    assert reactio.equations(pickle.loads(pickle.dumps(old))).Q[0] == 8.0


def test_a_kind_of_the_plane_leaves_models_of_space_alone(kind: None) -> None:
    assert reactio.check(reactio.load("four-bar-spatial"))
    assert reactio.equations(reactio.build(model("spatial", "rigid"))).C.shape == (6, 6)


def test_a_kind_without_a_port_for_the_space_is_refused_in_words(kind: None) -> None:
    with pytest.raises(ModelError, match=f"body 'b': the kind of body '{KIND}' is planar, and the model is spatial"):
        model("spatial")


def formula(sign: float) -> Any:
    """The height of B over A, or its opposite, under one name."""

    def height(A: Any, B: Any, k: int, l: int, p: float, memory: float) -> Any:
        """± (y_B − y_A)."""
        return sign * (B.r[1] - A.r[1]), (0.0, -sign), 0.0, (0.0, sign), 0.0, 0.0

    return primitive(space="planar", unit="m", label="height", turns="")(height)


def test_a_primitive_registered_anew_under_its_name_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACTIO_KERNELS", "compiled")
    found = []
    for sign in (1.0, -1.0):
        row = Row(formula(sign)())
        joints.register(JointType("high", "planar", rows=(row,), free=(Freedom("x"), Freedom("r")), doc="Height."))
        try:
            text = TEXT.format(space="planar", kind="rigid", inertia=1, position=[0, 3]).replace("fixed", "high")
            found.append(reactio.equations(reactio.build(reactio.parse_model(text))).C.toarray()[0])
        finally:
            joints.JOINTS_BY_SPACE["planar"].remove("high")
            primitives.PRIMITIVES_BY_SPACE["planar"].remove("height")
    assert np.array_equal(found, [[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]])
