"""Which reactions a rigid-body model determines: one predicate on a labelled matrix."""

from reactio.linear.rank import RankDecision, Tolerances
from reactio.uniqueness.engine import solvabilities, solvability
from reactio.uniqueness.explain import SelfStress
from reactio.uniqueness.functional import FunctionalVerdict
from reactio.uniqueness.verdict import Component, GroupVerdict, Solvability
from reactio.uniqueness.words import Verdict

__all__ = [
    "Component",
    "FunctionalVerdict",
    "GroupVerdict",
    "RankDecision",
    "SelfStress",
    "Solvability",
    "Tolerances",
    "Verdict",
    "solvabilities",
    "solvability",
]
