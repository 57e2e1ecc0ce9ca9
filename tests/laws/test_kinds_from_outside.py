"""A kind of body from outside the package wherever models are taken: natural coordinates, exact verdicts, runs."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator

import reactio
from reactio import cli
from reactio.arrays import Floats
from reactio.bodies import BODIES, no_elastic_fields, register
from reactio.catalogue.fields import Coordinate, Field, Law, Number, Numbers, Place
from reactio.diagnosis.cause import Causes
from reactio.errors import ModelError, ReactioError
from reactio.kernels import kernel
from reactio.kinematics.body_state import elastic_coordinates, model_at
from reactio.model.files.read import parse_model
from reactio.model.files.schema import schema
from reactio.model.files.write import to_yaml
from reactio.model.transform.natural import natural
from reactio.statics.equilibrium import equilibria, equilibrium
from reactio.system.types import State

from . import test_extension_body
from .test_extension_body import STIFFNESS, TELESCOPE, applied_forces, telescope  # noqa: F401

pytestmark = pytest.mark.usefixtures("telescope")

# Held at both ends it stretches freely between them: a rigid body would make one of the four rows redundant.
BETWEEN_PINS = """
space: planar
gravity: [0, -9.81]
bodies:
  arm: {kind: telescope, mass: 2, inertia: 0.3, tip_mass: 0.7, length: 0.5, stiffness: 80}
  box: {mass: 1, inertia: 0.1, position: [1, 0]}
joints:
  left: {type: revolute, a: ground, b: arm}
  right: {type: revolute, a: {body: ground, point: [0.5, 0]}, b: {body: arm, point: [0.5, 0]}}
  rail: {type: translational, bodies: [ground, box], at: [1, 0], axis: [1, 0]}
"""


def changed(port: dict[str, Any] | None = None, **kind: Any) -> None:
    """Register the kind anew, with other parts."""
    known = BODIES.get("telescope")
    BODIES.remove("telescope")
    register(replace(known, ports={"planar": replace(known.ports["planar"], **port or {})}, **kind))


def called(*words: str) -> str:
    """What a command prints."""
    out = io.StringIO()
    done = contextlib.suppress(SystemExit)
    with patch.object(sys, "argv", ["reactio", *words]), contextlib.redirect_stdout(out), done:
        cli.run()
    return out.getvalue()


def test_natural_coordinates_leave_it_what_it_is() -> None:
    model = parse_model(BETWEEN_PINS)
    assert [body.kind for body in natural(model).bodies] == ["telescope", "natural"]
    with pytest.raises(ReactioError, match="'arm' is of the kind telescope; natural coordinates describe rigid bodies"):
        natural(model, ["arm"])


@pytest.mark.parametrize("described", [lambda model: model, natural])
def test_exact_verdicts_are_those_of_the_body_as_it_bends(described: object) -> None:
    answer = reactio.check(described(parse_model(BETWEEN_PINS)), exact=True)  # type: ignore[operator]
    assert answer.redundancy == 0
    assert {answer[name].verdict.value for name in ("left", "right", "rail")} == {"unique"}
    assert answer.exact is not None
    assert answer.exact.agrees
    assert "Not certified: that it belongs to a configuration" in answer.exact.statement
    assert "kind telescope" in answer.exact.statement


def test_a_matrix_without_fractions_is_not_certified() -> None:
    tilted = BETWEEN_PINS.replace("[0.5, 0]}, b", "[0.5*cos(0.3), 0.5*sin(0.3)]}, b").replace(
        "kind: telescope", "kind: telescope, angle: 0.3"
    )
    answer = reactio.check(parse_model(tilted), exact=True)
    assert answer.exact is None
    assert "All verdicts rest on floating point" in answer.notes[-1]


def test_a_run_is_resumed_from_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("arm.yaml").write_text(TELESCOPE)
    called("simulate", "arm.yaml", "--until", "0.1", "--out", "half.npz")
    called("simulate", "arm.yaml", "--until", "0.2", "--resume", "half.npz", "--out", "whole.npz")
    assert Path("whole.npz").exists()


def test_a_model_written_as_it_is_bent_says_so() -> None:
    """Model → state → model → file → model: every coordinate and velocity comes back, to the last digit."""
    run = reactio.simulate(parse_model(TELESCOPE), until=0.3, output=2)
    end = run.state(-1)
    made = model_at(run.system, end)
    assert (made.bodies[0].parameters["stretch"], made.bodies[0].parameters["stretch_rate"]) == (end.q[3], end.v[3])
    again = reactio.build(parse_model(to_yaml(made)))
    np.testing.assert_array_equal(again.q0, end.q)
    np.testing.assert_array_equal(again.v0, end.v)


def test_a_kind_without_a_way_back_is_refused_where_it_is_bent() -> None:
    changed(port={"fields_of": no_elastic_fields})
    system = reactio.build(parse_model(TELESCOPE))
    start = system.state()
    assert model_at(system, start).bodies[0].parameters["stretch"] == 0.02  # as it was given: nothing is lost
    bent = State(0.0, start.q + np.array([0.0, 0.0, 0.0, 0.01]), start.v)
    with pytest.raises(ReactioError, match=r"'arm' is of the kind telescope, which cannot write a bent .*`fields_of`"):
        model_at(system, bent)


def test_rest_of_a_body_that_stretches_under_its_weight(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hanging down, the spring is longer by m g / k; the file that is written is at rest."""
    monkeypatch.chdir(tmp_path)
    Path("arm.yaml").write_text(TELESCOPE.replace("angle: 0.4", "angle: -1.5"))
    said = called("equilibrium", "arm.yaml", "-o", "rest.yaml")
    assert re.search(rf"arm +stretch +{0.7 * 9.81 / 80:.7f} +m ", said)
    system = reactio.build(reactio.load("rest.yaml"))
    assert system.q0[3] == pytest.approx(0.7 * 9.81 / 80, rel=1e-9)  # loads are balanced to 1e-10
    assert equilibrium(system).steps == 0


@kernel
def snapping(
    q: Floats, v: Floats, iq: int, iv: int, R: Floats, p: Floats, b: int, g: Floats, M: Floats, k: int, Q: Floats
) -> None:
    """The spring of the telescope turned to one that snaps: K η (1 − η²/a²), a = 0.1 m."""
    applied_forces(q, v, iq, iv, R, p, b, g, M, k, Q)
    Q[iv + 3] += p[b, STIFFNESS] * q[iq + 3] * (2.0 - q[iq + 3] * q[iq + 3] / 0.01)


def test_rests_that_differ_in_an_elastic_coordinate_alone_are_told_apart() -> None:
    known = BODIES.get("telescope")
    register(replace(known, name="snapper", ports={"planar": replace(known.ports["planar"], applied_forces=snapping)}))
    try:
        text = TELESCOPE.replace("telescope", "snapper").replace("revolute", "fixed").replace("-9.81", "0")
        found = equilibria(parse_model(text), 8)
        assert sorted(round(float(rest.state.q[3]), 6) for rest in found if rest.stability == "stable") == [-0.1, 0.1]
    finally:
        BODIES.remove("snapper")


def test_columns_and_tables_name_elastic_coordinates() -> None:
    run = reactio.simulate(parse_model(TELESCOPE), until=0.1, output=3)
    units = {name: unit for name, unit, _ in run.named_columns()}
    assert (units["arm.elastic.stretch"], units["arm.elastic_velocity.stretch"]) == ("m", "m/s")
    np.testing.assert_array_equal(run.columns()["arm.elastic.stretch"], run.q[:, 3])
    np.testing.assert_array_equal(run.body("arm").elastic_velocity, run.v[:, 3:])
    table = run.to_xarray()
    np.testing.assert_array_equal(table.elastic.sel(body="arm", elastic_coordinate="stretch"), run.q[:, 3])
    assert (table.elastic.attrs["units"], table.elastic_velocity.attrs["units"]) == ("m", "m/s")


def test_a_list_of_the_wrong_length_is_refused() -> None:
    """Fixed, or by the other fields; the schema knows a fixed one."""
    known = BODIES.get("telescope").fields
    changed(fields=(*known, Numbers("drag", "Of hub and tip.", (0.0, 0.0), size=2)))
    assert parse_model(TELESCOPE).bodies[0].parameters["drag"] == (0.0, 0.0)
    with pytest.raises(ModelError, match=r":7:.*drag has 3 numbers; 2 are needed"):
        parse_model(TELESCOPE.replace("damping: 0.6", "drag: [1, 2, 3]"))
    changed(fields=(*known, Numbers("weights", "One for each ….", (), size=lambda own: round(own["length"] / 0.25))))
    with pytest.raises(ModelError, match=r"weights has 3 numbers; 2 are needed"):
        parse_model(TELESCOPE.replace("damping: 0.6", "weights: [1, 2, 3]"))


def test_a_kind_checks_its_own_fields() -> None:
    def check(body: Any, path: tuple[str, ...]) -> None:
        if body.parameters["stretch"] <= -body.parameters["length"]:
            raise ReactioError("the tip is behind the hub.")

    changed(check=check)
    with pytest.raises(ModelError, match=r"<model>:\d+: body 'arm' \(telescope\): the tip is behind the hub."):
        parse_model(TELESCOPE.replace("stretch: 0.02", "stretch: -0.6"))


@pytest.mark.parametrize(
    ("extra", "words"),
    [
        (((), (0.0,)), "has 5 velocities, and its kind moves 4"),
        (((0.0,), ()), "has 5 coordinates, and its kind moves 4"),
    ],
)
def test_a_kind_that_miscounts_is_refused(extra: tuple[tuple[float, ...], ...], words: str) -> None:
    """More coordinates than its kernels move would be those of the next body."""

    def coordinates(body: Any) -> tuple[Any, Any]:
        q, v = test_extension_body.coordinates(body)
        return (*q, *extra[0]), (*v, *extra[1])

    changed(port={"coordinates": coordinates})
    with pytest.raises(ModelError, match=words):
        reactio.build(parse_model(TELESCOPE))


@pytest.mark.parametrize(
    ("field", "words"),
    [
        (Law("k", "…"), "kind of body 'telescope': 'k' is a Law, which is not a field of a body; use Number, Numbers"),
        (Place("k", "…"), "'k' is a Place, which is not a field of a body"),
        (Coordinate("k", "…"), "'k' is a Coordinate, which is not a field of a body"),
        (Number("mass", "…"), "every body has 'mass'; choose another name"),
        (
            Number("k", "…", dimension="any"),
            "the dimension of 'k' follows from a joint coordinate",
        ),
    ],
)
def test_fields_that_no_body_can_have_are_refused_at_once(field: Field, words: str) -> None:
    with pytest.raises(ReactioError, match=words):
        register(replace(BODIES.get("telescope"), fields=(field,)))


def test_fields_of_one_name_and_functions_that_are_no_kernels_are_refused_at_once() -> None:
    known = BODIES.get("telescope")
    with pytest.raises(ReactioError, match="two fields are called 'k'"):
        register(replace(known, fields=(Number("k", "…"), Number("k", "…"))))
    port = replace(known.ports["planar"], coordinate_rates=known.ports["planar"].coordinate_rates.plain)  # type: ignore[arg-type]
    with pytest.raises(ReactioError, match="`coordinate_rates` is not a kernel; put `@kernel` before it"):
        register(replace(known, ports={"planar": port}))


@pytest.mark.parametrize("names", [("u", "w"), ()])
def test_each_elastic_coordinate_has_one_name(names: tuple[str, ...]) -> None:
    """Two names for one coordinate would shift units and values by one."""
    changed({"elastic": lambda body: names})
    system = reactio.build(parse_model(TELESCOPE))
    if not names:  # numbers
        assert elastic_coordinates(system, 0) == {"1": "m"}
        return
    with pytest.raises(ReactioError, match=r"gives the names u, w; body 'arm' has 1 elastic coordinates"):
        elastic_coordinates(system, 0)


@pytest.mark.parametrize("stored", [float("nan"), None, np.zeros(2)])
def test_a_potential_that_is_no_number_is_no_balance(stored: object) -> None:
    changed({"potential": lambda body, q, gravity: stored})
    with pytest.raises(ReactioError, match=r"'arm' \(telescope\): the potential of its kind is .*; one finite"):
        reactio.simulate(parse_model(TELESCOPE), until=0.01)


def test_dimensions() -> None:
    with pytest.raises(ReactioError, match=r"field 'EI': there is no dimension 'bending stifness'. Did you mean 'bend"):
        Number("EI", "Of the rod.", dimension="bending stifness")
    changed(fields=(*BODIES.get("telescope").fields, Number("EI", "Of the rod.", 0.0, "bending stiffness")))
    text = "units: [mm]\n" + TELESCOPE.replace("damping: 0.6", "EI: 5e6")
    assert parse_model(text).bodies[0].parameters["EI"] == pytest.approx(5.0)  # N mm² in N m²


def test_the_schema_keeps_fields_of_one_name_apart() -> None:
    """The same name, a list in one kind and a number in another: each as its own kind says."""
    known = BODIES.get("telescope")
    register(replace(known, name="stack", fields=(*known.fields[1:], Numbers("tip_mass", "Of each.", size=2))))
    try:
        listed = TELESCOPE.replace("tip_mass: 0.7", "tip_mass: [1, 2]")
        for kind, text, accepted in (
            ("telescope", TELESCOPE, True), ("telescope", listed, False),
            ("stack", TELESCOPE, False), ("stack", listed, True), ("stack", listed.replace("1, 2", "1, 2, 3"), False),
        ):  # fmt: skip
            data = yaml.safe_load(text.replace("telescope", kind))
            assert Draft202012Validator(schema()).is_valid(data) is accepted
    finally:
        BODIES.remove("stack")


def test_an_unknown_kind_is_named_before_its_fields() -> None:
    words = r"<model>:6: body 'arm': there is no kind of body 'telescop'; there are .*Did you mean 'telescope'\?"
    with pytest.raises(ModelError, match=words):
        parse_model(TELESCOPE.replace("kind: telescope", "kind: telescop"))
    with pytest.raises(ModelError, match=r"there are .*natural, point, rigid.* once its file has been imported"):
        parse_model(TELESCOPE.replace("kind: telescope", "kind: shell"))


def test_a_key_in_the_wrong_case_is_recognised() -> None:
    with pytest.raises(ModelError, match=r"has no field 'Tip_Mass'. Did you mean 'tip_mass'\?"):
        parse_model(TELESCOPE.replace("tip_mass", "Tip_Mass"))


def test_causes_are_named_where_they_are_those_of_all_redundancies() -> None:
    assert Causes(1, 0, 0).sentence(1) == "1 redundant equation: from the structure (for any dimensions)."
    assert "1 redundant equation of unknown cause" in Causes(0, 0, 0).sentence(1)
