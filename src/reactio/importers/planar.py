"""Is a spatial mechanism one of a plane?"""

from __future__ import annotations

import numpy as np

from reactio.importers.mechanism import Mechanism
from reactio.importers.pose import Pose


def in_one_plane(mechanism: Mechanism, within: float) -> bool:
    """Do all hinges turn about parallel axes, and all sliders move across them?"""
    poses = {part.name: part.pose for part in mechanism.parts}
    hinges, sliders = [], []
    for link in mechanism.links:
        z = (poses.get(link.a, Pose()) @ link.frame_a).R[:, 2]
        if link.type in ("revolute", "cylindrical"):
            hinges.append(z)
        elif link.type == "prismatic":
            sliders.append(z)
        elif link.type != "fixed":
            return False
    if not hinges:
        return False
    n = hinges[0]
    return all(np.linalg.norm(np.cross(n, z)) <= within for z in hinges) and all(abs(n @ z) <= within for z in sliders)
