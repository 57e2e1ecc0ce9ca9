"""The cure of an ambiguous verdict: the accuracy of the geometry that decides it, tried before it is named."""

from __future__ import annotations

import math

from reactio.errors import listed
from reactio.system.equations import Equations, equations
from reactio.system.geometry.accuracy import closure, with_accuracy
from reactio.system.geometry.rank_distance import geometry
from reactio.uniqueness import Verdict

TRIED_ACCURACIES = (10.0, 100.0, 1e3, 1e4)  # times the misalignment that are tried as an accuracy, the finest first
MOST_ACCURACY = 1e-3  # part of the size of a mechanism: a coarser accuracy would count meant offsets as none
MOST_NAMES_MISALIGNED = 4  # joints in a sentence


def alignment_remedies(eqs: Equations) -> tuple[str, ...]:
    """Sentences on the cause of an ambiguous rank, in mm, and on the accuracy that decides it; () where none does."""
    answer = eqs.solvability
    near = geometry(eqs, answer)
    rank = (near.as_written or near.nearest) if near else None
    if rank is None or (rank.length is None and rank.angle is None):
        return ()
    off = rank.length if rank.length is not None else (rank.angle or 0.0) * eqs.system.length
    names = listed(rank.joints, most=MOST_NAMES_MISALIGNED)
    cause = f"The numbers miss an aligned geometry by {1e3 * off:.2g} mm, at {names}."
    cure = next((text for text in _accuracies(eqs, off) if _decides(eqs, text)), None)
    if cure is None:
        return (f"{cause} No accuracy decides whether that is intended: write these dimensions with more digits.",)
    sentences = [f"{cause} If they are intended to be aligned, `--tolerance {cure}` decides it."]
    if closure(eqs) > 0.1 * off:
        sentences.append("`reactio assemble SOURCE -o mended.yaml` closes the given poses to rounding.")
    return tuple(sentences)


def _accuracies(eqs: Equations, off: float) -> list[str]:
    """Accuracies to try, in mm, as the option takes them."""
    lengths = [step * 10.0 ** math.floor(math.log10(off)) for step in TRIED_ACCURACIES] if off > 0 else []
    fine = [length for length in lengths if length < MOST_ACCURACY * eqs.system.length]
    return [f"{1e3 * length:.0e}mm".replace("e-0", "e-") for length in fine]


def _decides(eqs: Equations, accuracy: str) -> bool:
    """Is no verdict ambiguous at an accuracy?"""
    answer = equations(with_accuracy(eqs.system, accuracy), eqs.state).solvability
    return answer.decision.confident and all(group.verdict is not Verdict.AMBIGUOUS for group in answer.groups)
