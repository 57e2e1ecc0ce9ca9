"""Our YAML texts, read back by PyYAML."""

from __future__ import annotations

import math
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import reactio
from reactio import library
from reactio.model.files.write import to_data
from reactio.model.files.yaml_text import LINE_WIDTH, yaml_text

# Texts of all signs that YAML can hold unescaped or escaped; its own words and numbers are among the likely ones.
WORDS = st.sampled_from(
    ["true", "No", "null", "~", "1e5", "0x1f", "- a", "a: b", "a #b", "[x", "é ~ ü", "'", '"', "", " "]
)
TEXTS = WORDS | st.text(max_size=8) | st.text("ab1 ~./-:#", max_size=8)
SCALARS = TEXTS | st.floats() | st.integers(-(10**20), 10**20) | st.booleans() | st.none()
TREES = st.recursive(
    SCALARS | st.lists(st.floats(), min_size=10, max_size=10),
    lambda one: st.lists(one, max_size=6) | st.dictionaries(TEXTS, one, max_size=3),
    max_leaves=8,
)


def same(a: Any, b: Any) -> bool:
    """Equal with all digits, NaN equal to itself, and 1 not to True."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return type(a) is type(b) and (a == b or (isinstance(a, float) and math.isnan(a) and math.isnan(b)))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(TEXTS, TREES, max_size=3))
def test_what_is_written_is_read_back(data: dict[str, Any]) -> None:
    assert same(yaml.safe_load(yaml_text(data)) or {}, data)


@pytest.mark.parametrize("name", library.names())
def test_models_read_the_same_as_those_that_pyyaml_writes(name: str) -> None:
    data = to_data(reactio.load(name))
    text = yaml_text(data)
    assert same(yaml.safe_load(text), yaml.safe_load(yaml.safe_dump(data, sort_keys=False)))
    assert max(map(len, text.split("\n"))) <= LINE_WIDTH or "cite" in data or "title" in data
