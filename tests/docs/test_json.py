"""docs/json.md names every key of every object that a command prints with --json."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.auditing.test_stored_gears import STORED, rig

import reactio
from reactio import library
from reactio.auditing.programs import PROGRAMS
from reactio.sharing import RULES
from reactio.uniqueness import Verdict
from reactio_docs.commands import commands
from reactio_docs.run import run_command

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
READINGS = "t [s],leg1.Fz [N],leg2.Fz [N]\n0,100,5\n"  # they contradict each other: one self-stress, two readings
# The section of every schema, and those that it refers to.
SECTIONS = {name: text for text in PAGE.split("\n## ")[1:] for name in re.findall(r"`(reactio\.[\w-]+/1)`", text)}
REFERS = {"reactio.mobility/1": ("reactio.singular/1", "reactio.check/1")}

# Each schema with commands that print it; in one folder, one after the other.
COMMANDS = {
    "reactio.check/1": (
        "check mobile-robot --why B --exact --group sum=B.Fy-C.Fy",
        "check table --why leg1",
        "check stool",
        "check table --evidence",
    ),
    "reactio.check-along/1": ("check two-by-two-four-bar --along run.npz",),
    "reactio.reactions/1": (
        "reactions mobile-robot --group sum=B.Fy-C.Fy",
        "reactions four-bar-spatial --rule pseudoinverse",
        "reactions sling-lift --rule compliance",
    ),
    "reactio.compare/1": ("reactions mobile-robot --compare",),
    "reactio.free-body/1": ("reactions door --body door",),
    "reactio.as/1": ("reactions four-bar-spatial --as mujoco", "reactions four-bar-spatial --as mujoco,drake"),
    "reactio.bearings/1": ("bearings",),
    "reactio.bounds/1": ("bounds table",),
    "reactio.bounds-envelope/1": ("bounds table --until 0.1 --samples 3",),
    "reactio.side-by-side/1": ("compare four-bar-spatial four-bar-planar",),
    "reactio.peaks-side-by-side/1": ("compare pendulum-twice --rule inertia --rule cut --until 0.01",),
    "reactio.formulations/1": ("compare pendulum-twice --formulations elimination --until 0.02",),
    "reactio.simulate/1": ("simulate double-four-bar --until 0.1 --group sum=A.Fx+B.Fx", "simulate stool --until 0.01"),
    "reactio.report/1": ("report mobile-robot --until 0.1 --group sum=B.Fy-C.Fy",),
    "reactio.singular/1": ("singular double-four-bar --until 1",),
    "reactio.mobility/1": ("mobility double-four-bar",),
    "reactio.generic/1": ("generic bennett",),
    "reactio.show/1": ("show mobile-robot",),
    "reactio.assemble/1": ("assemble four-bar-spatial",),
    "reactio.export/1": ("export four-bar-spatial -o four-bar.urdf",),
    "reactio.import/1": ("import rig.asmt -o back.yaml",),
    "reactio.audit/1": ("audit rig.asmt",),
    "reactio.advise/1": ("advise four-bar-spatial",),
    "reactio.sensors/1": ("advise table --sensors",),
    "reactio.measure/1": ("measure table --data readings.csv",),
    "reactio.flexible/1": (
        "flexible door --set hinges=2 --set bushings=1 --set misfit=1e-4 --corrected",
        "flexible door --set hinges=3",
    ),
    "reactio.sensitivity/1": ("sensitivity door --set hinges=2 --set bushings=1 --within 2",),
    "reactio.sensitivity-over-motion/1": ("sensitivity door --set hinges=2 --set bushings=1 --until 0.01",),
    "reactio.engage/1": ("engage bolt-group --load pull",),
    "reactio.equilibrium/1": ("equilibrium four-bar-spatial",),
    "reactio.error_bars/1": ("tolerances door --set hinges=2 --set bushings=1 --of hinge2.z=1e-4 --sample 3",),
    "reactio.envelope/1": ("envelope four-bar-spatial --until 0.1 --rows 3",),
    "reactio.sweep/1": ("sweep door --over hinges=2,3 --want redundancy -o out --processes 0", "sweep show out"),
    "reactio.library/1": ("library",),
    "reactio.joints/1": ("joints",),
    "reactio.joint/1": ("joints revolute", "joints spring"),
    "reactio.rules/1": ("rules",),
    "reactio.reproduce/1": ("reproduce sharma",),
}


# Objects whose keys are names of a model, whatever they are.
NAMED = {"parameters", "results", "tolerances", "invariant_under", "changes"}
COMPONENT = re.compile(r"\|?[FM][xyz]?\|?")


def keys(value: Any) -> Iterator[str]:
    """All keys in a value, but for those of objects that are keyed by names of a model."""
    parts = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield from value
        parts = [part for key, part in value.items() if key not in NAMED or isinstance(part, list)]
    for part in parts:
        yield from keys(part)


def names(command: str) -> set[str]:
    """The names by which the output of a command may be keyed: those of its model, of sums, rules and programs."""
    source = command.partition(" ")[2].partition(" ")[0]
    if command.startswith("sweep") or source not in library.names():
        return {"hinges", "redundancy"}
    settings = dict(text.split("=") for text in re.findall(r"--set (\S+)", command))
    model = reactio.load(source, **settings)
    joints = (model.joints, model.drives, model.couplings, reactio.build(model).groups)
    of_model = {part.name for group in (model.bodies, *joints) for part in group}
    return {"sum", *RULES, *PROGRAMS, *Verdict, *of_model}


def words(schema: str) -> set[str]:
    """What stands in code in the section of a schema."""
    text = " ".join(SECTIONS[one] for one in (schema, *REFERS.get(schema, ())))
    codes = re.findall(r"`([^`]+)`", text)
    return {"schema", *codes, *(word for code in codes for word in re.findall(r"\w+", code))}


@pytest.mark.parametrize("schema", COMMANDS)
def test_the_page_names_every_key(schema: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("readings.csv").write_text(READINGS, encoding="utf-8")
    Path("rig.asmt").write_text(rig(*STORED["OndselSolver"]), encoding="utf-8")
    if schema == "reactio.check-along/1":
        reactio.simulate(reactio.load("two-by-two-four-bar"), until=0.01, output=3).save("run.npz")
    for command in COMMANDS[schema]:
        found = json.loads(run_command(f"reactio {command} --json --quiet"))
        assert found["schema"] == schema
        unknown = {key for key in keys(found) if not COMPONENT.fullmatch(key) and "." not in key}
        assert unknown - names(command) - words(schema) == set(), command


def test_every_schema_is_tried() -> None:
    """But for models as data, which are what their YAML says, what only Python gives, and lint (tests/linting)."""
    lint = {"reactio.lint/1", "reactio.lint-baseline/1"}
    source = "".join(file.read_text(encoding="utf-8") for file in Path(reactio.__file__).parent.rglob("*.py"))
    printed = set(re.findall(r'"(reactio\.[\w-]+/1)"', source))
    assert printed - set(COMMANDS) == {"reactio.model/1", "reactio.deformation/1", *lint}
    assert set(SECTIONS) == {*COMMANDS, "reactio.model/1", *lint}


def test_every_command_with_json_is_tried() -> None:
    tried = {command.partition(" ")[0] for row in COMMANDS.values() for command in row}
    with_json = {name for name, one in commands() if any("--json" in option.opts for option in one.params)}
    assert {name.split()[1] for name in with_json} == tried | {"live"}  # which serves for ever: tests/desk has it
