"""Formulations side by side on published mechanisms: motions, unique and undetermined reactions.

    python benchmarks/formulations.py

Prints the table of docs/formulations.md and ends with 1 where a motion is off, formulations differ in a unique reaction
or agree in an undetermined one.  Formulations without projections stop before singular poses: that is not a failure.
"""

from __future__ import annotations

import sys

import reactio
from reactio.simulation.formulation_table import compare_formulations

MECHANISMS = {
    "mobile-robot": 2.5,
    "four-bar-planar": 1.0,
    "double-four-bar": 1.4,  # past a singular pose
    "modified-double-four-bar": 1.0,
    "modified-triple-four-bar": 1.0,
    "two-by-two-four-bar": 1.0,
    "spatial-parallelogram": 1.0,
    "bennett": 1.0,
}


def main() -> int:
    """Run all mechanisms by all formulations."""
    failed = False
    print("| Mechanism | until [s] | motions that agree | unique components, the same | undetermined, differ |")
    print("|---|---|---|---|---|")
    for name, until in MECHANISMS.items():
        found = compare_formulations(reactio.load(name), until)
        unique = [one for one in found.reactions if one.unique]
        rest = [one for one in found.reactions if not one.unique]
        early = ", ".join(f"`{row.name}`" for row in found.rows if not row.reached)
        agree = f"{sum(row.agrees for row in found.rows)} of {len(found.rows)}"
        same, differ = sum(not one.contradicts for one in unique), sum(one.differs for one in rest)
        motions = f"{agree}; {early} stopped before the singular pose" if early else agree
        print(f"| {name} | {until} | {motions} | {same} of {len(unique)} | {differ} of {len(rest)} |", flush=True)
        for row in found.rows:
            if row.reached and not row.agrees:
                print(f"  {row.name}: motion apart by {row.motion_error:.1e}")
                failed = True
        failed = failed or any(one.contradicts for one in found.reactions) or any(one.coincides for one in rest)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
