"""``reactio compare``: what differs between two models, or one by two rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.model.files.write import to_yaml

Call = Callable[..., tuple[int, str, str]]


def without_frames(page: str) -> str:
    """A page of a comparison without the two reports in it."""
    return re.sub(r"<iframe.*?</iframe>", "", page, flags=re.DOTALL)


def test_one_model_by_two_rules(call: Call, tmp_path: Path) -> None:
    words = ("compare", "door", "--rule", "inertia", "--rule", "elimination")
    code, out, _ = call(*words, "-o", "page.html")
    assert code == 0
    assert "0 of 3 verdicts and " in out
    page = without_frames((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert page.count("hinge2") == 1  # the name of a joint stands once, beside its components
    assert "tr class='differs'" in page
    assert "prefers-color-scheme: dark" in page
    code, out, _ = call(*words, "--json")
    data = json.loads(out)
    assert data["schema"] == "reactio.side-by-side/1"
    assert {row["differs"] for row in data["rows"]} == {True, False}
    up = [[row["values"][k] for row in data["rows"] if row["component"] == "Fz"] for k in (0, 1)]
    assert sum(up[0]) == pytest.approx(sum(up[1]), rel=1e-9)  # both carry the weight


def test_two_models(call: Call, tmp_path: Path) -> None:
    for k in (1, 2):
        (tmp_path / f"{k}.yaml").write_text(to_yaml(reactio.load("door", hinges=k)), encoding="utf-8")
    code, out, _ = call("compare", "1.yaml", "2.yaml")
    assert code == 0
    assert "unique → not unique" in out or "unique → partly unique" in out
    assert "not there" in out


@pytest.mark.parametrize("words", [("door",), ("door", "--rule", "inertia"), ("door", "door", "-o", "page.txt")])
def test_what_cannot_be_compared(call: Call, words: tuple[str, ...]) -> None:
    code, _, err = call("compare", *words)
    assert code == 2
    assert "rules" in err or ".html" in err


def test_one_line_reprs_tables_and_doors() -> None:
    model: Any = reactio.load("door")
    system = reactio.build(model)
    eqs = reactio.equations(system)
    things: tuple[Any, ...] = (model, system, eqs, reactio.check(model), reactio.reactions(eqs), reactio.report(model))
    for thing in things:
        assert repr(thing).startswith(f"<{type(thing).__name__} ")
        assert "\n" not in repr(thing)
    for thing in things[3:]:
        assert "<" in thing._repr_html_()
    doors: tuple[Any, ...] = (reactio.check, reactio.report, reactio.build)
    for door in doors:
        with pytest.raises(reactio.ReactioError, match=r"reactio\.load\('door'\)"):
            door("door")
    with pytest.raises(reactio.ReactioError, match=r"reactio\.equations"):
        reactio.reactions("door")  # type: ignore[arg-type]


def test_every_result_has_a_repr_of_one_line() -> None:
    model = reactio.load("door")
    run = reactio.simulate(reactio.load("four-bar-planar"), 0.1, output=3)
    things: tuple[Any, ...] = (
        reactio.bounds(reactio.load("box-on-plane")), reactio.envelope(reactio.load("four-bar-planar"), 0.1),
        reactio.mobility(model), reactio.releases(reactio.load("door", hinges=2)), reactio.sensors(model),
        reactio.singularities(reactio.load("double-four-bar"), 0.1), run, run["A"], run.body("crank"),
        reactio.error_bars(reactio.load("rail-four-carriages"), default="0.1 mm"),
    )  # fmt: skip
    for thing in things:
        assert repr(thing).startswith("<"), type(thing)
        assert "\n" not in repr(thing)
        assert len(repr(thing)) < 400


def test_results_refuse_names_and_files_of_the_wrong_type() -> None:
    model: Any = reactio.load("door")
    answer: Any = reactio.check(model)
    made: Any = reactio.report(model)
    run: Any = reactio.simulate(model, 0.01, output=2)
    package: Any = reactio  # type checkers refuse these calls too
    wrong: tuple[Callable[[], Any], ...] = (
        lambda: answer[3], lambda: run[None], lambda: run.body(3), lambda: made.save(3),
        lambda: package.simulate(model, 0.01, output="ten"), lambda: package.simulate(model, 0.01, output=[0.0, "a"]),
        lambda: package.check(model, accuracy={}),
    )  # fmt: skip
    for call in wrong:
        with pytest.raises(reactio.ReactioError):
            call()


def test_a_component_that_a_joint_has_not_is_not_called_open(call: Call) -> None:
    """A pin of the plane has no force along its axis: that is no open number, and differs from one that is."""
    code, out, _ = call("compare", "four-bar-planar", "four-bar-spatial", "--json")
    assert code == 0
    rows = {(row["name"], row["component"]): row for row in json.loads(out)["rows"]}
    assert rows["B", "Fz"]["there"] == [False, True]
    assert rows["B", "Fz"]["differs"]
    assert rows["B", "Fx"]["there"] == [True, True]
    _, out, _ = call("compare", "four-bar-planar", "four-bar-spatial")
    assert "12 of 20 components differ" in out
    assert out.count("unique → partly unique") == 4
    line = next(line for line in out.splitlines() if " Fz " in line)
    assert line.split()[:4] == ["Fz", "none", "○", "–"]


def test_rounding_is_printed_as_nothing(call: Call, tmp_path: Path) -> None:
    """A shaft under its weight has no force along its axis, up to rounding, by any rule."""
    words = ("compare", "shaft-three-bearings", "--rule", "inertia", "--rule", "pseudoinverse", "--all", "-o", "p.html")
    _, out, _ = call(*words)
    assert not re.search(r"e-[12]\d", out + without_frames((tmp_path / "p.html").read_text(encoding="utf-8")))


def test_peaks_of_two_runs_stand_side_by_side(call: Call) -> None:
    """The two rods of a pendulum share its force by one rule, and one of them bears it all by the other."""
    words = ("compare", "pendulum-twice", "--rule", "inertia", "--rule", "cut", "--until", "0.02")
    code, out, _ = call(*words, "--json")
    assert code == 0
    rows = {(row["name"], row["component"]): row for row in json.loads(out)["rows"]}
    half, whole = rows["rod1", "N"]["peaks"]
    assert whole == pytest.approx(2 * half, rel=1e-6)  # two integrations with tolerances of 1e-9
    assert rows["rod1", "N"]["differs"]
    assert "peaks until t = 0.02 s differ, in joint axes." in call(*words)[1]
    assert call(*words, "--at", "0.01")[0] == 2
    assert call("compare", "door", "--until", "0.02")[0] == 2


def test_sides_are_compared_in_world_axes(call: Call, tmp_path: Path) -> None:
    """The axis of the shaft is z of its joints and lies along x in the world."""
    words = ("compare", "shaft-three-bearings", "shaft-three-bearings", "--json")
    parts = [
        {row["component"] for row in json.loads(call(*words, "--axes", axes)[1])["rows"] if row["name"] == "middle"}
        for axes in ("joint", "world")
    ]
    assert parts == [{"Fx", "Fy"}, {"Fy", "Fz"}]
