"""Models → YAML: the same model in SI units; reading it back gives an equal one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from reactio.bodies import BODIES
from reactio.forces import FORCES
from reactio.model.contacts import write_contact
from reactio.model.defaults import NEUTRAL_VALUES
from reactio.model.elastic import write_elastic
from reactio.model.entities import write_joint, write_parameters
from reactio.model.events import write_event, write_stop
from reactio.model.files.notes import NOTES_KEY, write_notes
from reactio.model.flexible import write_flexible, write_materials
from reactio.model.model import Model, require_model
from reactio.model.play import ALONG
from reactio.model.shapes import write_shapes
from reactio.model.specs import Body, Force
from reactio.model.values.fields import write_field
from reactio.model.values.frames import write_numbers, write_orientation
from reactio.model.values.functions import write_law
from reactio.operating_system.files import write_text


def save(model: Model, path: str | Path) -> None:
    """Write a model to a YAML file, whole or not at all.

    >>> import reactio, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     reactio.save(reactio.load("table"), f"{folder}/table.yaml")
    ...     reactio.load(f"{folder}/table.yaml").name
    'table'
    """
    require_model(model)
    write_text(path, to_yaml(with_relative_shapes(model, Path(path).parent)[0]))


def with_relative_shapes(model: Model, folder: Path) -> tuple[Model, list[str]]:
    """The model with the names of its shapes relative to a folder, and the files that are left out: those outside."""
    outside: list[str] = []
    if not any(body.shapes for body in (*model.bodies, model.ground)):
        return model, outside

    def moved(body: Body) -> Body:
        kept = []
        for shape in body.shapes:
            path = Path(shape.file).resolve()
            if path.is_relative_to(folder.resolve()):
                kept.append(replace(shape, file=path.relative_to(folder.resolve()).as_posix()))
            else:
                outside.append(shape.file)
        return replace(body, shapes=tuple(kept))

    bodies, ground = tuple(moved(body) for body in model.bodies), moved(model.ground)
    return replace(model, bodies=bodies, ground=ground), outside


def to_yaml(model: Model) -> str:
    """A model as a YAML text.

    >>> import reactio
    >>> to_yaml(reactio.load("door", hinges=2)).splitlines()[1]
    'name: door'
    """
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        def ignore_aliases(self, data: Any) -> bool:
            return True  # every value stands where it belongs, and none is kept to be compared with later ones

    return str(
        yaml.dump(
            to_data(model), Dumper=Dumper, sort_keys=False, default_flow_style=None, allow_unicode=True, width=110
        )
    )


def to_data(model: Model) -> dict[str, Any]:
    """A model as plain mappings, lists, texts and numbers."""
    require_model(model)
    neutral = NEUTRAL_VALUES[model.space]
    data: dict[str, Any] = {"reactio": 1, "name": model.name}
    for key in ("title", "cite"):
        if getattr(model, key):
            data[key] = getattr(model, key)
    data["space"] = model.space
    if model.parameters:
        data["parameters"] = dict(model.parameters)
    if model.accuracy is not None:
        angle = {} if model.accuracy.angle is None else {"angle": model.accuracy.angle}
        data["accuracy"] = {"length": model.accuracy.length, **angle}
    if any(model.gravity):
        data["gravity"] = list(model.gravity)
    if model.drop:
        data["drop"] = list(model.drop)
    if model.share_points:
        data["share_points"] = True
    if model.materials:
        data["materials"] = write_materials(model.materials)
    if ground := _markers(model.ground) | write_shapes(model.ground):
        data["ground"] = ground
    sections = {
        "bodies": {b.name: _body(b, neutral) for b in model.bodies},
        "joints": {j.name: write_joint(j) for j in model.joints},
        "drives": {
            d.name: {"joint": str(d.along), "function": write_law(d.function), **write_elastic(d.elastic)}
            for d in model.drives
        },
        "couplings": {
            c.name: {
                "type": c.type,
                "joints": [str(n) for n in c.along],
                **write_parameters(c.parameters),
                **write_elastic(c.elastic),
            }
            for c in model.couplings
        },
        "forces": {f.name: _force(f) for f in model.forces},
        "events": {e.name: write_event(e) for e in model.events},
        "stops": {s.name: write_stop(s) for s in model.stops},
        "contacts": {c.name: write_contact(c) for c in model.contacts},
    }
    sections["tolerances"] = _tolerances(model)
    costs = {"costs": dict(model.costs)} if model.costs else {}
    notes = {NOTES_KEY: write_notes(model.notes)} if model.notes else {}
    return data | notes | {key: section for key, section in sections.items() if section} | costs


def _tolerances(model: Model) -> dict[str, Any]:
    """By name of joint, drive, coupling or body; a drive or coupling has one number."""
    with_one_number = {*(drive.name for drive in model.drives), *(coupling.name for coupling in model.couplings)}
    return {name: given[ALONG] if name in with_one_number else dict(given) for name, given in model.tolerances.items()}


def _body(body: Body, neutral: dict[str, tuple[float, ...]]) -> dict[str, Any]:
    data: dict[str, Any] = {} if body.kind == "rigid" else {"kind": body.kind}
    if body.mass is not None:
        data["mass"] = body.mass
    if body.inertia:
        data["inertia"] = write_numbers(body.inertia[:3] if not any(body.inertia[3:]) else body.inertia)
    data["position"] = list(body.position)
    data |= write_orientation(body.orientation, neutral)
    for key in ("velocity", "angular_velocity", "center"):
        if any(getattr(body, key)):
            data[key] = write_numbers(getattr(body, key))
    if body.elements:
        data["elements"] = [{element.kind: list(element.at)} for element in body.elements]
    fields = [f for f in BODIES.get(body.kind).fields if body.parameters.get(f.name) not in (None, f.default)]
    data |= {f.name: write_field(f, body.parameters[f.name]) for f in fields}
    return data | _markers(body) | write_flexible(body) | write_shapes(body)


def _markers(body: Body) -> dict[str, Any]:
    frames = {
        name: {"point": list(marker.point), **write_orientation(marker.orientation, {"orientation": ()})}
        for name, marker in body.frames.items()
    }
    sections = {
        "points": {name: list(point) for name, point in body.points.items()},
        "axes": {name: list(axis) for name, axis in body.axes.items()},
        "frames": frames,
    }
    return {key: section for key, section in sections.items() if section}


def _force(force: Force) -> dict[str, Any]:
    fields = FORCES.get(force.type).fields
    given = [f for f in fields if force.parameters[f.name] is not None]
    return {"type": force.type} | {f.name: write_field(f, force.parameters[f.name]) for f in given}
