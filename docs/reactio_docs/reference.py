"""The reference of the Python names, from their signatures and docstrings."""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import reactio

# What the functions answer with: not needed to call them, but to read their answers.
ANSWERS = (
    "reactio.uniqueness.GroupVerdict",
    "reactio.uniqueness.Component",
    "reactio.uniqueness.SelfStress",
    "reactio.uniqueness.FunctionalVerdict",
    "reactio.uniqueness.RankDecision",
    "reactio.uniqueness.bounds.MultiplierBounds",
    "reactio.uniqueness.history.History",
    "reactio.uniqueness.history.VerdictChange",
    "reactio.diagnosis.why.Explanation",
    "reactio.diagnosis.check_many.VerdictTable",
    "reactio.diagnosis.cause.Causes",
    "reactio.reaction_bounds.intervals.ReactionBounds",
    "reactio.reaction_bounds.intervals.Bound",
    "reactio.reaction_bounds.over_run.BoundsEnvelope",
    "reactio.reaction_bounds.over_run.Extreme",
    "reactio.forward_dynamics.accelerate.Accelerations",
    "reactio.joint_reactions.data.GroupReaction",
    "reactio.joint_reactions.compare.Comparison",
    "reactio.joint_reactions.compare.ComparisonRow",
    "reactio.simulation.state_history.BodyHistory",
    "reactio.simulation.state_history.JointHistory",
    "reactio.simulation.peaks.Peaks",
    "reactio.simulation.peaks.Peak",
    "reactio.simulation.energy_balance.EnergyHistory",
    "reactio.events.event_functions.Occurrence",
    "reactio.diagnosis.mobility.Mobility",
    "reactio.singular.passages.singularities.Singularities",
    "reactio.singular.passages.singularities.Singularity",
    "reactio.statics.equilibrium_pose.EquilibriumPose",
    "reactio.flexibility.certificate.Certificate",
    "reactio.flexibility.certificate.PartVerdict",
    "reactio.flexibility.sensitivity.Sensitivity",
    "reactio.design.releases.ReleaseAdvice",
    "reactio.design.releases.Proposal",
    "reactio.design.sensors.SensorAdvice",
    "reactio.design.sensors.SensorSet",
    "reactio.design.measure.Measured",
    "reactio.design.error_bars.ErrorBars",
    "reactio.design.error_bars.ErrorBar",
    "reactio.sweeps.tolerance_samples.SampledBars",
    "reactio.design.envelope.Envelope",
    "reactio.design.envelope.LoadHistory",
    "reactio.cli.notebook.LiveDesk",
    "reactio.auditing.data.Audit",
    "reactio.auditing.data.AuditedComponent",
    "reactio.importers.pipeline.Imported",
    "reactio.system.topology.Topology",
    "reactio.constraint_matrix.ConstraintMatrix",
)
# What is needed less often and imported from its own module.
FURTHER = (
    "reactio.model.specs.Body",
    "reactio.model.specs.Joint",
    "reactio.model.specs.Event",
    "reactio.model.files.write.to_yaml",
    "reactio.model.transform.natural.natural",
    "reactio.system.topology.topology",
    "reactio.importers.pipeline.import_file",
    "reactio.exporters.export",
    "reactio.kinematics.cycle.cycle",
    "reactio.uniqueness.history.history",
    "reactio.uniqueness.bounds.multiplier_bounds",
    "reactio.diagnosis.cause.causes",
    "reactio.singular.second_order.branch_start.on_branch",
    "reactio.reaction_bounds.over_run.bounds_envelope",
    "reactio.sweeps.sweep.load_sweep",
    "reactio.sweeps.tolerance_samples.sampled_error_bars",
    "reactio.errors.ModelError",
)
SECTIONS = {
    "Models": ("library", "model"),
    "Equations": ("system", "kinematics"),
    "Verdicts": ("uniqueness", "diagnosis", "reaction_bounds"),
    "Motion and reactions": ("simulation", "joint_reactions", "singular", "statics", "flexibility"),
    "Design": ("design", "sweeps"),
    "Other programs": ("auditing",),
    "Reports and drawings": ("reporting", "drawing", "cli"),
    "Errors": ("errors",),
}


def api_reference() -> str:
    """Every public name by subject, then what its own module offers, then the classes of the answers."""
    lines = ["```{py:module} reactio", "```", ""]
    for title, names in sections().items():
        lines += [f"## {title}", ""]
        for name in names:
            lines += _entry(f"reactio.{name}", getattr(reactio, name))
    for title, paths in (("Further functions", FURTHER), ("What the answers hold", ANSWERS)):
        lines += [f"## {title}", ""]
        for path in paths:
            lines += _entry(path, named(path))
    return "\n".join(lines)


def named(path: str) -> Any:
    """What a dotted path names: a function or class in a module."""
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def sections() -> dict[str, list[str]]:
    """The public names by the rooms they come from."""
    by_room = {room: title for title, rooms in SECTIONS.items() for room in rooms}
    found: dict[str, list[str]] = {title: [] for title in SECTIONS}
    for name in reactio.__all__:
        if name != "__version__":
            found[by_room[reactio._PLACES[name].split(".")[1]]].append(name)
    return {title: sorted(names, key=str.lower) for title, names in found.items() if names}


def _entry(path: str, value: Any) -> Iterator[str]:
    kind = "class" if inspect.isclass(value) else "function"
    yield f"``````{{py:{kind}}} {path}{_signature(value)}"
    yield from _markdown(inspect.getdoc(value) or "")
    if inspect.isclass(value):
        yield from _members(value)
    yield from ("``````", "")


def _members(value: type) -> Iterator[str]:
    """Fields with their types, then properties and methods that have a docstring."""
    if dataclasses.is_dataclass(value):
        source = "\n".join(map(inspect.getsource, _family(value)))
        remarks = dict(re.findall(r"^    (\w+): [^#\n]*#\s*(.+)$", source, re.MULTILINE))
        for field in dataclasses.fields(value):
            remark = remarks.get(field.name, "")
            yield f"- `{field.name}`" + (f": {remark}" if remark else "")
        yield ""
    if issubclass(value, Enum):
        yield from (f"Members: {', '.join(f'`{m.name}` ({m.value})' for m in value)}.", "")
    for name, member in {name: one for base in _family(value) for name, one in vars(base).items()}.items():
        own = isinstance(member, property | cached_property) or inspect.isfunction(member)
        if name.startswith("_") or not own or not (doc := inspect.getdoc(member)):
            continue
        method = inspect.isfunction(member)
        yield f"`````{{py:{'method' if method else 'property'}}} {name}{_signature(member) if method else ''}"
        yield from _markdown(doc)
        yield from ("`````", "")


def _family(value: type) -> list[type]:
    """A class of the package behind those that it inherits from."""
    return [base for base in reversed(value.__mro__) if base.__module__.startswith("reactio.")]


def _signature(value: Any) -> str:
    if inspect.isclass(value) and issubclass(value, Enum | Exception):
        return ""
    try:
        text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", str(inspect.signature(value)))
    except (ValueError, TypeError):
        return ""
    text = text.removesuffix(" -> None") if inspect.isclass(value) else text
    text = re.sub(r"<[^>]*>", "...", text.replace("(self, ", "(").replace("(self)", "()"))
    return re.sub(r"(?<![\w.])[A-Z]\w+", lambda word: documented_classes().get(word.group(), word.group()), text)


@cache
def documented_classes() -> dict[str, str]:
    """The classes of this reference by their short names, so that signatures link to them."""
    paths = (*(f"reactio.{name}" for name in reactio.__all__), *FURTHER, *ANSWERS)
    return {path.rpartition(".")[2]: path for path in paths if inspect.isclass(named(path))}


def _markdown(doc: str) -> Iterator[str]:
    """A docstring as Markdown: examples become fences, indented lines stay code, the rest is text."""
    yield ""
    example = False
    for line in doc.splitlines():
        if not example and line.startswith(">>> "):
            example = True
            yield from ("", "```pycon")
        elif example and not line:
            example = False
            yield "```"
        yield line
    if example:
        yield "```"
    yield ""
