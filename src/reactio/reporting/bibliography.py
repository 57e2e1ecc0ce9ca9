"""The sources behind the methods, by key; every key used in the package stands here."""

from __future__ import annotations

from collections.abc import Mapping

SOURCES: Mapping[str, str] = {
    "haug1989": "Haug, E.J.: Computer Aided Kinematics and Dynamics of Mechanical Systems. Allyn & Bacon (1989)",
    "wojtyra2013": (
        "Wojtyra, M., Frączek, J.: Solvability of reactions in rigid multibody systems with redundant nonholonomic "
        "constraints. Multibody System Dynamics 30(2), 153–171 (2013)"
    ),
}


def reference(key: str) -> str:
    """The full reference of a key.

    >>> reference("haug1989")[:4]
    'Haug'
    """
    return SOURCES[key]
