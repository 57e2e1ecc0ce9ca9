"""``reactio reactions``: forces and moments in the joints at one instant."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reactio.catalogue.places import ReactionAxes
from reactio.catalogue.units import Units, in_units, quantity, unit_name, writing_in
from reactio.cli.arguments.import_options import units_asked_for
from reactio.cli.arguments.one_way_parts import touching
from reactio.cli.arguments.options import AsJson, At, InAxes, ReadTo, Rule, Settings, Source
from reactio.cli.arguments.sources import compile_model, read_source
from reactio.cli.arguments.sums import SumOf, asked_for, print_sums
from reactio.cli.output.basis import BY_STIFFNESS_MARK, print_turning_axes, verdict_mark
from reactio.cli.output.numbers import number_text, number_texts, rounding, wrench_heads
from reactio.cli.output.printing import TABLE_ROWS, console, escape, plural, print_json, print_rest, table
from reactio.cli.output.springs import print_springs
from reactio.errors import ReactioError
from reactio.results.as_data import picked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rich.console import Console
    from rich.table import Table

    from reactio.flexibility.determined import Determination
    from reactio.joint_reactions.compare import Comparison
    from reactio.joint_reactions.data import GroupReaction, Reactions
    from reactio.joint_reactions.judge import JudgedState
    from reactio.joint_reactions.rewriting import Rewriting
    from reactio.model.model import Model
    from reactio.system.equations import Equations
    from reactio.system.types import System

LINE_HEADS = {"N": "tension"}  # of columns that are not called by the letter of the force


def reactions(
    source: Source,
    settings: Settings = None,
    at: At = None,
    rule: Rule = None,
    tolerance: ReadTo = None,
    compare: Annotated[bool, typer.Option("--compare", help="Every sharing rule side by side.")] = False,
    as_programs: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="NAMES",
            help=(
                "Show what these programs print: drake, exudyn, mujoco, ondsel, opensim, pinocchio; "
                "several side by side."
            ),
        ),
    ] = None,
    axes: InAxes = ReactionAxes.JOINT,
    body: Annotated[
        str | None, typer.Option(metavar="NAME", help="The free-body diagram of one body: every force on it, balanced.")
    ] = None,
    group: SumOf = None,
    as_json: AsJson = False,
    everything: Annotated[bool, typer.Option("--all", help="List all joints, however many.")] = False,
) -> None:
    """Show the forces and moments in every joint; a dash where they are not unique.

    Unique sums of undetermined components are listed below the table; `--group` asks for one of them.

    `--rule NAME` distributes the undetermined part by that rule, and prints its name next to the numbers. `--compare`
    shows why two programs disagree: the unique components are the same under every rule, the others are not.
    `--as mujoco,drake` shows what these programs would print, each by its own rule, and explains why.

    Examples:

      reactio reactions mobile-robot --compare

      reactio reactions door --group weight=hinge1.Fz+hinge2.Fz
    """
    from reactio.forward_dynamics.friction_check import undecided
    from reactio.joint_reactions.accelerating import acceleration_words
    from reactio.joint_reactions.at_state import refuse_unknown_masses
    from reactio.joint_reactions.compare import compare as compared
    from reactio.joint_reactions.open_at_pose import gap_words
    from reactio.simulation.state_at import judge_at

    if as_programs is not None and (rule is not None or compare):
        raise ReactioError("--as uses the rule of each program: leave out --rule and --compare.")
    if compare and group:
        raise ReactioError("--compare shows components; leave out --group, or --compare.")
    if body is not None and (compare or as_programs is not None or group):
        raise ReactioError("--body shows the forces on one body: leave out --compare, --as and --group.")
    rule = _in_asked_units(rule)
    given = read_source(source, settings)
    refuse_unknown_masses(given)
    system = touching(given, compile_model(given, accuracy=tolerance, rule=rule, axes=axes, vibration=not compare))
    judged = judge_at(system, at, rule)
    yielding = _giving_way(given, system, at, tolerance, axes) if compare and rule is None else None
    bearing = system if yielding is None else yielding.system
    notes = [*_notes(judged), *gap_words(given, bearing)]
    if as_programs is not None:
        _as_programs(judged.eqs, as_programs, notes, as_json)
    elif compare:
        comparison = compared(
            judged.eqs, [rule] if rule else None, answer=judged.answer, motion=judged.motion, yielding=yielding
        )
        if not undecided(judged.eqs, judged.answer):  # else every rule has a motion of its own
            notes += acceleration_words(judged.reactions(rule))
        notes += _dropped(judged.eqs, comparison.rules)
        _show_comparison(judged.eqs, comparison, notes, as_json)
    elif body is not None:
        every = judged.reactions(rule)
        _show_body(every, body, [*notes, *acceleration_words(every)], as_json)
    else:
        _show(judged, rule, group, notes, as_json, everything)


def _giving_way(
    given: Model, system: System, at: float | None, tolerance: str | None, axes: ReactionAxes
) -> Equations | None:
    """The equations for rules of stiffness, where parts bear that stand open in the rigid pose."""
    from reactio.simulation.state_at import judge_at
    from reactio.system.elasticity.compliance import has_elastic_parts

    if not system.open_parts or not has_elastic_parts(given):
        return None
    return judge_at(compile_model(given, accuracy=tolerance, rule="compliance", axes=axes), at).eqs


def _in_asked_units(rule: str | None) -> str | None:
    """The rule in the unit of length of ``--units``; one whose numbers do not depend on units stays as it is."""
    from reactio.sharing import depends_on, with_unit

    asked = units_asked_for()
    if rule is None or asked is None or asked.length == "m" or "units" not in depends_on(rule):
        return rule
    return with_unit(rule, asked.length)


def _notes(judged: JudgedState) -> list[str]:
    """Notes on the start of the model, on this state and on its geometry."""
    from reactio.diagnosis.check import lengths_from_pose
    from reactio.simulation.start import start_notes
    from reactio.system.geometry.rank_distance import geometry

    about = geometry(judged.eqs, judged.answer)
    start = start_notes(judged.eqs.system, judged.start)
    lengths = lengths_from_pose(judged.eqs.system)
    return [*start, *judged.notes, *lengths, *(about.words if about else ())]


def _show(
    judged: JudgedState,
    rule: str | None,
    group: list[str] | None,
    notes: list[str],
    as_json: bool,
    everything: bool,
) -> None:
    """Print the reactions, by a rule where one is given, with sums of components."""
    from reactio.flexibility.bearing import bearing_words
    from reactio.flexibility.determined import determination
    from reactio.forward_dynamics.friction_check import needed_weights
    from reactio.joint_reactions.accelerating import acceleration_words
    from reactio.joint_reactions.rewriting import rewritings
    from reactio.joint_reactions.sums import simplest

    eqs = judged.eqs
    if rule is not None:
        needed_weights(eqs, rule)  # refuses a rule on which friction cannot depend
    every = judged.reactions(rule)
    others = rewritings(every)
    notes += [*acceleration_words(every), *_dropped(eqs, [rule] if rule else [])]
    notes += [rewriting.sentence for rewriting in others if rewriting.sentence]
    notes += [every.linear_modes.words] if every.linear_modes else []
    notes += bearing_words(eqs, rule)
    rests_on = determination(every)
    asked, simple = asked_for(every, group), simplest(every)
    if as_json:
        sums = {"stiffness": rests_on, "groups": asked, "unique_sums": simple}
        print_json({**_data(eqs, every, notes), **sums, "written_otherwise": _otherwise(others)})
        return
    _print(console(), eqs, every, everything, rests_on)
    print_sums(console(), asked, simple, rounding([every.balanced, eqs.Q]), every.is_by_stiffness)
    _print_notes(notes)


def _show_body(every: Reactions, name: str, notes: list[str], as_json: bool) -> None:
    """The free-body diagram of one body."""
    from reactio.joint_reactions.free_body import free_body

    diagram, size = free_body(every, name), every.eqs.system.dimension
    rows = [(reaction.name, reaction.type, reaction.other, reaction.wrench) for reaction in diagram.reactions]
    rows += [("loads", "weight, forces, −ω×Jω", "", diagram.loads), ("sum", "inertia M v̇", "", diagram.inertia)]
    if as_json:
        data: dict[str, Any] = {
            "schema": "reactio.free-body/1",
            "model": every.eqs.system.model.name,
            "t": every.eqs.state.t,
            "body": name,
            "point": diagram.point,
            "rule": every.rule,
            "axes": "world",
            "forces": [
                {"name": label, "type": kind, "from": partner, "force": w[:size], "moment": w[size:]}
                for label, kind, partner, w in rows
            ],
            "sum_of_reactions": {"force": diagram.sum[:size], "moment": diagram.sum[size:]},
            "residual": diagram.residual,
            "notes": notes,
        }
        print_json(data)
        return
    out, zero = console(), rounding([diagram.loads, diagram.inertia, every.balanced])
    at = number_texts(diagram.point, 0.0, unit="m")
    out.print(
        f"[bold]{escape(every.eqs.system.model.name)}[/bold]  free-body diagram of {escape(name)}, "
        f"t = {every.eqs.state.t:g} s; world axes, moments about its origin ({at}) {unit_name('m')}"
    )
    listing = table("On this body", "name", "type", "from", *wrench_heads())
    for label, kind, partner, w in rows:
        numbers = (number_texts(w[:size], zero, unit="N"), number_texts(w[size:], zero, unit="N m"))
        listing.add_row(escape(label), escape(kind), escape(partner), *numbers)
    out.print(listing)
    forces, moments = (
        number_texts(diagram.sum[:size], zero, unit="N"),
        number_texts(diagram.sum[size:], zero, unit="N m"),
    )
    known = f"force {forces} {unit_name('N')}, moment {moments} {unit_name('N m')}"
    out.print(f"The reactions together, which are unique: {known}. Residual of the balance: {diagram.residual:.1e}.")
    if every.rule:
        how = "determined by the stiffness given, rule" if every.is_by_stiffness else "split by the rule"
        out.print(f"Components that are not unique are {how} {escape(every.rule)}.")
    _print_notes(notes)


def _print_notes(notes: list[str]) -> None:
    for note in notes:
        console().print(f"Note: {escape(note)}")


def _as_programs(eqs: Equations, names: str, notes: list[str], as_json: bool) -> None:
    """Print the reactions of other programs, with a sentence that explains each."""
    from reactio.auditing.programs import PROGRAMS
    from reactio.system.constraints import components

    programs = [PROGRAMS.get(name.strip()) for name in names.split(",") if name.strip()]
    if not programs:
        raise ReactioError(f"--as is empty; known programs are {', '.join(PROGRAMS)}.")
    split = {program.name: program.split(eqs) for program in programs}
    notes = notes + [
        f"{program.title}: some equations of this mechanism are equivalent, and rounding decides between them. Other "
        f"numbers are equally likely and cannot be predicted. Unique components are not affected."
        for program in programs
        if program.depends_on_rounding is not None and program.depends_on_rounding(eqs)
    ]
    data, rows = {program.name: dict[str, dict[str, float]]() for program in programs}, []
    for group in eqs.system.reacting:
        parts = components(eqs, group)
        values = {name: parts.P @ lam[group.start : group.stop] + 0.0 for name, lam in split.items()}
        for name, value in values.items():
            data[name][group.name] = dict(zip(parts.labels, value.tolist(), strict=True))
        for k, label in enumerate(parts.labels):
            rows.append((group.name, label, [value[k] for value in values.values()], parts.units[k]))
    if as_json:
        by_program = {
            program.name: {"rule": program.rule, "explanation": program.explanation, "numbers": data[program.name]}
            for program in programs
        }
        printed = next(iter(by_program.values())) if len(by_program) == 1 else {"programs": by_program}
        print_json(
            {"schema": "reactio.as/1", "model": eqs.system.model.name, "t": eqs.state.t, **printed, "notes": notes}
        )
        return
    zero = rounding(lam for lam in split.values())
    title = f"As other programs print it, {eqs.system.axes} axes"
    listing = table(title, "name", "part", *(f">{program.name}" for program in programs), "unit")
    for group_name, label, numbers_, unit in rows:
        listing.add_row(
            escape(group_name), label, *(number_text(float(x), zero, unit=unit) for x in numbers_), unit_name(unit)
        )
    console().print(listing)
    for program in programs:
        console().print(f"[bold]{program.title}[/bold]: {escape(program.explanation)}")
    _print_notes(notes)


def _otherwise(others: Iterable[Rewriting]) -> list[dict[str, Any]]:
    """The reactions by the rule for the same mechanism in other units or in another order."""
    return [
        picked(rewriting, "change words")
        | {
            "differs": rewriting.largest is not None,
            "forces": {name: {"here": before, "there": after} for name, (before, after) in rewriting.forces().items()},
            "values": rewriting.values,
        }
        for rewriting in others
    ]


def _dropped(eqs: Equations, rules: Iterable[str]) -> list[str]:
    """A note on the rows that elimination drops where none are named."""
    from reactio.sharing import problem
    from reactio.sharing.elimination import chosen

    if "elimination" not in rules:
        return []
    names = chosen(problem(eqs.constraints, eqs.Q, eqs.M, eqs.solvability))
    return [f"The rule elimination drops {', '.join(names) or 'nothing'}; name other rows to drop others."]


def _data(eqs: Equations, shared: Reactions, notes: list[str]) -> dict[str, Any]:
    from reactio.joint_reactions.springs import spring_tensions
    from reactio.system.reaction_axes import axes_carriers

    listed: dict[str, dict[str, Any]] = {}
    with writing_in(units_asked_for() or Units()):
        moments = unit_name("N m")
        for name, reaction in shared.items():
            listed[name] = picked(reaction, "verdict=words state body point force") | {
                "basis": reaction.bases(eqs.system.axes),
                "moment": in_units(reaction.moment, "N m"),
                "force_in_joint": reaction.force_in_joint,
                "moment_in_joint": in_units(reaction.moment_in_joint, "N m"),
            }
    for name, reaction in shared.items():
        listed[name] |= {**reaction.line, **({} if reaction.bears is None else {"bears": reaction.bears})}
    return {
        "schema": "reactio.reactions/1",
        **picked(eqs, "model=system.model.name t=state.t axes=system.axes"),
        "axes_turn_with": axes_carriers(eqs.system),
        "units": {"force": "N", "moment": moments, "point": "m"},
        "rule": shared.rule,
        "motion_depends_on_rule": shared.given is not None,
        "reactions": listed,
        "springs": {name: {"N": tension} for name, tension in spring_tensions(eqs).items()},
        "notes": notes,
    }


def _print(
    out: Console,
    eqs: Equations,
    shared: Reactions,
    everything: bool,
    rests_on: Determination | None,
) -> None:
    model = eqs.system.model
    where = f"on the second body of each joint, {eqs.system.axes} axes"
    out.print(f"[bold]{escape(model.name)}[/bold]  t = {eqs.state.t:g} s; {where}")
    rule = (
        f"distributed by the rule [bold]{escape(shared.rule)}[/bold]"
        if shared.rule
        else "undetermined (–): choose a sharing rule with --rule"
    )
    unique = sum(reaction.unique for reaction in shared.values())
    if rests_on is not None:
        out.print(f"Rigid model: {unique} of {plural(len(shared), 'reaction is', 'reactions are')} unique.")
        out.print(f"Rule [bold]{escape(str(shared.rule))}[/bold]. {escape(' '.join(rests_on.sentences))}")
    elif unique < len(shared):
        out.print(f"Components that are not unique are {rule}.")
    if shared.given:
        out.print(
            f"Friction acts on them: the motion, and with it every reaction, is given by the rule "
            f"[bold]{escape(shared.given)}[/bold]."
        )
    every = [shared[name] for name in shared]
    extra = _extra_columns(every)
    listing = table("Reactions", "name", "type", "verdict", "on", *wrench_heads(), *extra)
    parts = [reaction.in_axes(eqs.system.axes)[:2] for reaction in every]
    zero = rounding([*(part for pair in parts for part in pair), shared.balanced, eqs.Q])
    shown = every if everything else every[:TABLE_ROWS]
    for reaction, (force, moment) in zip(shown, parts, strict=False):
        listing.add_row(
            escape(reaction.name),
            reaction.type,
            escape(reaction.state),
            escape(reaction.body),
            number_texts(force, zero, unit="N"),
            number_texts(moment, zero, unit="N m"),
            *(cell(reaction, zero) for cell in extra.values()),
        )
    out.print(listing)
    if len(shown) < len(every):
        print_rest(out, len(every) - len(shown), "--all lists them", then=_summary(every, zero))
    print_springs(out, eqs, zero)
    print_turning_axes(out, eqs.system)


def _extra_columns(every: list[GroupReaction]) -> dict[str, Callable[[GroupReaction, float], str]]:
    """The columns that some models have: axial forces of members, and which joints bear where one is idle."""
    columns: dict[str, Callable[[GroupReaction, float], str]] = {}
    for label in dict.fromkeys(label for reaction in every for label in reaction.line):
        columns[f">{LINE_HEADS.get(label, label)} {unit_name('N')}"] = partial(_line_text, label)
    if any(reaction.bears is False for reaction in every):
        columns["load"] = lambda reaction, _: {True: "bears", False: "idle", None: ""}[reaction.bears]
    return columns


def _line_text(label: str, reaction: GroupReaction, zero: float) -> str:
    """A force of a member or tooth; empty where it has none of that name."""
    return number_text(reaction.line[label], zero, unit="N") if label in reaction.line else ""


def _summary(every: list[GroupReaction], zero: float) -> str:
    """The number of joints of each verdict, and the largest known force and moment, in words."""
    counts = Counter(reaction.state for reaction in every)
    text = "In all: " + ", ".join(f"{count:,} {words}" for words, count in counts.items()) + "."
    for what, unit in (("force", "N"), ("moment", "N m")):
        known = [
            (math.hypot(*getattr(reaction, what).tolist()), reaction.name)
            for reaction in every
            if getattr(reaction, what).size
        ]
        size, name = max((item for item in known if math.isfinite(item[0])), default=(0.0, ""))
        if size > zero:
            text += f" Largest known {what}: {quantity(size, unit, 5)} in {escape(name)}."
    return text


def _show_comparison(eqs: Equations, comparison: Comparison, notes: list[str], as_json: bool) -> None:
    if as_json:
        print_json(_comparison_data(eqs, comparison, notes))
        return
    _print_comparison(console(), eqs, comparison)
    _print_notes(notes)


def _comparison_data(eqs: Equations, comparison: Comparison, notes: list[str]) -> dict[str, Any]:
    from reactio.sharing import rule_of

    return {
        "schema": "reactio.compare/1",
        **picked(eqs, "model=system.model.name t=state.t axes=system.axes"),
        "rules": comparison.rules,
        "depends_on": {rule: rule_of(rule)[0].depends_on for rule in comparison.rules},
        "refused": [{"rule": rule, "reason": reason} for rule, reason in comparison.refused],
        "rows": [picked(row, "name=group component unit unique values by_stiffness") for row in comparison.rows],
        "notes": notes,
    }


def _print_comparison(out: Console, eqs: Equations, comparison: Comparison) -> None:
    out.print(f"[bold]{escape(eqs.system.model.name)}[/bold]  t = {eqs.state.t:g} s; {eqs.system.axes} axes")
    zero = rounding(row.values for row in comparison.rows)
    several = max(1, (out.width - 34) // 14)  # rules whose columns fit side by side
    for first in range(0, len(comparison.rules), several):
        out.print(_side_by_side(comparison, slice(first, first + several), zero))
    stiff = any(any(row.by_stiffness) and row.unique is not True for row in comparison.rows)
    by_stiffness = f"; {BY_STIFFNESS_MARK} determined by the stiffness given" if stiff else ""
    out.print(
        f"● unique: the same under every rule{by_stiffness}; ○ not unique: the number belongs to the rule, not to the "
        "machine."
    )
    out.print("* the numbers change if the same mechanism is written differently: `reactio rules` says how.")
    for rule, reason in comparison.refused:
        out.print(f"{rule} does not apply: {escape(reason)}")


def _side_by_side(comparison: Comparison, chosen: slice, zero: float) -> Table:
    """A table of some of the rules."""
    from reactio.sharing import rule_of

    marks = ["*" if rule_of(rule)[0].depends_on else "" for rule in comparison.rules[chosen]]
    names = [rule.replace("augmented-lagrangian", "aug.-lagrange")[:13] for rule in comparison.rules[chosen]]
    heads = [f">{name}{mark}" for name, mark in zip(names, marks, strict=True)]
    listing = table("Every rule side by side", "", "name", "part", *heads, "unit")
    for row in comparison.rows:
        mark = verdict_mark({True: "unique", False: "not unique", None: "ambiguous"}[row.unique])
        values = [number_text(float(x), zero, unit=row.unit) for x in row.values[chosen]]
        shown = (
            values
            if row.unique
            else [
                f"{BY_STIFFNESS_MARK} {text}" if stiff else f"[red]{text}[/]"
                for text, stiff in zip(values, row.by_stiffness[chosen], strict=True)
            ]
        )
        listing.add_row(mark, escape(row.group), row.component, *shown, unit_name(row.unit))
    return listing
