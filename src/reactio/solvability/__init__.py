"""Which reactions a rigid-body model determines: one predicate on a labelled matrix."""

from reactio.linear.rank import RankDecision, Tolerances
from reactio.solvability.bounds import Bounds, bounds
from reactio.solvability.engine import solvability
from reactio.solvability.exact import ExactOpinion
from reactio.solvability.explain import SelfStress
from reactio.solvability.functional import FunctionalVerdict
from reactio.solvability.history import History, VerdictChange, history
from reactio.solvability.verdict import Component, GroupVerdict, Solvability
from reactio.solvability.words import Verdict

__all__ = [
    "Bounds",
    "Component",
    "ExactOpinion",
    "FunctionalVerdict",
    "GroupVerdict",
    "History",
    "RankDecision",
    "SelfStress",
    "Solvability",
    "Tolerances",
    "Verdict",
    "VerdictChange",
    "bounds",
    "history",
    "solvability",
]
