"""A run as an xarray Dataset: reactions by joint and component, motions by body and axis, with units."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import ReactionAxes
from reactio.kinematics.body_state import elastic_coordinates
from reactio.optional_libraries import optional_library
from reactio.simulation.state_history import BodyHistory, StateHistory

AXIS_NAMES = ("x", "y", "z")
QUATERNION = ("w", "x", "y", "z")
UNITS_OF_COMPONENTS = {
    "planar": {"Fx": "N", "Fy": "N", "Mz": "N m"},
    "spatial": {"Fx": "N", "Fy": "N", "Fz": "N", "Mx": "N m", "My": "N m", "Mz": "N m"},
}
EFFORTS = {"F": "N", "M": "N m"}  # of drives and couplings, which have one component and no axes


class Variable(NamedTuple):
    """A quantity of a Dataset: the names of its dimensions, its values, and attributes such as ``units``."""

    dimensions: tuple[str, ...]
    values: Floats
    attributes: dict[str, str]


def dataset(run: StateHistory) -> Any:
    """``Trajectory.to_xarray``."""
    xarray = optional_library("xarray", "This needs xarray", "tables")
    bodies = [body.name for body in run.system.model.bodies]
    coordinates: dict[str, Any] = {
        "time": ("time", run.t, {"units": "s"}),
        "joint": [group.name for group in run.system.reacting],
        "body": bodies,
        "axis": list(AXIS_NAMES),
    }
    units = _components(run)
    coordinates |= {"component": list(units), "component_units": ("component", list(units.values()))}
    histories = [run.body(name) for name in bodies]
    variables = {"reaction": _reaction(run, list(units)), **_motions(run, histories)}
    if run.system.space == "spatial":
        coordinates["quaternion"] = list(QUATERNION)
    elastic: dict[str, str] = {}
    for b in range(len(bodies)):
        elastic |= elastic_coordinates(run.system, b)
    if elastic:
        coordinates["elastic_coordinate"] = list(elastic)
        variables |= _elastic(run, histories, elastic)
    return xarray.Dataset(variables, coordinates)


def _components(run: StateHistory) -> dict[str, str]:
    """The components of all reactions with their units: three in the plane, six in space, and efforts of drives."""
    efforts = {letter for group in run.system.reacting if group.frames is None for letter in _labels(run, group.name)}
    return UNITS_OF_COMPONENTS[run.system.space] | {letter: EFFORTS[letter] for letter in EFFORTS if letter in efforts}


def _labels(run: StateHistory, name: str) -> tuple[str, ...]:
    """The components of a joint, or the single effort of a drive or coupling."""
    group = run.system.group(name)
    if group.frames is None:
        return ("F",) if group.units[0] == "m" else ("M",)
    return tuple(UNITS_OF_COMPONENTS[run.system.space])


def _reaction(run: StateHistory, components: list[str]) -> Variable:
    """Reactions (k, joints, components), NaN where there is no such component or it is not unique."""
    names = [group.name for group in run.system.reacting]
    values = np.full((len(run.t), len(names), len(components)), np.nan)
    in_world = run.system.axes == ReactionAxes.WORLD
    for j, name in enumerate(names):
        joint = run[name]
        parts = (joint.force, joint.moment) if in_world else (joint.force_in_joint, joint.moment_in_joint)
        places = [components.index(label) for label in _labels(run, name)]
        values[:, j, places] = np.concatenate(parts, axis=1)
    return Variable(("time", "joint", "component"), values, {"units": "N, N m", "axes": str(run.system.axes)})


def _motions(run: StateHistory, histories: list[BodyHistory]) -> dict[str, Variable]:
    """Where bodies are and how they move (k, bodies, 3), with zeros where the plane has no such component.

    A point has no orientation and no angular velocity: NaN.
    """
    planar = run.system.space == "planar"

    def stacked(key: str, width: int) -> Floats:
        values = np.full((len(run.t), len(histories), width), np.nan)
        for b, history in enumerate(histories):
            part = getattr(history, key)
            values[:, b, : part.shape[1]] = part
        return values

    before_and_behind = {"position": (0, 1), "velocity": (0, 1), "angular_velocity": (2, 0)}  # axes out of the plane
    units = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s"}
    variables = {}
    for key, widths in before_and_behind.items():
        values = np.pad(stacked(key, 3 - sum(widths)), ((0, 0), (0, 0), widths)) if planar else stacked(key, 3)
        variables[key] = Variable(("time", "body", "axis"), values, {"units": units[key], "axes": "world"})
    if planar:
        return variables | {
            "orientation": Variable(("time", "body"), stacked("orientation", 1)[:, :, 0], {"units": "rad"})
        }
    quaternions = Variable(("time", "body", "quaternion"), stacked("orientation", 4), {"units": "1"})
    return variables | {"orientation": quaternions}


def _elastic(run: StateHistory, histories: list[BodyHistory], units: dict[str, str]) -> dict[str, Variable]:
    """Elastic coordinates (k, bodies, coordinates) and their rates, NaN where a body has no such coordinate."""
    variables = {}
    names = list(units)
    for key, per in (("elastic", ""), ("elastic_velocity", "/s")):
        values = np.full((len(run.t), len(histories), len(names)), np.nan)
        for b, history in enumerate(histories):
            values[:, b, [names.index(name) for name in elastic_coordinates(run.system, b)]] = getattr(history, key)
        unit_words = ", ".join(f"{unit}{per}" for unit in dict.fromkeys(units.values()))
        variables[key] = Variable(("time", "body", "elastic_coordinate"), values, {"units": unit_words})
    return variables
