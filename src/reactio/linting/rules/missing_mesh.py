"""R402: missing mesh files."""

from __future__ import annotations

from reactio.linting.noted_while_reading import named_file, rule_of
from reactio.model.notes import NoteTopic

rule_of(
    NoteTopic.MESH,
    named_file,
    "R402",
    "missing-mesh",
    "A mesh file is missing. Verdicts need no meshes; masses computed from meshes do, and drawings lack the body.",
)
