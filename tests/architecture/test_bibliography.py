"""Every cited key resolves, and every source is cited."""

from __future__ import annotations

from reactio.joints import JOINTS_BY_SPACE
from reactio.reporting.bibliography import SOURCES, reference


def test_keys_resolve_and_are_used() -> None:
    cited = {key for registry in JOINTS_BY_SPACE.values() for joint in registry.values() for key in joint.cite}
    assert cited == set(SOURCES)
    assert all(reference(key) for key in cited)
