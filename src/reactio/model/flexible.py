"""Flexible bodies and materials in files: read, written, described for editors, and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from reactio.catalogue.units import quantity
from reactio.errors import ModelError, did_you_mean
from reactio.model.checks import Path, check_expansion, check_size
from reactio.model.schema_parts import NUMBER_SCHEMA, TEXT, mapping, numbers_by_name
from reactio.model.specs import Body, Flexible
from reactio.model.values.context import Context, known_keys
from reactio.model.values.functions import table_path
from reactio.model.values.yaml_tree import Node
from reactio.structures import STRUCTURES
from reactio.structures.material import Material

COMMON_KEYS = ("material", "interfaces", "modes", "damping", "beta")
MODE_KEYS = {"count": "number", "up_to": "number", "damping": "number", "beta": "number"}
SUPERELEMENT_KEYS = ("stiffness", "mass")  # a superelement may be given by its matrices alone
INERTIA_MISMATCH = 0.01  # by which a given mass or inertia may differ from that of its structure: sections are rounded
LEAST_DENSITY = 0.1  # [kg/m³] aerogels have 0.16; less was mostly given in tonnes per cubic millimetre
LEAST_YOUNGS_MODULUS = 1e7  # [Pa] less is softer than rubber, and was mostly given in megapascals

# What numbers inside a description measure, by the name they stand under; lengths where it is not here.
DESCRIPTION_MEASURES = {
    "A": "area", "Iy": "second moment of area", "I_y": "second moment of area", "Iz": "second moment of area",
    "I_z": "second moment of area", "J": "second moment of area", "kappa": "number", "ky": "number", "kz": "number",
    "stiffness": "stiffness", "damping": "damping", "up": "number", "axis": "number", "size": "length",
    "scale": "number", "units": "number", "mass_per_length": "mass per length", "mass_per_area": "mass per area",
    "K": "number", "M": "number", "mass": "number", "nodes": "number", "divisions": "number", "up_to": "number",
}  # fmt: skip
FILE_KEYS = ("mesh", "K", "M", "nodes", "dofs", "file")
MATERIAL_DIMENSIONS = {"E": "pressure", "G": "pressure", "nu": "number", "density": "density", "expansion": "number"}


def read_flexible(node: Node, context: Context, what: str) -> Flexible:
    """``{beam: …, material: …}``: one kind of structure with its fields."""
    mapping = known_keys(node, f"{what}: flexible", (*STRUCTURES, *COMMON_KEYS, *SUPERELEMENT_KEYS))
    kinds = [key for key in mapping if key in STRUCTURES]
    if not kinds and "stiffness" in mapping:
        inner = {key: _matrix(mapping[key], context, key) for key in SUPERELEMENT_KEYS if key in mapping}
        kind = "superelement"
    elif len(kinds) == 1:
        (kind,) = kinds
        inner = _parameters(mapping[kind], context, f"{what}: {kind}", kind)
    else:
        raise node.fail(f"{what}: flexible needs one of {', '.join(STRUCTURES)}; {', '.join(kinds) or 'none'} given.")
    inner = {**_file_units(kind, context), **inner}
    material = mapping["material"].text(f"{what}: material") if "material" in mapping else ""
    interfaces = _interfaces(mapping["interfaces"], context, f"{what}: interfaces") if "interfaces" in mapping else {}
    return Flexible(kind, inner, material, interfaces, _read_modes(node, mapping, context, what))


def _file_units(kind: str, context: Context) -> dict[str, Any]:
    """Files of a structure are in the units of the model that names them, unless it says otherwise."""
    factor = context.units.factor
    return dict(STRUCTURES.get(kind).file_units(factor("length"), factor("mass"), factor("force")))


def _read_modes(node: Node, mapping: dict[str, Node], context: Context, what: str) -> dict[str, float]:
    """``modes: 6`` with its ``damping`` or ``beta`` next to it, or all in one mapping."""
    beside: dict[str, Node] = {key: mapping[key] for key in ("damping", "beta") if key in mapping}
    if "modes" not in mapping:
        if beside:
            raise node.fail(f"{what}: damping is that of modes; state how many vibrate: `modes: 6`.")
        return {}
    inner = mapping["modes"]
    given = {"count": inner}
    if isinstance(inner.value, dict):
        given = known_keys(inner, f"{what}: modes", MODE_KEYS)
    if twice := sorted(given.keys() & beside.keys()):
        raise node.fail(f"{what}: {twice[0]} is given twice, inside `modes` and outside it.")
    every: dict[str, Node] = {**given, **beside}
    return {key: context.number(inner, f"{what}: {key}", MODE_KEYS[key]) for key, inner in every.items()}


def _matrix(node: Node, context: Context, key: str) -> Any:
    if isinstance(node.value, str):
        return str(table_path(node, context, key))
    return _value(node, context, key, "number")


def _parameters(node: Node, context: Context, what: str, kind: str) -> dict[str, Any]:
    """The mapping of a kind; a text alone is a file, a list alone the segments of a beam."""
    if isinstance(node.value, str):
        return {"file": str(table_path(node, context, what))}
    if isinstance(node.value, list):
        return {"segments": _value(node, context, what, "length")}
    if STRUCTURES.get(kind).entries_are_matrices:
        return {key: _matrix(inner, context, key) for key, inner in node.mapping(what).items()}
    table = _value(node, context, what, "length")
    return dict(table)


def _interfaces(node: Node, context: Context, what: str) -> dict[str, Any]:
    """By name, or a list of names of points."""
    if isinstance(node.value, list):
        return {inner.text(what): inner.text(what) for inner in node.value}
    return {name: _interface(inner, context, f"{what}: {name}") for name, inner in node.mapping(what).items()}


def _interface(node: Node, context: Context, what: str) -> Any:
    """The name of a set of nodes, a place, or what is held and how; a text is a name, whatever it looks like."""
    if isinstance(node.value, str):
        return node.text(what)
    if isinstance(node.value, list):
        return [context.number(inner, what, "length") for inner in node.value]
    interface: dict[str, Any] = {}
    for key, inner in node.mapping(what).items():
        if isinstance(inner.value, list):
            dimension = "number" if key == "nodes" else "length"
            interface[key] = [context.number(x, f"{what}: {key}", dimension) for x in inner.value]
        elif key == "radius":
            interface[key] = context.number(inner, f"{what}: {key}", "length")
        else:
            interface[key] = inner.text(f"{what}: {key}")
    return interface


def _value(node: Node, context: Context, what: str, dimension: str, key: str = "") -> Any:
    """A description of any depth: numbers in SI, names as they are, files next to the model."""
    if isinstance(node.value, dict):
        return {
            name: _value(inner, context, f"{what}: {name}", DESCRIPTION_MEASURES.get(name, dimension), name)
            for name, inner in node.value.items()
        }
    if isinstance(node.value, list):
        return [_value(inner, context, what, dimension) for inner in node.value]
    if key in FILE_KEYS:
        return str(table_path(node, context, what))
    if key in ("from", "to", "material", "as", "near", "path") or not _numeric(node, context):
        return node.text(what)
    return context.number(node, what, dimension)


def _numeric(node: Node, context: Context) -> bool:
    """Is a text a number or an expression of parameters, and no name?"""
    from reactio.expressions.number import evaluate

    try:
        evaluate(str(node.value), context.values)
    except Exception:  # anything but an expression is a name, which is checked where it is used
        return False
    return True


def read_materials(node: Node, context: Context) -> dict[str, Material]:
    """The section ``materials``."""
    materials = {}
    for name, inner in node.mapping("materials").items():
        what = f"material '{name}'"
        mapping = known_keys(inner, what, MATERIAL_DIMENSIONS)
        if "E" not in mapping:
            raise inner.fail(f"{what} needs E, its Young's modulus.")
        materials[name] = Material(
            **{k: context.number(v, f"{what}: {k}", MATERIAL_DIMENSIONS[k]) for k, v in mapping.items()}
        )
    return materials


def write_materials(materials: Mapping[str, Material]) -> dict[str, Any]:
    """The section ``materials``."""
    return {
        name: {f.name: getattr(material, f.name) for f in fields(Material) if getattr(material, f.name) is not None}
        for name, material in materials.items()
    }


def write_flexible(body: Body) -> dict[str, Any]:
    """The keys of a body, nothing for a rigid one at the temperature of assembly."""
    data: dict[str, Any] = {}
    if (flexible := body.flexible) is not None:
        inner = {flexible.kind: _plain(flexible.parameters)}
        if flexible.material:
            inner["material"] = flexible.material
        for key in ("interfaces", "modes"):
            if getattr(flexible, key):
                inner[key] = _plain(getattr(flexible, key))
        data["flexible"] = inner
    if body.temperature:
        data["temperature"] = body.temperature
    if body.expansion is not None:
        data["expansion"] = body.expansion
    return data


def _plain(given: Any) -> Any:
    if isinstance(given, Mapping):
        return {key: _plain(value) for key, value in given.items()}
    return [_plain(x) for x in given] if isinstance(given, tuple) else given


def flexible_schema() -> dict[str, Any]:
    """The keys of a body in the JSON Schema."""
    kinds = {kind.name: {"description": kind.doc} for kind in STRUCTURES.values()}
    more: dict[str, Any] = {
        "material": TEXT,
        "interfaces": {
            "description": "Names with the nodes they hold, or a list of points in the order of the matrices."
        },
        "modes": {
            "description": "Which modes vibrate in a simulation: how many, or up_to a frequency in Hz.",
            "anyOf": [NUMBER_SCHEMA, numbers_by_name(MODE_KEYS)],
        },
        "damping": {**NUMBER_SCHEMA, "description": "Damping ratio of every mode."},
        "beta": {**NUMBER_SCHEMA, "description": "Damping of the modes in proportion to their stiffness [s]."},
        "stiffness": {"description": "Matrix of a superelement: a file or rows."},
        "mass": {"description": "Matrix of a superelement: a file or rows."},
    }
    return {
        "flexible": mapping({**kinds, **more}, description="Flexibility of the body; rigid if left out."),
        "temperature": {**NUMBER_SCHEMA, "description": "Rise above the temperature of assembly [K]."},
        "expansion": {**NUMBER_SCHEMA, "description": "Coefficient of thermal expansion [1/K]."},
    }


def material_schema() -> dict[str, Any]:
    """An entry of the section ``materials``."""
    return numbers_by_name(MATERIAL_DIMENSIONS, "E")


def check_structure(body: Body, materials: Mapping[str, Material], path: Path) -> None:
    """Refuse kinds of structures and materials that are not there: the mass of a body may follow from them."""
    what, flexible = f"body '{body.name}'", body.flexible
    if flexible is None:
        return
    if flexible.kind not in STRUCTURES:
        hint = did_you_mean(flexible.kind, STRUCTURES)
        raise ModelError(f"{what}: there is no flexible '{flexible.kind}'.{hint}", (*path, "flexible"))
    if flexible.material and flexible.material not in materials:
        hint = did_you_mean(flexible.material, materials)
        raise ModelError(f"{what}: there is no material '{flexible.material}'.{hint}", (*path, "flexible"))


def check_flexible(body: Body, materials: Mapping[str, Material], path: Path) -> None:
    """Refuse kinds of bodies, modes, masses and temperatures that a structure cannot have."""
    what, flexible = f"body '{body.name}'", body.flexible
    check_size(body.temperature, f"{what}: temperature", (*path, "temperature"))
    check_expansion(body.expansion, what, (*path, "expansion"))
    expansion = body.expansion
    if flexible is not None:
        if body.kind not in ("rigid", "floating frame"):
            raise ModelError(f"{what} is {body.kind}; only rigid bodies can be made flexible.", (*path, "kind"))
        _check_modes(flexible, what, (*path, "flexible"))
        _check_inertia(body, materials, path)
        if expansion is None and flexible.material:
            expansion = materials[flexible.material].expansion
    if body.temperature and expansion is None:
        raise ModelError(
            f"{what}: a temperature without a coefficient of thermal expansion changes nothing; give `expansion` "
            "[1/K], 1.2e-5 for steel, or a material that has one.",
            (*path, "temperature"),
        )


def _check_modes(flexible: Flexible, what: str, path: Path) -> None:
    """Refuse modes that cannot be, and those without damping, which nobody may assume."""
    modes = flexible.modes
    if not modes:
        return
    if not STRUCTURES.get(flexible.kind).vibrates:
        raise ModelError(f"{what} is a '{flexible.kind}', which has no modes that vibrate; leave them out.", path)
    for key, value in modes.items():
        if key not in MODE_KEYS:
            raise ModelError(f"{what}: modes have no '{key}'.{did_you_mean(key, MODE_KEYS)}", path)
        check_size(value, f"{what}: {key}", path)
        if value < 0:
            raise ModelError(f"{what}: {key} is {value:g}; it must not be negative.", path)
    if ("count" in modes) == ("up_to" in modes):
        raise ModelError(
            f"{what}: give either the number of modes that vibrate, or their highest frequency [Hz].", path
        )
    if modes.get("count", 0.0) % 1:
        raise ModelError(f"{what}: {modes['count']:g} modes; give a whole number.", path)
    if "damping" not in modes and "beta" not in modes:
        raise ModelError(
            f"{what}: its modes have no damping; give `damping`, the ratio to the critical one (0.01 for steel, 0 for "
            "none), or `beta` [s] of a damping in proportion to stiffness.",
            path,
        )


def _check_inertia(body: Body, materials: Mapping[str, Material], path: Path) -> None:
    """A given mass, centre or inertia must agree with that of the structure, to a hundredth."""
    from reactio.model.structure import own_inertia

    derived = own_inertia(body, materials)
    if derived is None or body.mass is None:
        return
    inertia = derived.inertia if len(body.inertia) > 1 else derived.inertia[2:3]
    pairs = [
        ("mass", body.mass, derived.mass),
        *(("inertia", a, b) for a, b in zip(body.inertia, inertia, strict=False)),
    ]
    size = max(abs(x) for x in inertia)
    for name, stated, follows in pairs:
        if abs(stated - follows) > INERTIA_MISMATCH * (derived.mass if name == "mass" else size):
            raise ModelError(
                f"body '{body.name}': its {name} is given as {stated:.6g} and follows as {follows:.6g} from its "
                "structure. Leave out mass and inertia, which then follow, or correct density, section or units.",
                (*path, name),
            )
    reach = (max(inertia) / derived.mass) ** 0.5 if derived.mass > 0 else 0.0
    apart = max(abs(a - b) for a, b in zip(body.center, derived.center, strict=False))
    if apart > INERTIA_MISMATCH * reach:
        given, true = ([round(x, 6) for x in center] for center in (body.center, derived.center))
        raise ModelError(
            f"body '{body.name}': its center is given as {given} and follows as {true} from its structure. Leave out "
            "mass, center and inertia, which then follow, or correct the frames of the structure.",
            (*path, "center"),
        )


def check_material(name: str, material: Material) -> None:
    """Refuse values that no material has."""
    path, what = ("materials", name), f"material '{name}'"
    for key in ("E", "nu", "density"):
        check_size(getattr(material, key), f"{what}: {key}", path)
    check_expansion(material.expansion, what, path)
    if not material.E > 0:
        raise ModelError(f"{what}: E is {quantity(material.E, 'N/m²', 6)}; it must be positive.", path)
    if material.E < LEAST_YOUNGS_MODULUS:
        raise ModelError(
            f"{what}: E is {material.E:g} Pa, softer than rubber; was it in MPa? Then write {material.E * 1e6:g}.", path
        )
    if not -1 < material.nu < 0.5:
        raise ModelError(f"{what}: nu is {material.nu:g}; it lies between −1 and 0.5.", path)
    if 0 < material.density < LEAST_DENSITY:
        raise ModelError(
            f"{what}: its density is {quantity(material.density, 'kg/m³', 6)}, lighter than any solid; was it in "
            f"t/mm³? Then write {material.density * 1e12:g}.",
            path,
        )
    if material.density < 0:
        raise ModelError(
            f"{what}: its density is {quantity(material.density, 'kg/m³', 6)}; it must not be negative.", path
        )
