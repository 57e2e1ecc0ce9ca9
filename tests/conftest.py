"""What all tests rely on: properties are tested whatever the speed of the machine, and Ctrl-C reaches every command."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("any speed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any speed")

# A shell starts what runs in the background with Ctrl-C ignored, and children inherit that: a test that interrupts a
# command would wait for it without end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
