"""Reactio: joint reactions you can trust.

Which reactions of an overconstrained mechanism does a rigid-body model determine, and what about the rest?

    import reactio as ro
    model = ro.load("mobile-robot")
    system = ro.build(model)
    state = ro.assemble(system)
    eqs = ro.equations(system, state)
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Every public name with the module it comes from; a module is imported when its name is first used.
_PLACES = {
    "Accuracy": "reactio.model.accuracy",
    "Assembly": "reactio.kinematics.assemble",
    "AssemblyError": "reactio.errors",
    "Body": "reactio.model.specs",
    "Coupling": "reactio.model.specs",
    "CoordinateName": "reactio.places",
    "Drive": "reactio.model.specs",
    "Element": "reactio.model.specs",
    "End": "reactio.places",
    "Elastic": "reactio.model.specs",
    "Flexible": "reactio.model.specs",
    "Material": "reactio.structures.material",
    "flexible": "reactio.flexibility.certificate",
    "equilibrium": "reactio.statics.equilibrium",
    "sensitivity": "reactio.flexibility.sensitivity",
    "tolerance": "reactio.flexibility.sensitivity",
    "Equations": "reactio.system.equations",
    "Force": "reactio.model.specs",
    "Joint": "reactio.model.specs",
    "Model": "reactio.model.specs",
    "ModelError": "reactio.errors",
    "Reaction": "reactio.joint_reactions.wrench",
    "ReactioError": "reactio.errors",
    "Report": "reactio.report.data",
    "State": "reactio.system.types",
    "System": "reactio.system.types",
    "Trajectory": "reactio.simulation.trajectory",
    "assemble": "reactio.kinematics.assemble",
    "assembly": "reactio.kinematics.assemble",
    "build": "reactio.system.build",
    "check": "reactio.diagnosis.check",
    "check_motion": "reactio.diagnosis.check",
    "draw": "reactio.draw.figure",
    "equations": "reactio.system.equations",
    "audit": "reactio.audit",
    "releases": "reactio.design.releases",
    "sensors": "reactio.design.sensors",
    "measure": "reactio.design.measure",
    "envelope": "reactio.design.envelope",
    "error_bars": "reactio.design.error_bars",
    "export": "reactio.exporters",
    "import_file": "reactio.importers.pipeline",
    "explain": "reactio.diagnosis.why",
    "accelerations": "reactio.forward_dynamics.accelerate",
    "along": "reactio.singular.minimal.run",
    "bounds": "reactio.bounds.intervals",
    "branches": "reactio.singular.second_order.branches",
    "mobility": "reactio.singular.mobility",
    "on_branch": "reactio.singular.second_order.branch_start",
    "singularities": "reactio.singular.passages.singularities",
    "compare": "reactio.joint_reactions.compare",
    "joint_at": "reactio.model.placing",
    "load": "reactio.load",
    "natural": "reactio.model.transform.natural",
    "absolute": "reactio.model.transform.natural",
    "parse_model": "reactio.model.files.read",
    "reaction": "reactio.joint_reactions.wrench",
    "reactions": "reactio.joint_reactions.at_state",
    "report": "reactio.report.gather",
    "save": "reactio.model.files.write",
    "load_run": "reactio.simulation.storage",
    "schema": "reactio.model.files.schema",
    "shared_points": "reactio.model.transform.natural",
    "simulate": "reactio.simulation.simulate",
    "solvability": "reactio.solvability",
    "start": "reactio.kinematics.assemble",
    "to_yaml": "reactio.model.files.write",
    "Event": "reactio.model.specs",
    "Stop": "reactio.model.specs",
    "plot_run": "reactio.figures.run",
    "undecidable_friction": "reactio.forward_dynamics.friction_check",
    "topology": "reactio.topology",
}

__all__ = ["__version__", *sorted(_PLACES)]

if TYPE_CHECKING:
    from reactio.audit import audit as audit
    from reactio.bounds.intervals import bounds as bounds
    from reactio.design.envelope import envelope as envelope
    from reactio.design.error_bars import error_bars as error_bars
    from reactio.design.measure import measure as measure
    from reactio.design.releases import releases as releases
    from reactio.design.sensors import sensors as sensors
    from reactio.diagnosis.check import check as check
    from reactio.diagnosis.check import check_motion as check_motion
    from reactio.diagnosis.why import explain as explain
    from reactio.draw.figure import draw as draw
    from reactio.errors import AssemblyError as AssemblyError
    from reactio.errors import ModelError as ModelError
    from reactio.errors import ReactioError as ReactioError
    from reactio.exporters import export as export
    from reactio.figures.run import plot_run as plot_run
    from reactio.flexibility.certificate import flexible as flexible
    from reactio.flexibility.sensitivity import sensitivity as sensitivity
    from reactio.flexibility.sensitivity import tolerance as tolerance
    from reactio.forward_dynamics.accelerate import accelerations as accelerations
    from reactio.forward_dynamics.friction_check import undecidable_friction as undecidable_friction
    from reactio.importers.pipeline import import_file as import_file
    from reactio.joint_reactions.at_state import reactions as reactions
    from reactio.joint_reactions.compare import compare as compare
    from reactio.joint_reactions.wrench import Reaction as Reaction
    from reactio.joint_reactions.wrench import reaction as reaction
    from reactio.kinematics.assemble import Assembly as Assembly
    from reactio.kinematics.assemble import assemble as assemble
    from reactio.kinematics.assemble import assembly as assembly
    from reactio.kinematics.assemble import start as start
    from reactio.load import load as load
    from reactio.model.accuracy import Accuracy as Accuracy
    from reactio.model.files.read import parse_model as parse_model
    from reactio.model.files.schema import schema as schema
    from reactio.model.files.write import save as save
    from reactio.model.files.write import to_yaml as to_yaml
    from reactio.model.placing import joint_at as joint_at
    from reactio.model.specs import Body as Body
    from reactio.model.specs import Coupling as Coupling
    from reactio.model.specs import Drive as Drive
    from reactio.model.specs import Elastic as Elastic
    from reactio.model.specs import Element as Element
    from reactio.model.specs import Event as Event
    from reactio.model.specs import Flexible as Flexible
    from reactio.model.specs import Force as Force
    from reactio.model.specs import Joint as Joint
    from reactio.model.specs import Model as Model
    from reactio.model.specs import Stop as Stop
    from reactio.model.transform.natural import absolute as absolute
    from reactio.model.transform.natural import natural as natural
    from reactio.model.transform.natural import shared_points as shared_points
    from reactio.places import CoordinateName as CoordinateName
    from reactio.places import End as End
    from reactio.report.data import Report as Report
    from reactio.report.gather import report as report
    from reactio.simulation.simulate import simulate as simulate
    from reactio.simulation.storage import load_run as load_run
    from reactio.simulation.trajectory import Trajectory as Trajectory
    from reactio.singular.minimal.run import along as along
    from reactio.singular.mobility import mobility as mobility
    from reactio.singular.passages.singularities import singularities as singularities
    from reactio.singular.second_order.branch_start import on_branch as on_branch
    from reactio.singular.second_order.branches import branches as branches
    from reactio.solvability import solvability as solvability
    from reactio.statics.equilibrium import equilibrium as equilibrium
    from reactio.structures.material import Material as Material
    from reactio.system.build import build as build
    from reactio.system.equations import Equations as Equations
    from reactio.system.equations import equations as equations
    from reactio.system.types import State as State
    from reactio.system.types import System as System
    from reactio.topology import topology as topology


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'reactio' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__


class _Package(ModuleType):
    """The package itself: ``reactio.solvability`` is the function, though a room has the same name.

    Importing a room binds its name here; that must not hide the function.  Rooms stay importable by ``from``.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _PLACES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
