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
from typing import TYPE_CHECKING, Any

from reactio import registry

__version__ = "0.1.0"

# Minimal coordinates need the second-order analysis, which stands above the integrators whose registry they join.
registry.extend("method", "reactio.singular.methods")

# Every public name with the module it comes from; a module is imported when its name is first used.
_PLACES = {
    "assemble": "reactio.kinematics.assemble",
    "audit": "reactio.auditing",
    "Body": "reactio.model.specs",
    "bounds": "reactio.reaction_bounds.intervals",
    "bounds_envelope": "reactio.reaction_bounds.over_run",
    "Branch": "reactio.singular.second_order.branches",
    "branches": "reactio.singular.second_order.branches",
    "build": "reactio.system.build",
    "check": "reactio.diagnosis.check",
    "compare": "reactio.joint_reactions.compare",
    "draw": "reactio.drawing.figure",
    "envelope": "reactio.design.envelope",
    "Equations": "reactio.system.equations",
    "equations": "reactio.system.equations",
    "equilibrium": "reactio.statics.equilibrium",
    "error_bars": "reactio.design.error_bars",
    "Event": "reactio.model.specs",
    "explain": "reactio.diagnosis.why",
    "export": "reactio.exporters",
    "flexible": "reactio.flexibility.certificate",
    "import_file": "reactio.importers.pipeline",
    "Joint": "reactio.model.specs",
    "load": "reactio.loading",
    "load_run": "reactio.simulation.storage",
    "load_sweep": "reactio.sweeps.sweep",
    "measure": "reactio.design.measure",
    "mobility": "reactio.singular.mobility",
    "Model": "reactio.model.specs",
    "ModelError": "reactio.errors",
    "natural": "reactio.model.transform.natural",
    "on_branch": "reactio.singular.second_order.branch_start",
    "parse_model": "reactio.model.files.read",
    "ReactioError": "reactio.errors",
    "Reactions": "reactio.joint_reactions.at_state",
    "reactions": "reactio.joint_reactions.at_state",
    "releases": "reactio.design.releases",
    "Report": "reactio.reporting.data",
    "report": "reactio.reporting.gather",
    "sampled_error_bars": "reactio.sweeps.tolerance_samples",
    "save": "reactio.model.files.write",
    "sensitivity": "reactio.flexibility.sensitivity",
    "sensors": "reactio.design.sensors",
    "simulate": "reactio.simulation.simulate",
    "singularities": "reactio.singular.passages.singularities",
    "Solvability": "reactio.uniqueness",
    "solvability": "reactio.uniqueness",
    "State": "reactio.system.types",
    "sweep": "reactio.sweeps.sweep",
    "System": "reactio.system.types",
    "to_yaml": "reactio.model.files.write",
    "Tolerances": "reactio.uniqueness",
    "topology": "reactio.mechanism_graph",
    "Trajectory": "reactio.simulation.trajectory",
    "Verdict": "reactio.uniqueness",
}

__all__ = ["__version__", *sorted(_PLACES)]

if TYPE_CHECKING:
    from reactio.auditing import audit as audit
    from reactio.design.envelope import envelope as envelope
    from reactio.design.error_bars import error_bars as error_bars
    from reactio.design.measure import measure as measure
    from reactio.design.releases import releases as releases
    from reactio.design.sensors import sensors as sensors
    from reactio.diagnosis.check import check as check
    from reactio.diagnosis.why import explain as explain
    from reactio.drawing.figure import draw as draw
    from reactio.errors import ModelError as ModelError
    from reactio.errors import ReactioError as ReactioError
    from reactio.exporters import export as export
    from reactio.flexibility.certificate import flexible as flexible
    from reactio.flexibility.sensitivity import sensitivity as sensitivity
    from reactio.importers.pipeline import import_file as import_file
    from reactio.joint_reactions.at_state import Reactions as Reactions
    from reactio.joint_reactions.at_state import reactions as reactions
    from reactio.joint_reactions.compare import compare as compare
    from reactio.kinematics.assemble import assemble as assemble
    from reactio.loading import load as load
    from reactio.mechanism_graph import topology as topology
    from reactio.model.files.read import parse_model as parse_model
    from reactio.model.files.write import save as save
    from reactio.model.files.write import to_yaml as to_yaml
    from reactio.model.specs import Body as Body
    from reactio.model.specs import Event as Event
    from reactio.model.specs import Joint as Joint
    from reactio.model.specs import Model as Model
    from reactio.model.transform.natural import natural as natural
    from reactio.reaction_bounds.intervals import bounds as bounds
    from reactio.reaction_bounds.over_run import bounds_envelope as bounds_envelope
    from reactio.reporting.data import Report as Report
    from reactio.reporting.gather import report as report
    from reactio.simulation.simulate import simulate as simulate
    from reactio.simulation.storage import load_run as load_run
    from reactio.simulation.trajectory import Trajectory as Trajectory
    from reactio.singular.mobility import mobility as mobility
    from reactio.singular.passages.singularities import singularities as singularities
    from reactio.singular.second_order.branch_start import on_branch as on_branch
    from reactio.singular.second_order.branches import Branch as Branch
    from reactio.singular.second_order.branches import branches as branches
    from reactio.statics.equilibrium import equilibrium as equilibrium
    from reactio.sweeps.sweep import load_sweep as load_sweep
    from reactio.sweeps.sweep import sweep as sweep
    from reactio.sweeps.tolerance_samples import sampled_error_bars as sampled_error_bars
    from reactio.system.build import build as build
    from reactio.system.equations import Equations as Equations
    from reactio.system.equations import equations as equations
    from reactio.system.types import State as State
    from reactio.system.types import System as System
    from reactio.uniqueness import Solvability as Solvability
    from reactio.uniqueness import Tolerances as Tolerances
    from reactio.uniqueness import Verdict as Verdict
    from reactio.uniqueness import solvability as solvability


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'reactio' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
