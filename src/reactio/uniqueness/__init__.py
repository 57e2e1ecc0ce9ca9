"""Which reactions a rigid-body model determines: one predicate on a labelled matrix."""

from reactio.linear.rank import RankDecision, Tolerances
from reactio.uniqueness.bounds import Bounds, bounds
from reactio.uniqueness.engine import solvability
from reactio.uniqueness.exact import ExactOpinion
from reactio.uniqueness.explain import SelfStress
from reactio.uniqueness.functional import FunctionalVerdict
from reactio.uniqueness.history import History, VerdictChange, history
from reactio.uniqueness.verdict import Component, GroupVerdict, Solvability
from reactio.uniqueness.words import Verdict

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
