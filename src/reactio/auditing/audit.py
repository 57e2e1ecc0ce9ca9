"""The state of another program, recognised, read and judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reactio.auditing.data import Audit
from reactio.auditing.judge import judge
from reactio.auditing.programs import PROGRAMS
from reactio.errors import ReactioError


def audit(model: Any, *more: Any, axes: str = "joint", **options: Any) -> Audit:
    """The reactions of another program, each component with a verdict: confirmed, wrong, or arbitrary.

    ``audit("backhoe.asmt", t=0.02)``, ``audit(mj_model, mj_data)``, ``audit(pin_model, constraints, data)``,
    ``audit(exudyn_system)``, ``audit(drake_plant, context, balls=[(body_A, p_A, body_B, p_B)])``.
    Components are in the axes of each ``joint`` or of the ``world``, on the second body of the joint.
    An arbitrary component is not determined by the model: any other value balances the loads as well.

    >>> import reactio
    >>> reactio.audit(3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    reactio.errors.ReactioError: int cannot be audited. Reactio audits ...
    """
    given = Path(model) if isinstance(model, str) else model
    sources = {program.name: program.source for program in PROGRAMS.values() if program.source is not None}
    for source in sources.values():
        if source.accepts(given):
            return judge(source.read(given, *more, **options), axes)
    if isinstance(given, Path):
        raise ReactioError(
            f"{given}: files with reactions are read from Ondsel (.asmt); models of other programs are audited live, "
            "from Python: `reactio.audit(model, data)`."
        )
    known = "; ".join(f"{name}: {source.doc.rstrip('.')}" for name, source in sources.items())
    raise ReactioError(f"{type(model).__name__} cannot be audited. Reactio audits {known}.")
