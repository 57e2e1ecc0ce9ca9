"""Formulations side by side on published mechanisms: motions, unique and undetermined reactions.

    python benchmarks/formulations.py

Prints one line for each mechanism and ends with 1 where a motion is off, or formulations differ in a unique reaction.
Formulations without projections stop before singular poses: that is reported, and no failure.
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
    for name, until in MECHANISMS.items():
        found = compare_formulations(reactio.load(name), until)
        print(f"{name}: {found.summary}", flush=True)
        for row in found.rows:
            if row.reached and not row.agrees:
                print(f"  {row.name}: motion apart by {row.motion_error:.1e}")
                failed = True
            elif not row.reached:
                print(f"  {row.name}: {row.note}")
        failed = failed or any(one.contradicts for one in found.reactions)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
