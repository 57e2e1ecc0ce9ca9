"""Radial internal clearance of bearings by class and bore: ISO 5753-1, in micrometres on the diameter.

The numbers were held against tables that makers of bearings publish: rollers by two of them (C5 by one), balls up to
100 mm by two, CN and C3 up to 120 mm.  Those of balls beyond are as the standard is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass

CLASSES = ("C2", "CN", "C3", "C4", "C5")
MICROMETRE = 1e-6


@dataclass(frozen=True, slots=True)
class ClearanceTable:
    """Least and largest clearance by class; one line for each range of bores."""

    bores: tuple[float, ...]  # [mm] least bore of each line, not included, and the largest of the last
    lines: tuple[tuple[tuple[int, int] | None, ...], ...]  # [µm] by class, in the order of CLASSES

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes that some bore has."""
        return tuple(name for k, name in enumerate(CLASSES) if any(line[k] is not None for line in self.lines))

    def range(self, group: str, bore: float) -> tuple[float, float] | None:
        """Least and largest clearance on the diameter [m] for a bore [m]; None where the table has none."""
        mm = bore * 1e3
        for least, largest, line in zip(self.bores, self.bores[1:], self.lines, strict=False):
            if least < mm <= largest and (ends := line[CLASSES.index(group)]) is not None:
                return ends[0] * MICROMETRE, ends[1] * MICROMETRE
        return None


BALL_CLEARANCE = ClearanceTable(
    (2.5, 6, 10, 18, 24, 30, 40, 50, 65, 80, 100, 120, 140),
    (
        ((0, 7), (2, 13), (8, 23), None, None),
        ((0, 7), (2, 13), (8, 23), (14, 29), (20, 37)),
        ((0, 9), (3, 18), (11, 25), (18, 33), (25, 45)),
        ((0, 10), (5, 20), (13, 28), (20, 36), (28, 48)),
        ((1, 11), (5, 20), (13, 28), (23, 41), (30, 53)),
        ((1, 11), (6, 20), (15, 33), (28, 46), (40, 64)),
        ((1, 11), (6, 23), (18, 36), (30, 51), (45, 73)),
        ((1, 15), (8, 28), (23, 43), (38, 61), (55, 90)),
        ((1, 15), (10, 30), (25, 51), (46, 71), (65, 105)),
        ((1, 18), (12, 36), (30, 58), (53, 84), (75, 120)),
        ((2, 20), (15, 41), (36, 66), (61, 97), (90, 140)),
        ((2, 23), (18, 48), (41, 81), (71, 114), (105, 160)),
    ),
)
ROLLER_CLEARANCE = ClearanceTable(
    (0, 24, 30, 40, 50, 65, 80, 100, 120, 140, 160, 180, 200, 225, 250),
    (
        ((0, 25), (20, 45), (35, 60), (50, 75), (65, 90)),
        ((0, 25), (20, 45), (35, 60), (50, 75), (70, 95)),
        ((5, 30), (25, 50), (45, 70), (60, 85), (80, 105)),
        ((5, 35), (30, 60), (50, 80), (70, 100), (95, 125)),
        ((10, 40), (40, 70), (60, 90), (80, 110), (110, 140)),
        ((10, 45), (40, 75), (65, 100), (90, 125), (130, 165)),
        ((15, 50), (50, 85), (75, 110), (105, 140), (155, 190)),
        ((15, 55), (50, 90), (85, 125), (125, 165), (180, 220)),
        ((15, 60), (60, 105), (100, 145), (145, 190), (200, 245)),
        ((20, 70), (70, 120), (115, 165), (165, 215), (225, 275)),
        ((25, 75), (75, 125), (120, 170), (170, 220), (250, 300)),
        ((35, 90), (90, 145), (140, 195), (195, 250), (275, 330)),
        ((45, 105), (105, 165), (160, 220), (220, 280), (305, 365)),
        ((45, 110), (110, 175), (170, 235), (235, 300), (330, 395)),
    ),
)
