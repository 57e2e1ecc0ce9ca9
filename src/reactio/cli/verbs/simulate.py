"""``reactio simulate``: the motion of a mechanism in time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.cli.arguments.branch_options import passed_words, start_on, with_branches_listed
from reactio.cli.arguments.one_way_parts import reacting_names, refuse_with_contacts
from reactio.cli.arguments.options import AsJson, InAxes, InCoordinates, Rule, Settings, Source
from reactio.cli.arguments.plot_option import Command, Plot, picture_of
from reactio.cli.arguments.resumed import integration_options, saved_run
from reactio.cli.arguments.sources import compile_model, read_source
from reactio.cli.arguments.sums import SumOf, named_sums
from reactio.cli.output.contact_runs import contact_data, contact_words, print_impulses, with_contacts
from reactio.cli.output.peaks import check_table, print_peaks, write_peaks
from reactio.cli.output.printing import console, escape, plural, print_json, print_rest, table, wrote
from reactio.cli.output.simulate_json import simulate_data
from reactio.cli.process import ExitCode, uninterrupted, was_interrupted
from reactio.cli.verbosity import say, silent
from reactio.errors import ReactioError

if TYPE_CHECKING:
    from rich.console import Console

    from reactio.flexibility.determined import Determination
    from reactio.integrate.checkpoint import Chunk
    from reactio.joint_reactions.data import Reactions
    from reactio.model.model import Model
    from reactio.simulation.passages import PassedSingularities
    from reactio.simulation.peaks import Peaks
    from reactio.simulation.trajectory import Trajectory

__all__ = ["Command", "simulate"]

MOST_EVENTS_SHOWN = 8  # that are printed; --json lists all


Stabilise = Annotated[str | None, typer.Option(help="How constraints are enforced: projection (default) or baumgarte.")]
ByMethod = Annotated[
    str | None,
    typer.Option(
        help=(
            "dop853 (default), radau5 for stiff motion (default for flexible bodies), auto (selects the "
            "method), or moreau (contacts with friction)."
        )
    ),
]
Modes = Annotated[
    int | None,
    typer.Option(
        min=0, help="Number of modes of flexible bodies without `modes` in the model; needs --damping or --beta."
    ),
]
Step = Annotated[float | None, typer.Option(help="Time step of the method moreau, in seconds (default 1e-3).")]
Eliminate = Annotated[
    str | None,
    typer.Option(
        metavar="B.y,W4", help="Drop these equations when sharing load: the rule `elimination` with your choice."
    ),
]
ByFormulation = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="How constraints enter the equations of motion, with settings after a colon: projection (default), "
        "minimal-coordinates, coordinate-partitioning, null-space, tangent-space, augmented-lagrangian:iterations=3, "
        "penalty:stiffness=1e8, elimination:B.z, udwadia-kalaba, baumgarte:alpha=20.",
    ),
]
Drop = Annotated[
    str | None,
    typer.Option(
        metavar="B.z,W4",
        help="Leave these equations out of the motion, or `auto`: as many as are redundant at the start.",
    ),
]
BasesFile = Annotated[
    Path | None,
    typer.Option(help="Write the basis T of minimal coordinates, the velocities in it, |R_ii| and Omega: .npz."),
]
Rows = Annotated[int | None, typer.Option(help="Number of evenly spaced rows of output (default: every step).")]
OnBranch = Annotated[
    int | None,
    typer.Option(min=1, help="Start on this branch of a singular pose, a short distance away (counted from 1)."),
]
Speed = Annotated[
    float | None,
    typer.Option(
        help="Speed of the fastest body on that branch, in the file's length per second; negative for the opposite "
        "direction (default 1 m/s)."
    ),
]
Reach = Annotated[
    float | None,
    typer.Option(
        help=(
            "Distance along that branch at which the run starts, in characteristic lengths: 0.001 … 0.2 (default 0.01)."
        )
    ),
]
InFigure = Annotated[
    str | None, typer.Option(metavar="A,B", help="Joints in the figure (default: those with the largest forces).")
]
StiffnessDamping = Annotated[
    float | None, typer.Option(min=0, help="Damping of these modes proportional to stiffness, in s.")
]


def simulate(
    source: Source,
    until: Annotated[float, typer.Option(help="Simulated time, in seconds.")],
    settings: Settings = None,
    coordinates: InCoordinates = None,
    tol: Annotated[float | None, typer.Option(help="Tolerance of a step (default 1e-9).")] = None,
    method: ByMethod = None,
    step: Step = None,
    rule: Rule = None,
    eliminate: Eliminate = None,
    formulation: ByFormulation = None,
    drop: Drop = None,
    stabilise: Stabilise = None,
    alpha: Annotated[float | None, typer.Option(help="Rate of Baumgarte's method, in 1/s (default 20).")] = None,
    branch: OnBranch = None,
    speed: Speed = None,
    reach: Reach = None,
    rows: Rows = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Save the run: .npz, .nc or .csv.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Continue a saved run (.npz, .nc, .csv).")] = None,
    plot: Plot = None,
    select: InFigure = None,
    axes: InAxes = ReactionAxes.JOINT,
    modes: Modes = None,
    damping: Annotated[float | None, typer.Option(min=0, help="Damping ratio of these modes.")] = None,
    beta: StiffnessDamping = None,
    levels: Annotated[Path | None, typer.Option(help="Also draw the joint forces distributed by compliance.")] = None,
    group: SumOf = None,
    bases: BasesFile = None,
    peaks: Annotated[Path | None, typer.Option(help="Write the peaks of all components to this .csv.")] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate the motion: drift, energy, peaks of the reactions.

    After Ctrl-C the completed part is printed, and --out saves it. `--resume` continues it with the same options,
    unless others are given, and gives the same result as a run without interruption.
    Events, end stops and singular poses are located. Contacts close, open and bounce at located events; with friction,
    or many contacts, use time steps: `--method moreau --step 1e-3`.

    Peaks are those of unique reactions; `--rule NAME` distributes the others and prints its name next to them.

    Example: reactio simulate double-four-bar --until 10 --out run.npz
    """
    from reactio.model.contacts import acts_one_way
    from reactio.model.model import Model
    from reactio.simulation.simulate import simulate as run_it

    rule = _checked(rule, eliminate, select, plot is not None or levels is not None)
    _check_files(out, peaks, levels, rule, resume, bases)
    picture = picture_of(plot, source, "run")
    before = saved_run(resume, source, settings, coordinates) if resume else None
    motion_of = before.system.in_axes(axes) if before else read_source(source, settings)
    touching = isinstance(motion_of, Model) and acts_one_way(motion_of)
    if touching:
        world = None if axes is ReactionAxes.JOINT else axes
        refuse_with_contacts({"--coordinates": coordinates, "--branch": branch, "--out": out, "--axes": world,
                              "--formulation": formulation, "--drop": drop, "--bases": bases})  # fmt: skip
    choice = _modes(modes, damping, beta)
    if isinstance(motion_of, Model) and not touching:
        motion_of = compile_model(_with_modes(motion_of, choice), coordinates, rule=rule, axes=axes)
    given = {"tol": tol, "method": method, "rule": rule, "stabilise": stabilise, "alpha": alpha}
    options = integration_options(before or motion_of, **given, formulation=formulation)
    sums = named_sums(group, reacting_names(motion_of))
    system = None if isinstance(motion_of, Model) else motion_of
    state, moved = start_on(system, branch, speed, reach, resumed=before is not None) if system else (None, ())
    with _progress(until, quiet=as_json) as on_chunk, with_branches_listed(system) if system else nullcontext():
        # Ctrl-C discards the current piece; implicit steps take longer, so that pieces have fewer of them.
        pieces = {"on_chunk": on_chunk, "chunk": 200 if options.method == "dop853" else 20}
        keywords = {**asdict(options), "state": state, "output": rows, "resume": before, "step": step, **pieces}
        run = run_it(motion_of, until, **keywords, drop=() if drop is None else (drop,))
    run = replace(run, notes=moved + run.notes)
    _save(run, out, bases)
    if levels is not None:
        _draw_levels(read_source(source, settings), run, levels, select)
    _show(run, out, picture, select, sums, peaks, as_json)
    _end(run, until)


def _save(run: Trajectory, out: Path | None, bases: Path | None) -> None:
    """Keep the run, and the bases of its velocities, where that is asked for."""
    if out is not None:
        from reactio.simulation.write_run import save_run

        with uninterrupted():
            save_run(run, out)
    if bases is not None:
        from reactio.simulation.minimal_coordinates import minimal_coordinates, save_minimal_coordinates

        save_minimal_coordinates(minimal_coordinates(run), bases)


def _end(run: Trajectory, until: float) -> None:
    """Exit with the code of a run that was interrupted or did not reach its end."""
    from reactio.integrate.status import Status

    interrupted = run.status is Status.PAUSED or run.energy_error is None
    if interrupted or (run.checkpoint.t < until and run.status is not Status.EVENT) or run.status is Status.DRIFTED:
        say(f"The run ended at t = {run.checkpoint.t:.6g} s of {run.until:g} s. {run.status.value}")
        raise typer.Exit(ExitCode.INTERRUPTED if interrupted else ExitCode.STOPPED_EARLY)


def _modes(count: int | None, damping: float | None, beta: float | None) -> dict[str, float]:
    """The options --modes, --damping and --beta as parameters."""
    given = {key: value for key, value in (("damping", damping), ("beta", beta)) if value is not None}
    if count is None and given:
        raise ReactioError("--damping and --beta belong to --modes: give the number of modes too, --modes 6.")
    if count is not None and not given:
        raise ReactioError(f"--modes {count} without damping: add --damping 0.01 or --beta 1e-4 (0 for none).")
    return {} if count is None else {"count": count, **given}


def _with_modes(model: Model, choice: dict[str, float]) -> Model:
    """The model with modes in flexible bodies that state none."""
    from reactio.model.transform.floating_frames import with_modes

    return with_modes(model, choice) if choice else model


def _check_files(
    out: Path | None,
    peaks: Path | None,
    levels: Path | None,
    rule: str | None,
    resume: Path | None,
    bases: Path | None,
) -> None:
    """Refuse files that cannot be written, before the run."""
    if out is not None:
        from reactio.simulation.write_run import check_out

        check_out(out)
    if peaks is not None:
        check_table(peaks)
    if levels is not None:
        _check_levels(levels, rule, resume)
    if bases is not None:
        from reactio.simulation.minimal_coordinates import check_bases_file

        check_bases_file(bases)


def _draw_levels(model: Model, run: Trajectory, path: Path, select: str | None) -> None:
    from reactio.drawing.plots.levels import draw_levels

    draw_levels(model, run, path, [name.strip() for name in (select or "").split(",") if name.strip()])


def _check_levels(path: Path, rule: str | None, resume: Path | None) -> None:
    from reactio.drawing.painter import matplotlib
    from reactio.drawing.plots.style import checked
    from reactio.sharing import by_compliance

    matplotlib()
    checked(path)
    if resume is not None or by_compliance(rule):
        raise ReactioError(
            "--levels adds level 1 to a run of bodies that vibrate or are split: leave out --resume and --rule."
        )


def _checked(rule: str | None, eliminate: str | None, select: str | None, drawn: bool) -> str | None:
    """The sharing rule; refuses options that exclude each other."""
    if eliminate is not None and not eliminate.strip(" ,"):
        raise ReactioError("--eliminate names no equation; write --eliminate B.y,W4, or leave it out.")
    if select is not None and not drawn:
        raise ReactioError("--select chooses the joints of the figure: give --plot too, or leave it out.")
    if rule and eliminate:
        raise ReactioError("Give either --rule or --eliminate: dropping equations is a sharing rule itself.")
    return f"elimination:{eliminate}" if eliminate else rule


def _show(
    run: Trajectory,
    out: Path | None,
    picture: Path | None,
    select: str | None,
    sums: dict[str, str],
    peak_table: Path | None,
    as_json: bool,
) -> None:
    """Draw the figure and print the results of a run."""
    from reactio.simulation.peaks import peaks

    singular, highest = run.singular_passages, peaks(run, sums)
    if peak_table is not None:
        write_peaks(peak_table, highest)
    if picture is not None:
        _draw(run, picture, select, singular)
    if as_json:
        rests_on = _rests_on(run, highest)
        data = simulate_data(run, picture, singular, highest)
        touching = with_contacts(run)
        print_json({**data, "stiffness": rests_on, **({} if touching is None else contact_data(touching))})
    else:
        written = [path for path in (out, picture, peak_table if highest.found else None) if path]
        _print(run, written, singular, highest)


def _rests_on(run: Trajectory, highest: Peaks) -> Determination | None:
    """What reactions that stiffness determines rest on, at the instant where they are largest."""
    if run.rule is None or not highest.found:
        return None
    from reactio.flexibility.determined import largest_determination
    from reactio.simulation.peaks import instants_of_peaks

    return largest_determination(instants_of_peaks(run)[1])


def _draw(run: Trajectory, picture: Path, select: str | None, singular: PassedSingularities) -> None:
    from reactio.drawing.plots.run import plot_run

    names = [name.strip() for name in (select or "").split(",") if name.strip()]
    plot_run(run, picture, names, [passage.t for passage in singular.found])


def _progress(until: float, quiet: bool) -> Any:
    """A progress bar with simulated time and steps per second, on a terminal only."""
    if was_interrupted():  # while modules were imported, where it could not be raised
        raise KeyboardInterrupt
    if quiet or silent() or not sys.stderr.isatty():
        return nullcontext(_ends_after)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    class Bar:
        def __enter__(self) -> Callable[[Chunk], bool]:
            columns = (TextColumn("t = {task.fields[t]:.3f} s"), BarColumn(), TextColumn("{task.fields[speed]}"))
            self.bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("", total=until, t=0.0, speed="")
            return self.update

        def update(self, chunk: Chunk) -> bool:
            elapsed = self.bar.tasks[0].elapsed or 1e-9
            speed = f"{chunk.checkpoint.steps / elapsed:,.0f} steps/s"
            self.bar.update(self.task, completed=chunk.checkpoint.t, t=chunk.checkpoint.t, speed=speed)
            return _ends_after(chunk)

        def __exit__(self, *error: object) -> None:
            self.bar.stop()

    return Bar()


def _ends_after(chunk: Chunk) -> bool:
    """Does the run end after a piece: was there a Ctrl-C that a library has swallowed, as may happen in an import?"""
    return was_interrupted()


def _print_events(run: Trajectory, to: Console) -> None:
    """Print the first events, and how many there are."""
    if not run.events:
        return
    listing = table(plural(len(run.events), "event"), ">t s", "name", "kind", "direction", "action")
    for event in run.events[:MOST_EVENTS_SHOWN]:
        listing.add_row(f"{event.t:.9g}", escape(event.name), event.kind, event.direction, event.action)
    to.print(listing)
    print_rest(to, len(run.events) - MOST_EVENTS_SHOWN, "--json lists them all")


def _reactions_at_the_end(last: Reactions) -> str:
    """A sentence on how many reactions are unique at the end, and on the others."""
    if last.given:
        rule = escape(last.given)
        return f"Reactions at the end: given the rule [bold]{rule}[/bold], which determines the motion itself."
    unique = sum(last[name].unique for name in last)
    how = "determined by the stiffness given, rule" if last.is_by_stiffness else "distributed by"
    rest = f"; the others are {how} [bold]{escape(last.rule)}[/bold]" if last.rule else "; the others are undetermined"
    limit = last.linear_modes
    beyond = f"; {len(limit.beyond)} are beyond linear modes" if limit is not None and limit.beyond else ""
    return f"Reactions at the end: {unique} of {len(last)} are unique{rest if unique < len(last) else ''}{beyond}."


def _print(run: Trajectory, written: list[Path], singular: PassedSingularities, highest: Peaks) -> None:
    from reactio.integrate.status import Status

    c, to, touching = run.checkpoint, console(), with_contacts(run)
    to.print(f"[bold]{escape(run.system.model.name)}[/bold]  t = {c.t:g} s of {run.until:g} s. {run.status.value}")
    speed = f"{run.wall_s:.3g} s" if run.wall_s >= 1 else f"{1e3 * run.wall_s:.3g} ms"
    counts = f"{plural(c.steps, 'step')}, {c.rejected:,} rejected, {plural(c.evaluations, 'evaluation')}"
    to.print(f"{counts} in {speed}.")
    error = "not known" if run.energy_error is None else f"{run.energy_error:.1e}"
    drift = f"positions {run.position_drift:.1e}, velocities {run.velocity_drift:.1e}"
    to.print(f"Drift: {drift}; energy error {error}.")
    for line in () if touching is None else contact_words(touching):
        to.print(escape(line))
    if run.system.m:
        to.print(escape(passed_words(singular)))
    for note in run.notes:
        to.print(f"Note: {escape(note)}")
    if run.system.m:
        to.print(_reactions_at_the_end(run.last_reactions))
    if highest.found or run.system.m:
        stopped_at = [c.t] if run.status is Status.NEAR_SINGULAR else []
        print_peaks(to, run, highest, [*(passage.t for passage in singular.found), *stopped_at])
        if (rests_on := _rests_on(run, highest)) is not None:
            to.print(f"At t = {rests_on.t:.4g} s, of the largest reactions: {escape(' '.join(rests_on.sentences))}")
    if touching is not None:
        print_impulses(to, touching)
    _print_events(run, to)
    wrote(*written)
