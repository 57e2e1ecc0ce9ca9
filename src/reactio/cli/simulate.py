"""``reactio simulate``: the motion of a mechanism in time."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from reactio.cli.common import (
    AsJson,
    InCoordinates,
    Rule,
    Settings,
    Source,
    compile_source,
    console,
    escape,
    plural,
    prepare,
    print_json,
    read_source,
    table,
)
from reactio.cli.voice import say, silent
from reactio.cli.ways import offering, passed_words, start_on
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.arrays import Floats
    from reactio.dynamics.motion import Chunk
    from reactio.dynamics.reactions_at import GroupReaction, Reactions
    from reactio.dynamics.trajectory import Trajectory
    from reactio.singular.passed import Passed

STOPPED = 3
ALPHA = 20.0  # 1/s
BESIDE = "-"  # a figure beside the source
SHOWN = 8  # events that are printed


def _is_file(word: str) -> bool:
    """Is it the name of a figure, rather than another option or the SOURCE?"""
    return not word.startswith("-") and Path(word).suffix.lower() not in ("", ".yaml", ".yml")


class Command(TyperCommand):
    """``--plot`` with or without the name of a file."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put in that the name was left out."""
        following = [*args, ""][1:]
        bare = [a == "--plot" and not _is_file(b) for a, b in zip(args, following, strict=True)]
        return super().parse_args(ctx, [f"--plot={BESIDE}" if b else a for a, b in zip(args, bare, strict=True)])


OnBranch = Annotated[
    int | None,
    typer.Option(min=1, help="Start a little way along this branch of a singular pose; they count from 1."),
]
Speed = Annotated[
    float | None, typer.Option(help="Of the quickest body on that branch, in m/s; negative: the other way. [1]")
]
Reach = Annotated[
    float | None,
    typer.Option(help="How far along that branch the run starts, in characteristic lengths: 0.001 … 0.2. [0.01]"),
]


def simulate(
    source: Source,
    until: Annotated[float, typer.Option(help="Simulated time, in seconds.")],
    settings: Settings = None,
    coordinates: InCoordinates = None,
    tol: Annotated[float, typer.Option(help="Tolerance of a step.")] = 1e-9,
    method: Annotated[
        str | None, typer.Option(help="dop853 (default), radau5 for stiff motion, or auto, which finds out.")
    ] = None,
    rule: Rule = None,
    eliminate: Annotated[
        str | None,
        typer.Option(metavar="B.y,W4", help="Drop these equations: the rule `elimination` with your choice."),
    ] = None,
    stabilise: Annotated[str, typer.Option(help="Hold the constraints by projection or baumgarte.")] = "projection",
    alpha: Annotated[float | None, typer.Option(help="Rate of Baumgarte's method, in 1/s; 20 if left out.")] = None,
    branch: OnBranch = None,
    speed: Speed = None,
    reach: Reach = None,
    rows: Annotated[int | None, typer.Option(help="Evenly spaced rows of output; every step when left out.")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep the run: .npz, .nc or .csv.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from a run that was kept (.npz, .nc, .csv).")] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="[FILE]", help="Draw it: .png, .svg or .pdf; without a name beside SOURCE."),
    ] = None,
    select: Annotated[str | None, typer.Option(metavar="A,B", help="Joints in the figure; the largest else.")] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate the motion; drift, energy and final reactions.

    Ctrl-C keeps the part that is done; with --out it is saved and `--resume` goes on with the identical result.
    Events and end stops of the model are looked for on the way, and singular poses.

    Example: reactio simulate double-four-bar --until 10 --out run.npz
    """
    from reactio.dynamics.simulate import joined
    from reactio.dynamics.simulate import simulate as run_it
    from reactio.dynamics.storage import load_run, save_run

    if eliminate is not None and not eliminate.strip(" ,"):
        raise ReactioError("--eliminate names no equation; write --eliminate B.y,W4, or leave it out.")
    if alpha is not None and stabilise != "baumgarte":
        raise ReactioError("--alpha is the rate of Baumgarte's method: give --stabilise baumgarte, or leave it out.")
    if select is not None and plot is None:
        raise ReactioError("--select chooses the joints of the figure: give --plot too, or leave it out.")
    if rule and eliminate:
        raise ReactioError("Give either --rule or --eliminate: dropping equations is a sharing rule itself.")
    rule = f"elimination:{eliminate}" if eliminate else rule
    picture = _picture(plot, source)
    before = load_run(resume) if resume else None
    if before is not None and coordinates:
        raise ReactioError("--resume goes on in the coordinates of the run that was kept; leave out --coordinates.")
    if before is not None:
        _same_model(source, settings, resume, before)
    if before is not None and before.depends_on_rule:
        rule = rule or before.rule
    system = compile_source(source, settings, coordinates) if before is None else before.system
    method = method or (before.method if before else "dop853")
    _prepare(system.space, method)
    with _progress(until, quiet=as_json) as on_chunk:
        checkpoint = before.checkpoint if before else None
        rate = ALPHA if alpha is None else alpha
        held: dict[str, Any] = {"rule": rule, "method": method, "stabilise": stabilise, "alpha": rate}
        state, moved = start_on(system, branch, speed, reach, resumed=before is not None)
        with offering(system):
            run = run_it(system, until, tol=tol, **held, state=state, output=rows, resume=checkpoint, on_chunk=on_chunk)
    run = joined(before, run) if before else replace(run, notes=moved + run.notes)
    if out is not None:
        save_run(run, out)
    _show(run, out, picture, select, as_json)
    if run.checkpoint.t < until and run.status.name != "EVENT":
        say(f"The run ended at t = {run.checkpoint.t:.6g} s of {run.until:g} s. {run.status.value}")
        raise typer.Exit(STOPPED)


def _prepare(space: str, method: str) -> None:
    """Compile what a run by a method needs."""
    for part in ("motion",) if method == "dop853" else ("motion", "stiff"):
        prepare(f"{part}-{space}")


def _same_model(source: str, settings: Settings, resume: Path | None, before: Trajectory) -> None:
    """Refuse to go on with a run of another model than the one that is named."""
    from reactio.model.natural import natural

    given, kept = read_source(source, settings), before.system.model
    if given != kept and natural(given) != kept:
        raise ReactioError(
            f"{resume} holds a run of '{kept.name}' that was made with another model, or with other numbers, than "
            f"'{source}' describes now. Name the model it was made with, or start a new run."
        )


def _picture(plot: str | None, source: str) -> Path | None:
    """Where the figure goes; what is wrong with that is said before the run."""
    if plot is None:
        return None
    from reactio.figures.style import checked, needed

    needed()
    if plot != BESIDE:
        return checked(Path(plot))
    given = Path(source)
    return given.with_name(f"{given.stem}-run.png") if given.suffix else Path(f"{source}-run.png")


def _show(run: Trajectory, out: Path | None, picture: Path | None, select: str | None, as_json: bool) -> None:
    """The figure, and what is said of the run."""
    from reactio.singular.passed import passed

    singular = passed(run)
    if picture is not None:
        from reactio.figures.run import plot_run

        names = [name.strip() for name in (select or "").split(",") if name.strip()]
        plot_run(run, picture, names, [one.t for one in singular.found])
    written = [path for path in (out, picture) if path]
    print_json(_data(run, picture, singular)) if as_json else _print(run, written, singular)


def _progress(until: float, quiet: bool) -> Any:
    """A bar with simulated time and steps per second, on a terminal only."""
    if quiet or silent() or not sys.stderr.isatty():
        return nullcontext(None)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    class Bar:
        def __enter__(self) -> Callable[[Chunk], None]:
            columns = (TextColumn("t = {task.fields[t]:.3f} s"), BarColumn(), TextColumn("{task.fields[speed]}"))
            self.bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("", total=until, t=0.0, speed="")
            return self.update

        def update(self, chunk: Chunk) -> None:
            elapsed = self.bar.tasks[0].elapsed or 1e-9
            speed = f"{chunk.checkpoint.steps / elapsed:,.0f} steps/s"
            self.bar.update(self.task, completed=chunk.checkpoint.t, t=chunk.checkpoint.t, speed=speed)

        def __exit__(self, *error: object) -> None:
            self.bar.stop()

    return Bar()


def _numbers(values: Floats) -> list[float | None]:
    """A vector; nothing in place of a component that is not unique."""
    return [float(x) if math.isfinite(x) else None for x in values]


def _reaction(one: GroupReaction) -> dict[str, Any]:
    """A reaction at the end of a run; of one that is not unique at all no vector is given."""
    keys = ("force", "moment", "force_in_joint", "moment_in_joint")
    parts = {key: getattr(one, key) for key in keys}
    none = one.verdict == "not unique"
    return {
        "verdict": one.words,
        **{key: None if none and not all(map(math.isfinite, part)) else _numbers(part) for key, part in parts.items()},
    }


def _data(run: Trajectory, picture: Path | None, singular: Passed) -> dict[str, Any]:
    from reactio.dynamics.pose import body_states

    last = run.last_reactions if run.system.m and not run.system.model.share_points else {}
    return {
        "schema": "reactio.simulate/1",
        "model": run.system.model.name,
        "until": run.until,
        "t": run.checkpoint.t,
        "status": run.status.name.lower().replace("_", "-"),
        "rule": run.rule,
        "method": run.method,
        "motion_depends_on_rule": run.depends_on_rule,
        "steps": run.checkpoint.steps,
        "rejected": run.checkpoint.rejected,
        "evaluations": run.checkpoint.evaluations,
        "wall_s": run.wall_s,
        "position_drift": run.position_drift,
        "velocity_drift": run.velocity_drift,
        "energy_error": run.energy_error,
        "singular_passages": None if singular.note else [{"t": p.t, "motions": p.motions} for p in singular.found],
        "notes": [*run.notes, *([singular.note] if singular.note else [])],
        "events": [
            {"name": e.name, "t": e.t, "kind": e.kind, "direction": e.direction, "action": e.action, "work": e.work}
            for e in run.events
        ],
        "plot": str(picture) if picture else None,
        "final": body_states(run.system, run.final),
        "reactions": {name: _reaction(last[name]) for name in last},
    }


def _print_events(run: Trajectory, to: Console) -> None:
    """The first events, and how many there are."""
    if not run.events:
        return
    made = table(plural(len(run.events), "event"), ">t s", "name", "kind", "direction", "action")
    for event in run.events[:SHOWN]:
        made.add_row(f"{event.t:.9g}", escape(event.name), event.kind, event.direction, event.action)
    to.print(made)
    if len(run.events) > SHOWN:
        to.print(f"… and {len(run.events) - SHOWN:,} more; --json lists them all.")


def _reactions_at_the_end(last: Reactions) -> str:
    """How many are unique, and what becomes of the others."""
    if last.given:
        rule = escape(last.given)
        return f"Reactions at the end: given the rule [bold]{rule}[/bold], which decides about the motion itself."
    unique = sum(last[name].unique for name in last)
    rest = f"; the others are split by [bold]{escape(last.rule)}[/bold]" if last.rule else "; the others are left open"
    return f"Reactions at the end: {unique} of {len(last)} are unique{rest if unique < len(last) else ''}."


def _print(run: Trajectory, written: list[Path], singular: Passed) -> None:
    c, to = run.checkpoint, console()
    to.print(f"[bold]{escape(run.system.model.name)}[/bold]  t = {c.t:g} s of {run.until:g} s. {run.status.value}")
    speed = f"{run.wall_s:.3g} s" if run.wall_s >= 1 else f"{1e3 * run.wall_s:.3g} ms"
    to.print(f"{plural(c.steps, 'step')}, {c.rejected:,} rejected, {c.evaluations:,} evaluations in {speed}.")
    to.print(
        f"Drift: positions {run.position_drift:.1e}, velocities {run.velocity_drift:.1e}; "
        f"energy error {run.energy_error:.1e}."
    )
    if run.system.m:
        to.print(escape(passed_words(singular)))
    for note in run.notes:
        to.print(f"Note: {escape(note)}")
    if run.system.m and not run.system.model.share_points:
        to.print(_reactions_at_the_end(run.last_reactions))
    _print_events(run, to)
    for path in written:
        to.print(f"Written to {escape(str(path))}.")
