"""Releases against brute force: every set of as many joints as the smallest proposal changes, each judged by ``check``.

    python benchmarks/releases.py

Prints for each mechanism how many minimal sets were proposed and how many brute force finds; they must be the same
sets.  The backhoe (p = 9) is too large for brute force: its proposals are checked one by one.
"""

from __future__ import annotations

import time
from itertools import combinations, product
from pathlib import Path

import reactio
from reactio.design.catalogue import Release

BACKHOE = Path(__file__).parents[2] / "shared" / "models" / "asmt" / "00backhoe.asmt"


def brute_force(model: reactio.Model, options: tuple[Release, ...], count: int) -> set[frozenset[Release]]:
    """Sets of releases of that many joints without redundancy and without a new freedom."""
    before = reactio.check(model)
    joints = list(dict.fromkeys(r.joint for r in options))
    found = set()
    for names in combinations(joints, count):
        for chosen in product(*([r for r in options if r.joint == name] for name in names)):
            other = model
            for release in chosen:
                other = release.applied(other)
            answer = reactio.check(other)
            if not answer.redundancy and answer.mobility == before.mobility:
                found.add(frozenset(chosen))
    return found


def main() -> None:
    """Compare, and check the backhoe."""
    sources = [("four-bar-spatial", {}), ("door", {"hinges": 2}), ("rail-four-carriages", {}),
               ("spatial-parallelogram", {})]  # fmt: skip
    for name, settings in sources:
        model = reactio.load(name, **settings)
        begun = time.perf_counter()
        advice = reactio.releases(model)
        took = time.perf_counter() - begun
        fewest = len(advice.proposals[0].releases)
        for count in range(1, min(fewest + 1, 2) + 1):
            proposed = {frozenset(p.releases) for p in advice.proposals if len(p.releases) == count}
            known = brute_force(model, advice.options, count)
            same = "the same" if proposed == known else "NOT the same"
            print(f"{name}: p = {advice.redundancy}, {count} joints: {len(proposed)} proposed, {len(known)} by brute "
                  f"force, {same}; advice took {took:.1f} s")  # fmt: skip
    if BACKHOE.exists():
        advice = reactio.releases(reactio.load(str(BACKHOE)))
        fewest = [p for p in advice.proposals if len(p.releases) == len(advice.proposals[0].releases)]
        good = sum(p.verdicts.redundancy == 0 and p.verdicts.mobility == advice.mobility for p in fewest)
        print(f"backhoe: p = {advice.redundancy}, {len(fewest)} minimal proposals, {good} confirmed by check")


if __name__ == "__main__":
    main()
