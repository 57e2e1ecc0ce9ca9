"""From joints, drives, couplings and forces to rows and efforts over measures, as plain lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from reactio import joints as joint_registry
from reactio.bodies import BODIES
from reactio.catalogue.places import GROUND, SPACE_SIZES, CoordinateName, End, ReactionAxes
from reactio.constraint_matrix import GroupKind
from reactio.couplings import COUPLINGS
from reactio.errors import ModelError
from reactio.forces import FORCES, AppliedLoad, ForceLaw, FrameMeasures, FrameVelocity, JointCoordinates
from reactio.functions import Function
from reactio.functions.constant import Hold
from reactio.functions.program import coordinate_of
from reactio.model.coordinates import of_model
from reactio.model.defaults import NEUTRAL_VALUES
from reactio.model.events import watched
from reactio.model.model import Model
from reactio.model.normal import WrenchRows, normal_reaction
from reactio.model.specs import Force, Joint
from reactio.model.transform.rotors import ROTOR, rotors
from reactio.model.validate import coordinate, force_coordinates
from reactio.model.variables import variables
from reactio.primitives import PRIMITIVES_BY_SPACE, Combination, Measure, Primitive, Scaled
from reactio.system.types import AxisRow, RowGroup


class MeasureKey(NamedTuple):
    """A measure between two frames of a draft; equal keys are one measure."""

    a: int  # frame A
    b: int  # frame B
    primitive: str
    k: int  # axis of A
    l: int  # axis of B
    parameter: float


class Term(NamedTuple):
    """A measure, with its factor, in the sum that is a row."""

    row: int
    measure: int
    factor: float


class Effort(NamedTuple):
    """A generalised force along a measure."""

    measure: int
    function: int  # its law f(t, s, ṡ) among the functions, −1 for none
    friction: int  # its number among the frictions, −1 where it needs no reaction


class LinearEfforts(NamedTuple):
    """Efforts that follow each other and are coupled by the matrices of one law."""

    first: int
    law: ForceLaw


class Friction(NamedTuple):
    """An effort that is proportional to the normal reaction of a joint, and the rows that give N from its wrench."""

    effort: int
    joint: str
    normal: WrenchRows


class FrameLoad(NamedTuple):
    """A force and moment on a frame, by functions of time; −1 for components that it does not have."""

    frame: int
    functions: tuple[int, ...]
    in_body: bool  # are its components in body axes?


@dataclass(slots=True)
class Draft:
    """The parts of a plan as lists under construction, before sorting."""

    frames: list[End] = field(default_factory=list)
    measures: dict[MeasureKey, int] = field(default_factory=dict)
    primitives: list[Primitive] = field(default_factory=list)  # of each measure
    terms: list[Term] = field(default_factory=list)
    targets: list[float | None] = field(default_factory=list)  # None: from the given pose
    functions: list[tuple[str, Function]] = field(default_factory=list)  # owner in words, function
    function_measures: list[dict[str, int]] = field(default_factory=list)  # of each, the coordinates that it names
    named: dict[str, int] = field(default_factory=dict)  # measures of bodies and points, by name
    row_functions: list[int] = field(default_factory=list)
    holonomic: list[bool] = field(default_factory=list)
    groups: list[RowGroup] = field(default_factory=list)
    joint_frames: dict[str, tuple[int, int]] = field(default_factory=dict)
    efforts: list[Effort] = field(default_factory=list)
    effort_owners: list[str] = field(default_factory=list)  # the force of each effort, in words
    linear_efforts: list[LinearEfforts] = field(default_factory=list)
    frictions: list[Friction] = field(default_factory=list)
    intrinsic_rows: list[int] = field(default_factory=list)  # first intrinsic row of each body
    intrinsic_sizes: list[int] = field(default_factory=list)  # how many it has
    frame_loads: list[FrameLoad] = field(default_factory=list)

    def measure(self, frames: tuple[int, int], measure: Measure, parameters: Mapping[str, float]) -> int:
        """The place of a measure, the same one for the same frames and axes."""
        parameter = parameters[measure.parameter] if measure.parameter else 0.0
        key = MeasureKey(*frames, measure.primitive.name, measure.k, measure.l, parameter)
        place = self.measures.setdefault(key, len(self.measures))
        if place == len(self.primitives):
            self.primitives.append(measure.primitive)
        return place

    def row(
        self, terms: list[tuple[int, float]], target: float | None, *, function: int = -1, holonomic: bool = True
    ) -> None:
        """Append one row, with a function that it must follow or −1."""
        place = len(self.targets)
        self.terms.extend(Term(place, measure, factor) for measure, factor in terms)
        self.targets.append(target)
        self.row_functions.append(function)
        self.holonomic.append(holonomic)

    def group(
        self, start: int, name: str, kind: GroupKind, type: str, labels: tuple[str, ...], units: tuple[str, ...],
        bodies: tuple[int, ...], **further: Any,
    ) -> None:  # fmt: skip
        """Append the group of the rows from ``start`` to the last one; ``further``: what not every group has."""
        self.groups.append(RowGroup(name, kind, type, start, len(self.targets), labels, units, bodies, **further))

    def function(self, owner: str, function: Function, measures: dict[str, int] | None = None) -> int:
        """Append a function with its owner in words and the coordinates it names; its place is returned."""
        self.functions.append((owner, function))
        self.function_measures.append(measures or {})
        return len(self.functions) - 1

    def frame(self, end: End) -> int:
        """Append a frame; its place is returned."""
        self.frames.append(end)
        return len(self.frames) - 1


def draft(model: Model) -> Draft:
    """All rows as the papers order them, C = [Φ_q; Ψ]: joints, drives, couplings, nonholonomic; intrinsic ones last."""
    new = Draft()
    types = joint_registry.JOINTS_BY_SPACE[model.space]
    for joint in model.joints:
        new.joint_frames[joint.name] = (new.frame(joint.a), new.frame(joint.b))
    for joint in model.joints:
        if types.get(joint.type).kind == GroupKind.JOINT:
            _joint(new, model, joint)
    _drives(new, model)
    for name in watched(model):  # before couplings: an end stop has its place in q, closed as a coupling or not
        _named(new, model, name, ("events", name))
    _couplings(new, model)
    for joint in model.joints:
        if types.get(joint.type).kind == GroupKind.NONHOLONOMIC:
            _joint(new, model, joint)
    _rotors(new, model)
    _intrinsic_rows(new, model)
    _forces(new, model)
    return new


def _bodies(model: Model, names: list[str]) -> tuple[int, ...]:
    """Places of the bodies, −1 for ground, each once."""
    return tuple(dict.fromkeys(-1 if name == GROUND else model.body_index[name] for name in names))


def _combination(
    new: Draft, combination: Combination, frames: tuple[int, int], parameters: Mapping[str, float]
) -> list[tuple[int, float]]:
    """The terms of a combination with the joint's parameters put in."""
    terms = []
    for factor, measure in combination.terms:
        number = factor.of(parameters[factor.parameter]) if isinstance(factor, Scaled) else factor
        terms.append((new.measure(frames, measure, parameters), number))
    return terms


def _joint(new: Draft, model: Model, joint: Joint) -> None:
    kind = joint_registry.JOINTS_BY_SPACE[model.space].get(joint.type)
    frames, start = new.joint_frames[joint.name], len(new.targets)
    given = {p.name: joint.parameters.get(p.name, p.default) for p in kind.parameters}
    in_world = joint.rows == ReactionAxes.WORLD
    for row in kind.rows_in_world if in_world else kind.rows:
        terms = _combination(new, row.combination, frames, given)
        target = given[row.target] if row.target else 0.0
        new.row(terms, None if target is None else row.sign * target, holonomic=row.combination.holonomic)
    new.group(
        start,
        joint.name,
        kind.kind,
        kind.name,
        tuple(row.name for row in kind.rows),
        tuple(kind.unit_of(row) for row in kind.rows),
        _bodies(model, [joint.a.body, joint.b.body]),
        frames=frames,
        unilateral=tuple(row.unilateral for row in kind.rows),
        in_world=in_world,
        axes=() if in_world else tuple(_axis_row(kind, *pair) for pair in kind.axes),
        line_labels=kind.line_labels,
    )


def _axis_row(kind: joint_registry.JointType, axis: str, row: int) -> AxisRow:
    """An axis of the reaction along a row; a row that is a depth points against its measure."""
    factor, _ = kind.rows[row].combination.terms[0]
    return AxisRow("xyz".index(axis), row, -1.0 if isinstance(factor, float) and factor < 0.0 else 1.0)


class _MeasuredCoordinate(NamedTuple):
    """A joint coordinate: its measure in the draft, its joint, and the primitive that it is."""

    measure: int
    joint: Joint
    combination: Combination


def _coordinate(
    new: Draft, model: Model, name: CoordinateName, path: tuple[str, ...], unit: str = ""
) -> _MeasuredCoordinate:
    """The measure of a joint coordinate; the unit chooses where its name was left out."""
    joint_name, coordinate_name = coordinate(model, name, path, unit)
    joint = model.joint(joint_name)
    combination = joint_registry.JOINTS_BY_SPACE[model.space].get(joint.type).coordinates[coordinate_name]
    given = {k: v for k, v in joint.parameters.items() if v is not None}
    ((measure, _),) = _combination(new, combination, new.joint_frames[joint_name], given)
    return _MeasuredCoordinate(measure, joint, combination)


def _drives(new: Draft, model: Model) -> None:
    for drive in model.drives:
        measure, joint, combination = _coordinate(new, model, drive.along, ("drives", drive.name))
        place = len(new.targets)
        start = None if isinstance(drive.function, Hold) else 0.0  # None: as the given pose has it
        new.row([(measure, 1.0)], start, function=new.function(f"drive '{drive.name}'", drive.function))
        bodies = _bodies(model, [joint.a.body, joint.b.body])
        new.group(place, drive.name, GroupKind.DRIVE, "drive", (combination.label,), (combination.unit,), bodies)


def _couplings(new: Draft, model: Model) -> None:
    for coupling in model.couplings:
        kind = COUPLINGS.get(coupling.type)
        factors = kind.coefficients(coupling.parameters)
        units = kind.joints.units or ("",) * len(factors)
        terms, bodies, unit = [], [], ""
        for name, factor, coordinate_unit in zip(coupling.along, factors, units, strict=True):
            measure, joint, combination = _coordinate(new, model, name, ("couplings", coupling.name), coordinate_unit)
            terms.append((measure, factor))
            bodies += [joint.a.body, joint.b.body]
            unit = unit or combination.unit
        place = len(new.targets)
        new.row(terms, coupling.parameters.get("offset"))
        label, coupled = coupling.type, _bodies(model, bodies)
        one_way = (True,) if kind.unilateral else ()
        new.group(place, coupling.name, GroupKind.COUPLING, label, (label,), (unit,), coupled, unilateral=one_way)


def _rotors(new: Draft, model: Model) -> None:
    """A row for each rotor: its coordinate follows that of its joint, from the given pose on."""
    for rotor in rotors(model):
        turning = _coordinate(new, model, rotor.along, ("forces", rotor.force.name)).measure
        neutral = NEUTRAL_VALUES[model.space]
        ends = (new.frame(End(name, neutral["point"], neutral["orientation"])) for name in (GROUND, rotor.body))
        pointer = PRIMITIVES_BY_SPACE[model.space].get("slide")("x")
        ((_, along),) = pointer.terms
        place = len(new.targets)
        new.row([(turning, 1.0), (new.measure((next(ends), next(ends)), along, {}), -1.0)], None)
        name = f"{rotor.force.name}.{ROTOR}"  # names in model files hold no dot
        bodies = (model.body_index[rotor.body],)
        new.group(place, name, GroupKind.INTRINSIC, ROTOR, (ROTOR,), (rotor.unit,), bodies)


def _intrinsic_rows(new: Draft, model: Model) -> None:
    """The intrinsic rows of each body, as a group with a dot in its name: names of joints and bodies hold none."""
    for b, body in enumerate(model.bodies):
        rows, start = BODIES.get(body.kind).ports[model.space].intrinsic(body), len(new.targets)
        new.intrinsic_rows.append(start)
        new.intrinsic_sizes.append(len(rows))
        for _ in rows:
            new.row([], 0.0)
        if rows:
            labels, units = zip(*rows, strict=True)
            new.group(start, f"{body.name}.rigid", GroupKind.INTRINSIC, body.kind, labels, units, (b,))


def _forces(new: Draft, model: Model) -> None:
    for force in model.forces:
        for load in FORCES.get(force.type).loads(_full_names(model, force)):
            if isinstance(load.along, FrameVelocity):
                functions = [_function(new, model, force, function) for function in load.law.functions]
                _frame_load(new, model.space, load.along, functions)
            else:
                measures = _measures(new, model, force.name, load.along)
                pairs = zip(load.law.functions, measures, strict=False)  # a law may have matrices alone
                functions = [_function(new, model, force, function, {"s": s}) for function, s in pairs]
                _efforts(new, model, load, measures, functions)
                new.effort_owners += [_owner(force)] * len(measures)


def _owner(force: Force) -> str:
    """A force in words."""
    return f"force '{force.name}' ({force.type})"


def _function(
    new: Draft, model: Model, force: Force, function: Function, along: Mapping[str, int] = MappingProxyType({})
) -> int:
    """A function of a force with the measures of all coordinates that it names; s is that along which it acts."""
    used = {coordinate_of(name) for name in variables(function)} - {"t", "s"}
    measures = {name: _named(new, model, name, ("forces", force.name)) for name in sorted(used)}
    return new.function(_owner(force), function, {**along, **measures})


def _named(new: Draft, model: Model, name: str, path: tuple[str, ...]) -> int:
    """The measure of a named coordinate: that of a joint, or of a place on a body against ground."""
    if name in new.named:
        return new.named[name]
    joint, _, coordinate = name.partition(".")
    if any(candidate.name == joint for candidate in model.joints):
        return _coordinate(new, model, CoordinateName(joint, coordinate), path).measure
    if name not in (known := of_model(model)):
        raise ModelError(f"'{name}' is not a coordinate here: a rod in halves has none; name a joint.", path)
    at, axis = known[name].of, known[name].axis
    assert isinstance(at, End), "the coordinates of joints are measured above"
    neutral = NEUTRAL_VALUES[model.space]
    places = ((GROUND, neutral["point"]), (at.body, at.point or neutral["point"]))
    a, b = (new.frame(End(body, point, neutral["orientation"])) for body, point in places)
    primitives = PRIMITIVES_BY_SPACE[model.space]
    ((_, measure),) = (primitives.get("turn")() if axis == "angle" else primitives.get("slide")(axis)).terms
    new.named[name] = new.measure((a, b), measure, {})
    return new.named[name]


def _full_names(model: Model, force: Force) -> dict[str, Any]:
    """The parameters of a force with names of coordinates that were left out: the unit chooses."""
    return {**force.parameters, **force_coordinates(model, force, ("forces", force.name))}


def _measures(new: Draft, model: Model, force: str, along: JointCoordinates | FrameMeasures) -> list[int]:
    """The measures along which a load acts."""
    if isinstance(along, FrameMeasures):
        frames = (new.frame(along.a), new.frame(along.b))
        return [new.measure(frames, measure, {}) for combination in along.measures for _, measure in combination.terms]
    return [_coordinate(new, model, name, ("forces", force)).measure for name in along.names]


def _efforts(new: Draft, model: Model, load: AppliedLoad, measures: list[int], functions: list[int]) -> None:
    """One effort along each measure."""
    if load.law.linear:
        new.linear_efforts.append(LinearEfforts(len(new.efforts), load.law))
    for measure, function in zip(measures, functions or [-1] * len(measures), strict=True):
        new.efforts.append(Effort(measure, function, _friction(new, model, load)))


def _friction(new: Draft, model: Model, load: AppliedLoad) -> int:
    """The number of the next effort among the frictions, −1 when it needs no reaction."""
    if load.normal is None:
        return -1
    normal = normal_reaction(model, load.normal)
    new.frictions.append(Friction(len(new.efforts), normal.joint, normal.rows))
    return len(new.frictions) - 1


def _frame_load(new: Draft, space: str, along: FrameVelocity, functions: list[int]) -> None:
    """A force or a moment; the components of the other are left out."""
    sizes = SPACE_SIZES[space]
    parts = [-1] * sizes.vector + functions if along.angular else functions + [-1] * sizes.rotation
    new.frame_loads.append(FrameLoad(new.frame(along.at), tuple(parts), along.in_body))
