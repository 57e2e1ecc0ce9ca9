"""A formulation of constrained motion, and the registry; the package has one file for each in ``formulations``.

A formulation leads from a state to accelerations, multipliers, and a state nearer to the constraints:

    (t, d, v)  →  (d, v) on the manifold or near it,  v̇,  λ

The integration loops call it in one place, so that all formulations share steps, events, output and checks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from reactio.catalogue.registry import Registry
from reactio.errors import ReactioError, did_you_mean

if TYPE_CHECKING:
    from reactio.arrays import Floats
    from reactio.kernels import Kernel
    from reactio.system.types import System

DEFAULT_FORMULATION = "projection"
# |Φ| and |C v − ν| that a formulation without projections may leave [characteristic lengths, rad; per second]: joints
# that are open wider are not an approximation of closed ones.
DRIFT_BOUND = 1e-3


@dataclass(frozen=True, slots=True)
class Setting:
    """A number of a formulation, which may follow its name: ``penalty:stiffness=1e8``."""

    name: str
    default: float
    doc: str
    unit: str = ""
    least: float = 0.0  # smaller values are refused
    whole: bool = False  # is it a whole number?


@dataclass(frozen=True, slots=True, eq=False)
class Formulation:
    """How accelerations and multipliers follow from a state, and how constraints are kept."""

    name: str
    doc: str
    undetermined: str  # a sentence: its effect on reactions that a rigid model leaves undetermined
    cite: str
    accelerate: Callable[..., int]  # template (projection, t, close, limit) → the reason of a refusal, or FINE
    links: Mapping[str, Kernel[..., Any]] = field(default_factory=dict)  # kernels behind further names of the template
    # Further templates that it calls by name, each after those that it calls itself.
    templates: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    settings: tuple[Setting, ...] = ()
    # Largest difference from the motion of ``projection`` at its default settings [characteristic lengths, rad], in a
    # run of about a second with a tolerance of 1e-9.
    agreement: float = 1e-6
    force_agreement: float = 1e-5  # the same of unique reactions, as part of the largest force
    projects: bool = True  # does it project the state towards the constraints, so that errors across them do not count?
    drift: float = 0.0  # |Φ| and |C v − ν| that it may leave; 0 where it satisfies them to rounding
    multipliers: bool = False  # does it choose λ itself, where they are not unique too?
    dense: bool = True  # does it work with dense matrices?
    fixed_basis: bool = False  # does its basis belong to the start of a step, not to the pose?
    interpolates: bool = True  # are singular poses passed by interpolation, which needs the exact accelerations nearby?
    friction_by_rule: bool = True  # may a sharing rule decide friction on reactions that are not unique?
    massless: bool = True  # does it know bodies without mass?
    eliminates: bool = False  # does it drop equations from the model, and nothing else?
    stiffness: Callable[[System, Mapping[str, float]], Floats] | None = None  # (m,) of springs in place of constraints


@dataclass(frozen=True, slots=True)
class Formulated:
    """A formulation with its settings."""

    formulation: Formulation
    settings: Mapping[str, float]
    argument: str  # text after its name

    @property
    def numbers(self) -> Floats:
        """The settings in the order of the formulation; at least one number."""
        return np.array([self.settings[setting.name] for setting in self.formulation.settings] or [0.0])


FORMULATIONS: Registry[Formulation] = Registry("formulation", "reactio.integrate.formulations")
register = FORMULATIONS.register
# The place of each formulation that a run used, by which kernels in plain Python find it.
_numbered: list[Formulation] = []


def number_of(formulation: Formulation) -> int:
    """The number by which kernels know a formulation in this process."""
    for number, known in enumerate(_numbered):
        if known is formulation:
            return number
    _numbered.append(formulation)
    return len(_numbered) - 1


def numbered(number: int) -> Formulation:
    """The formulation of a number."""
    return _numbered[number]


def formulation_of(text: str) -> Formulated:
    """The formulation and its settings from ``name`` or ``name:setting=value,setting=value``.

    >>> formulation_of("baumgarte:alpha=5").settings["alpha"]
    5.0
    """
    name, colon, argument = text.partition(":")
    formulation = FORMULATIONS.get(name.strip())
    known = {setting.name: setting for setting in formulation.settings}
    values = {setting.name: setting.default for setting in formulation.settings}
    if formulation.eliminates:
        return Formulated(formulation, values, argument.strip())
    if colon and not known:
        raise ReactioError(f"The formulation '{formulation.name}' has no settings; '{argument}' was given.")
    for part in (word.strip() for word in argument.split(",") if word.strip()):
        key, _, number = (word.strip() for word in part.partition("="))
        if key not in known:
            raise ReactioError(
                f"The formulation '{formulation.name}' has no setting '{key}'.{did_you_mean(key, known)} "
                f"It has: {', '.join(known)}."
            )
        values[key] = _value(formulation.name, known[key], number)
    return Formulated(formulation, values, argument.strip())


def _value(name: str, setting: Setting, text: str) -> float:
    """The number of a setting, or an error with the range it must lie in."""
    try:
        value = float(text)
    except ValueError:
        value = np.nan
    if not (np.isfinite(value) and value >= setting.least) or (setting.whole and value != int(value)):
        kind = "whole number" if setting.whole else "number"
        unit = f" [{setting.unit}]" if setting.unit else ""
        raise ReactioError(
            f"{name}:{setting.name}={text or '?'}: give a {kind} of at least {setting.least:g}{unit}, as in "
            f"{name}:{setting.name}={setting.default:g}."
        )
    return value


def formulations_of(text: str) -> tuple[str, ...]:
    """The formulations in a list with commas, whose settings may contain commas too.

    >>> formulations_of("projection,penalty:stiffness=1e7,damping=1,null-space")
    ('projection', 'penalty:stiffness=1e7,damping=1', 'null-space')
    """
    names: list[str] = []
    for part in (name.strip() for name in text.split(",") if name.strip()):
        if names and ":" in names[-1] and part.partition(":")[0] not in FORMULATIONS:
            names[-1] += f",{part}"
        else:
            names.append(part)
    for name in names:
        formulation_of(name)
    return tuple(dict.fromkeys(names))
