"""Reactio: joint reactions you can trust.

Which reactions of an overconstrained mechanism does a rigid-body model determine, and what about the rest?

    import reactio as ro
    model = ro.load("mobile-robot")
    system = ro.build(model)
    state = ro.assemble(system)
    eqs = ro.equations(system, state)
"""

from __future__ import annotations

from importlib import import_module
from inspect import isfunction
from typing import TYPE_CHECKING, Any

from reactio.catalogue import registry
from reactio.errors.arguments import with_argument_errors

__version__ = "0.1.0"

# Minimal coordinates need the second-order analysis, which stands above the integrators whose registry they join.
registry.extend("method", "reactio.singular.methods")
registry.extend("method", "reactio.contact_motion.methods")

# Every public name with the module it comes from; a module is imported when its name is first used.  Classes are here
# where users pass them to another function, compare with them, or save them; those that are only read, and what is
# needed less often, come from their own modules: docs/api.md lists them below "Further functions".
_PLACES = {
    "assemble": "reactio.kinematics.assemble",
    "audit": "reactio.auditing.audit",
    "bounds": "reactio.reaction_bounds.at_instant",
    "Branch": "reactio.singular.second_order.branches",
    "branches": "reactio.singular.second_order.branches",
    "build": "reactio.system.compile.build",
    "check": "reactio.diagnosis.check",
    "check_jacobians": "reactio.diagnosis.check_jacobians",
    "check_many": "reactio.diagnosis.check_many",
    "compare": "reactio.joint_reactions.compare",
    "draw": "reactio.drawing.figure",
    "envelope": "reactio.design.envelope",
    "Equations": "reactio.system.equations",
    "equations": "reactio.kinematics.source",
    "equilibrium": "reactio.statics.equilibrium",
    "error_bars": "reactio.design.error_bars",
    "explain": "reactio.diagnosis.why",
    "flexible": "reactio.flexibility.certificate",
    "live": "reactio.cli.notebook",
    "load": "reactio.library",
    "load_run": "reactio.simulation.read_run",
    "measure": "reactio.design.measure",
    "mobility": "reactio.diagnosis.mobility",
    "Model": "reactio.model.model",
    "parse_model": "reactio.model.files.read",
    "ReactioError": "reactio.errors",
    "Reactions": "reactio.joint_reactions.data",
    "reactions": "reactio.joint_reactions.at_state",
    "releases": "reactio.design.releases",
    "Report": "reactio.reporting.report",
    "report": "reactio.reporting.gather",
    "save": "reactio.model.files.write",
    "sensitivity": "reactio.flexibility.sensitivity",
    "sensors": "reactio.design.sensors",
    "simulate": "reactio.simulation.simulate",
    "singularities": "reactio.singular.passages.singularities",
    "Solvability": "reactio.uniqueness",
    "solvability": "reactio.uniqueness",
    "State": "reactio.system.types",
    "Sweep": "reactio.sweeps.sweep",
    "sweep": "reactio.sweeps.sweep",
    "System": "reactio.system.types",
    "Tolerances": "reactio.uniqueness",
    "Trajectory": "reactio.simulation.trajectory",
    "Verdict": "reactio.uniqueness",
}

__all__ = ["__version__", *sorted(_PLACES)]

if TYPE_CHECKING:
    from reactio.auditing.audit import audit as audit
    from reactio.cli.notebook import live as live
    from reactio.design.envelope import envelope as envelope
    from reactio.design.error_bars import error_bars as error_bars
    from reactio.design.measure import measure as measure
    from reactio.design.releases import releases as releases
    from reactio.design.sensors import sensors as sensors
    from reactio.diagnosis.check import check as check
    from reactio.diagnosis.check_jacobians import check_jacobians as check_jacobians
    from reactio.diagnosis.check_many import check_many as check_many
    from reactio.diagnosis.mobility import mobility as mobility
    from reactio.diagnosis.why import explain as explain
    from reactio.drawing.figure import draw as draw
    from reactio.errors import ReactioError as ReactioError
    from reactio.flexibility.certificate import flexible as flexible
    from reactio.flexibility.sensitivity import sensitivity as sensitivity
    from reactio.joint_reactions.at_state import reactions as reactions
    from reactio.joint_reactions.compare import compare as compare
    from reactio.joint_reactions.data import Reactions as Reactions
    from reactio.kinematics.assemble import assemble as assemble
    from reactio.kinematics.source import equations as equations
    from reactio.library import load as load
    from reactio.model.files.read import parse_model as parse_model
    from reactio.model.files.write import save as save
    from reactio.model.model import Model as Model
    from reactio.reaction_bounds.at_instant import bounds as bounds
    from reactio.reporting.gather import report as report
    from reactio.reporting.report import Report as Report
    from reactio.simulation.read_run import load_run as load_run
    from reactio.simulation.simulate import simulate as simulate
    from reactio.simulation.trajectory import Trajectory as Trajectory
    from reactio.singular.passages.singularities import singularities as singularities
    from reactio.singular.second_order.branches import Branch as Branch
    from reactio.singular.second_order.branches import branches as branches
    from reactio.statics.equilibrium import equilibrium as equilibrium
    from reactio.sweeps.sweep import Sweep as Sweep
    from reactio.sweeps.sweep import sweep as sweep
    from reactio.system.compile.build import build as build
    from reactio.system.equations import Equations as Equations
    from reactio.system.types import State as State
    from reactio.system.types import System as System
    from reactio.uniqueness import Solvability as Solvability
    from reactio.uniqueness import Tolerances as Tolerances
    from reactio.uniqueness import Verdict as Verdict
    from reactio.uniqueness import solvability as solvability


if not TYPE_CHECKING:  # a type checker knows the names above, and that there are no others

    def __getattr__(name: str) -> Any:
        if name not in _PLACES:
            raise AttributeError(f"module 'reactio' has no attribute '{name}'")
        value = getattr(import_module(_PLACES[name]), name)
        return with_argument_errors(value, name) if isfunction(value) else value


def __dir__() -> list[str]:
    return __all__
