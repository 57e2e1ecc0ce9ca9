"""Properties are tested whatever the speed of the machine: a busy one draws its first examples slowly."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")
