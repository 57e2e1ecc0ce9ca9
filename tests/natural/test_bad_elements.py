"""Elements that do not describe a body are refused with the place and the remedy."""

from __future__ import annotations

import pytest

import reactio
from reactio.errors import ModelError
from reactio.model.transform.natural import natural

TEXT = """
space: {space}
bodies:
  rod: {{kind: {kind}, position: {position}, elements: {elements}, points: {{tip: {tip}}}}}
"""


def model(elements: str, space: str = "planar", kind: str = "natural") -> reactio.Model:
    zero, tip = ("[0, 0]", "[1, 0]") if space == "planar" else ("[0, 0, 0]", "[1, 0, 0]")
    return reactio.parse_model(TEXT.format(space=space, kind=kind, position=zero, elements=elements, tip=tip))


@pytest.mark.parametrize(
    ("elements", "space", "kind", "message"),
    [
        ("[{point: [0, 0]}]", "planar", "natural", "has 1 elements; 2 points and unit vectors or more"),
        ("[{point: tip}, {point: tip}, {point: [1, 0]}]", "planar", "natural", "coincide"),
        ("[{vector: [1, 0]}, {vector: [0, 1]}]", "planar", "natural", "one must be a point"),
        ("[{point: tip}, {point: [1, 0]}]", "planar", "natural", "coincide"),
        ("[{point: tap}, {point: [1, 0]}]", "planar", "natural", "it has no point 'tap'. Did you mean 'tip'"),
        ("[{vector: [0, 0]}, {point: [1, 0]}]", "planar", "natural", "a vector of no length"),
        ("[{point: [0, 0]}, {vector: [1, 0]}]", "planar", "rigid", "give `kind: natural`"),
        ("[{point: [0, 0], vector: [1, 0]}]", "planar", "natural", "a `point` or a `vector`; 2 given"),
        (
            "[{point: [0, 0, 0]}, {point: tip}, {vector: [0, 1, 0]}, {vector: [1, 1, 0]}]",
            "spatial",
            "natural",
            "lie in one plane",
        ),
        (
            "[{point: [0, 0, 0]}, {point: tip}, {point: [2, 0, 0]}, {vector: [0, 1, 0]}, {point: [3, 4, 0]}]",
            "spatial",
            "natural",
            "lie in one plane",
        ),
    ],
)
def test_bad_elements_are_refused_with_their_line(elements: str, space: str, kind: str, message: str) -> None:
    with pytest.raises(ModelError) as caught:
        model(elements, space, kind)
    assert message in str(caught.value)
    assert "<model>:4" in str(caught.value)


def test_names_of_points_are_elements() -> None:
    body = model("[{point: [0, 0]}, {point: tip}]").body("rod")
    assert [(e.kind, e.at) for e in body.elements] == [("point", (0.0, 0.0)), ("point", (1.0, 0.0))]


def test_unknown_body() -> None:
    with pytest.raises(reactio.ReactioError, match="There is no body 'cranc'"):
        natural(reactio.load("four-bar-planar"), ["cranc"])
