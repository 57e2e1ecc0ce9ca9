"""Reactio: joint reactions you can trust.

Which reactions of an overconstrained mechanism does a rigid-body model determine, and what about the rest?

    import reactio as ro
    model = ro.load("mobile-robot")
    system = ro.build(model)
    state = ro.assemble(system)
    eqs = ro.equations(system, state)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Every public name with the module it comes from; a module is imported when its name is first used.
_PLACES = {
    "Body": "reactio.model.specs",
    "Coupling": "reactio.model.specs",
    "CoordinateName": "reactio.places",
    "Drive": "reactio.model.specs",
    "End": "reactio.places",
    "Equations": "reactio.system.equations",
    "Force": "reactio.model.specs",
    "Joint": "reactio.model.specs",
    "Model": "reactio.model.specs",
    "State": "reactio.system.types",
    "System": "reactio.system.types",
    "build": "reactio.system.build",
    "equations": "reactio.system.equations",
}

__all__ = ["__version__", *sorted(_PLACES)]

if TYPE_CHECKING:
    from reactio.model.specs import Body, Coupling, Drive, Force, Joint, Model
    from reactio.places import CoordinateName, End
    from reactio.system.build import build
    from reactio.system.equations import Equations, equations
    from reactio.system.types import State, System


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'reactio' has no attribute '{name}'")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return __all__
