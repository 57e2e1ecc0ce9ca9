"""The schema accepts what can be read and refuses what is misspelt."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from reactio import joints, library
from reactio.couplings import COUPLINGS
from reactio.forces import FORCES
from reactio.functions import FUNCTIONS
from reactio.model.files.schema import schema
from reactio.model.files.write import to_yaml

from . import models
from .test_bad_models import CASES, PLANAR, SPATIAL, SPATIAL_CASES
from .test_round_trip import YAML
from .test_units import MM, MM_SPACE, SI, SI_SPACE

VALIDATOR = Draft202012Validator(schema())


class Loader(yaml.SafeLoader):
    """Reads as editors do, by YAML 1.2: `on` is a word there, not a truth value."""


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in found if tag != "tag:yaml.org,2002:bool"]
    for letter, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def accepts(text: str, loader: type[yaml.SafeLoader] = Loader) -> bool:
    return bool(VALIDATOR.is_valid(yaml.load(text, loader)))


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())
    assert json.loads(json.dumps(schema())) == schema()


@pytest.mark.parametrize("name", library.names())
def test_it_accepts_the_library(name: str) -> None:
    assert accepts(library.yaml_text(name))
    assert accepts(to_yaml(library.load(name)), yaml.SafeLoader)


@pytest.mark.parametrize("text", [PLANAR, SPATIAL, YAML, SI, MM, SI_SPACE, MM_SPACE])
def test_it_accepts_what_can_be_read(text: str) -> None:
    assert accepts(text)


@pytest.mark.parametrize("space", models.SPACES)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.generate,))
@given(data=st.data())
def test_it_accepts_what_is_written(space: str, data: st.DataObject) -> None:
    assert accepts(to_yaml(data.draw(models.model(space))), yaml.SafeLoader)


SPELLING = [name for name in CASES if name.startswith("key") or "type" in name or name in ("kind of function", "unit")]
SPACE_SPELLING = ["key of a frame", "kind of body"]


@pytest.mark.parametrize("case", SPELLING)
def test_it_refuses_misspellings(case: str) -> None:
    old, new, *_ = CASES[case]
    if case != "joint type of space":  # known to the schema, refused only in the plane
        assert not accepts(PLANAR.replace(old, new, 1))


@pytest.mark.parametrize("case", SPACE_SPELLING)
def test_it_refuses_misspellings_in_space(case: str) -> None:
    old, new, *_ = SPATIAL_CASES[case]
    assert not accepts(SPATIAL.replace(old, new, 1))


def test_it_knows_all_that_is_registered() -> None:
    def types(section: str) -> set[str]:
        kinds = [one["properties"]["type"] for one in top[section]["additionalProperties"]["anyOf"]]
        return {name for kind in kinds for name in kind.get("enum", [kind.get("const")])}

    top: dict[str, Any] = schema()["properties"]
    known = [*joints.PLANAR_JOINTS.values(), *joints.SPATIAL_JOINTS.values()]
    assert types("joints") == {name for joint in known for name in (joint.name, *joint.aliases)}
    assert types("couplings") == set(COUPLINGS)
    assert types("forces") == set(FORCES)
    assert set(schema()["$defs"]["function"]["anyOf"][1]["properties"]) == set(FUNCTIONS)
