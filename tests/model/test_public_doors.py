"""Whatever is put into a public function that is not what it needs: an error that says what to write."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import reactio
from reactio.errors import ReactioError
from reactio_docs.reference import FURTHER, named

DOORS = [
    path
    for path in (*(f"reactio.{name}" for name in reactio.__all__), *FURTHER)
    if inspect.isfunction(named(path)) and path != "reactio.audit"  # which takes anybody's model
]
# What the further arguments may be, where a function needs them.
ARGUMENTS = {
    "bounds_envelope": (1.0,),
    "causes": (None,),
    "explain": (None, "A"),
    "export": ("model.yaml",),
    "history": ((0.0,),),
    "measure": (None,),
    "multiplier_bounds": (np.zeros(1),),
    "on_branch": (None, None),
    "save": ("model.yaml",),
    "simulate": (1.0,),
    "singularities": (1.0,),
}


@pytest.mark.parametrize("given", [3, None, object()], ids=["number", "None", "object"])
@pytest.mark.parametrize("path", DOORS)
def test_wrong_things_are_refused_in_words(path: str, given: object) -> None:
    with pytest.raises(ReactioError) as caught:
        named(path)(given, *ARGUMENTS.get(path.rpartition(".")[2], ()))
    assert len(str(caught.value)) > 20


def test_a_name_is_no_model_and_the_error_says_what_to_write() -> None:
    with pytest.raises(ReactioError, match=r"write reactio\.load\('door'\)"):
        reactio.check("door")  # type: ignore[arg-type]


def test_a_time_that_is_none() -> None:
    with pytest.raises(ReactioError, match="a time in seconds"):
        reactio.simulate(reactio.load("door"), until="soon")  # type: ignore[arg-type]


def test_things_tell_what_they_are_in_one_line() -> None:
    model = reactio.load("door", hinges=2)
    system = reactio.build(model)
    eqs = reactio.equations(system)
    found = reactio.reactions(eqs, "inertia")
    for thing in (model, system, eqs, eqs.state, reactio.check(model), reactio.check(model)["hinge1"], found["hinge1"]):
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 250
    assert "e-1" not in repr(found["hinge1"])  # rounding is 0
    for shown in (model, found, reactio.check(model)):
        assert "<table" in shown._repr_html_()
