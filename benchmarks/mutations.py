"""Can every row of `reactio reproduce` fail?  Models and formulas are changed, and each row must lose its tick once.

    OPENBLAS_NUM_THREADS=1 python benchmarks/mutations.py [PAPER …]

A mutation replaces a name in the module of a paper while some of its comparisons are made again.  Printed are the rows
that no mutation turns; the exit code is 1 where there are any.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np

from reactio.catalogue.places import End
from reactio.functions.step import Step
from reactio.library import load
from reactio.model.model import Model
from reactio.model.specs import Joint
from reactio.reproduce import PAPERS, PrintedNumber, callejo2017, masarati2023, sharma, wojtyra2012, wojtyra2013

Change = Callable[[Model], Model]
Rows = Callable[[], Iterable[PrintedNumber]]


class Mutation(NamedTuple):
    """Names of a module with what stands in their place, and the comparisons that are made again."""

    names: Mapping[str, Any]
    rows: Rows | None = None  # all of the paper where nothing is named


def model(change: Change, *only: str) -> dict[str, Any]:
    """`load` with a change of every model, or of those of some names."""
    return {"load": lambda name, **values: (change if not only or name in only else _same)(load(name, **values))}


def _same(whole: Model) -> Model:
    return whole


def twice(*names: str) -> Change:
    """Joints that are there a second time, all of them and the drives, or those named."""

    def change(whole: Model) -> Model:
        again = [replace(joint, name=f"{joint.name}'") for joint in whole.joints if not names or joint.name in names]
        drives = [] if names else [replace(drive, name=f"{drive.name}'") for drive in whole.drives]
        return replace(whole, joints=(*whole.joints, *again), drives=(*whole.drives, *drives))

    return change


def without(*names: str) -> Change:
    """Joints that are not there."""
    return lambda whole: replace(whole, joints=tuple(joint for joint in whole.joints if joint.name not in names))


def stranger(whole: Model) -> Model:
    """One more body, which nothing holds."""
    return replace(whole, bodies=(*whole.bodies, replace(whole.bodies[0], name="stranger")))


def heavier(factor: float) -> Change:
    """The first body of another mass."""
    return lambda whole: replace(
        whole, bodies=(replace(whole.bodies[0], mass=(whole.bodies[0].mass or 1.0) * factor), *whole.bodies[1:])
    )


def welded(body: str) -> Change:
    """A body fixed to ground where it is."""

    def change(whole: Model) -> Model:
        at = whole.body(body)
        weld = Joint("weld", "fixed", End("ground", at.position, at.orientation), End(body))
        return replace(whole, joints=(*whole.joints, weld))

    return change


def other_way(whole: Model) -> Model:
    """The robot steered to the other side."""
    (drive,) = whole.drives
    terms = tuple(replace(term, after=-term.after) if isinstance(term, Step) else term for term in drive.function.terms)
    return replace(whole, drives=(replace(drive, function=replace(drive.function, terms=terms)),))


def of_type(name: str, kind: str) -> Change:
    """A joint of another type."""
    return lambda whole: replace(
        whole, joints=tuple(replace(joint, type=kind) if joint.name == name else joint for joint in whole.joints)
    )


def moved(name: str, x: float, y: float) -> Change:
    """A joint whose place on its second body is elsewhere."""

    def change(whole: Model) -> Model:
        end = whole.joint(name).b
        place = replace(end, point=(end.point[0] + x, end.point[1] + y, *end.point[2:]))
        joints = (replace(joint, b=place) if joint.name == name else joint for joint in whole.joints)
        return replace(whole, joints=tuple(joints))

    return change


def anchored(whole: Model) -> Model:
    """The second rod of the pendulum from another point of ground: it holds the mass."""
    rod, at = whole.joint("rod2"), (1.0, 0.0)
    length = float(np.hypot(*(np.array(whole.bodies[0].position) - at)))
    other = replace(rod, a=replace(rod.a, point=at), parameters={"length": length})
    return replace(whole, joints=(whole.joints[0], other))


def fewer(count: int) -> Change:
    """Contacts of a few points only."""
    return lambda whole: replace(whole, contacts=tuple(replace(c, points=c.points[:count]) for c in whole.contacts))


def fallen(whole: Model) -> Model:
    """Gravity three times as strong."""
    return replace(whole, gravity=tuple(3 * x for x in whole.gravity))


def sunk(whole: Model) -> Model:
    """A planar mechanism 5 m lower."""
    low = lambda point: (point[0], point[1] - 5.0)  # noqa: E731
    joints = (
        replace(joint, a=replace(joint.a, point=low(joint.a.point))) if joint.a.body == "ground" else joint
        for joint in whole.joints
    )
    bodies = (replace(body, position=low(body.position)) for body in whole.bodies)
    return replace(whole, bodies=tuple(bodies), joints=tuple(joints))


def springs(factor: float) -> Change:
    """Springs of split rods of another stiffness."""

    def change(whole: Model) -> Model:
        bodies = []
        for body in whole.bodies:
            if body.flexible and "stiffness" in body.flexible.parameters:
                numbers = {**body.flexible.parameters, "stiffness": body.flexible.parameters["stiffness"] * factor}
                body = replace(body, flexible=replace(body.flexible, parameters=numbers))
            bodies.append(body)
        return replace(whole, bodies=tuple(bodies))

    return change


def replaced(function: Callable[..., Any], **fields: Callable[[Any], Any]) -> Callable[..., Any]:
    """A function whose result has some fields replaced by what its other fields give."""

    def mutated(*args: Any, **values: Any) -> Any:
        result = function(*args, **values)
        return replace(result, **{name: change(result) for name, change in fields.items()})

    return mutated


def events(**fields: Callable[[Any], Any]) -> dict[str, Any]:
    """`singularities` with fields of its events replaced."""
    changed = lambda result: tuple(replace(e, **{k: f(e) for k, f in fields.items()}) for e in result.events)  # noqa: E731
    return {"singularities": replaced(masarati2023.singularities, events=changed)}


def signless(task: Any, _: str) -> Any:
    """The minimum norm of multipliers that may pull."""
    C = np.asarray(task.C.todense() if hasattr(task.C, "todense") else task.C)
    return np.linalg.pinv(C.T) @ task.f


def _sharma() -> Iterable[Mutation]:
    equations, natural = sharma._equations, sharma.natural
    for name in sharma.JOINTS:
        yield Mutation(model(twice(name), "sharma-ghosal"))
        yield Mutation({"_equations": lambda way, name=name: {**equations(way), "again": equations(way)[name]}})
    yield Mutation(model(of_type("P3", "revolute-translational"), "sharma-ghosal"))
    yield Mutation({"_equations": lambda way: {**equations(way), "P3": equations(way)["P3"][:1] * 2}})
    yield Mutation(model(welded("arm1"), "sharma-ghosal"))
    yield Mutation({"_equations": lambda way: {**equations(way), "R1": equations(way)["R2"]}})
    yield Mutation({"_equations": lambda _: equations(False)})
    yield Mutation(model(twice(), "bennett"))
    yield Mutation({"natural": lambda whole: twice(*"ABCD")(natural(whole))})


def _callejo() -> Iterable[Mutation]:
    reactions = callejo2017.reactions
    few = {"box-on-plane": fewer(3), "chain": fewer(2), "four-bar-spatial": without("B")}
    loose = lambda name, **values: few.get(name, without("rod2"))(load(name, **values))  # noqa: E731
    yield Mutation({"load": loose}, callejo2017._many_solutions)
    yield Mutation({"PARAMETERS": {"chain": {"links": 30.0}}}, callejo2017._many_solutions)
    off = replaced(reactions, balanced=lambda result: result.balanced * (1 + 1e-6))
    yield Mutation({"reactions": off}, callejo2017._motion)
    for rule, rows in (
        ("inertia", callejo2017._minimum_norm),
        ("pseudoinverse", callejo2017._normalised),
        ("pseudoinverse", callejo2017._elimination),
    ):
        yield Mutation({"reactions": lambda eqs, _, rule=rule: reactions(eqs, rule)}, rows)
    yield Mutation(model(of_type("rod1", "distance"), "pendulum-two-rods"), callejo2017._units)
    yield Mutation(model(anchored, "pendulum-two-rods"), callejo2017._units)
    shifted = lambda name, **values: load(name, **{**values, "cx": 0.2, "cy": 0.1} if "cx" in values else values)  # noqa: E731
    yield Mutation({"load": shifted}, callejo2017._contact)
    yield Mutation({"share": signless}, callejo2017._contact)
    yield Mutation({"share": signless, "OVERHANG": 0.065}, callejo2017._overhang)


def _wojtyra2013() -> Iterable[Mutation]:
    paper, simulate = wojtyra2013, wojtyra2013.simulate
    yield Mutation(model(stranger))
    yield Mutation(model(twice()))
    yield Mutation(model(without("A", "W5")))
    yield Mutation(model(without("W1", "W2", "W3")))
    yield Mutation({"load": lambda name: load(name, a=0.06)})
    yield Mutation(model(moved("W3", 0.0, 0.05)))
    run = lambda: paper._motion(paper.build(paper.load("mobile-robot")))  # noqa: E731
    yield Mutation(model(other_way), run)
    yield Mutation(model(without("W5")), run)
    yield Mutation({"simulate": lambda system, _, **given: simulate(system, 20.0, **given)}, run)
    uneven = (paper.build(heavier(1.0 + k)(load("mobile-robot"))) for k in range(3))
    yield Mutation({"simulate": lambda _, until, **given: simulate(next(uneven), until, **given)}, run)
    heavy, equations = paper.build(heavier(2.0)(load("mobile-robot"))), paper.equations
    yield Mutation({"equations": lambda _, state: equations(heavy, state)}, run)
    for rows in (("C.y,W4", "C.y,W4", "C.y,W4"), ("B.y,W3", "B.y,W3", "B.y,W3")):
        yield Mutation({"ELIMINATIONS": dict(zip(paper.ELIMINATIONS, rows, strict=True))}, run)


def _masarati() -> Iterable[Mutation]:
    paper = masarati2023
    yield Mutation(model(twice(), "pendulum-twice"), lambda: _first(paper._compare(), 1))
    names = list(paper.CHAINS)
    for name, other in zip(names, (names[1], *names[:1] * 3), strict=True):

        def ranks(name: str = name, other: str = other) -> Iterable[PrintedNumber]:
            system = paper.build(load(other))
            return paper._ranks(name, system, paper.singularities(system, paper.END_TIME), paper.CHAINS[name])

        yield Mutation({}, ranks)
    yield Mutation(events(continued=lambda event: event.new), paper._first_motion)
    yield Mutation(events(continued=lambda event: np.roll(event.continued, 1, axis=0)), paper._first_motion)
    yield Mutation({"ON_THE_LEFT": 0}, paper._first_motion)
    yield Mutation({"END_TIMES": {paper.TWO_BY_TWO: 1.0}}, paper._passages)
    yield Mutation(model(fallen), paper._passages)
    yield Mutation(model(sunk), paper._passages)
    bars = {"bar1": "bar5", "bar5": "bar1"}
    yield Mutation({"PASSAGES": tuple(p._replace(bar=bars[p.bar]) for p in paper.PASSAGES)}, paper._passages)
    swapped = {"smooth": "plain", "plain": "smooth", "u_smooth": "u_plain", "u_plain": "u_smooth"}
    wrong = replaced(paper.bases, **{a: lambda result, b=b: getattr(result, b) for a, b in swapped.items()})
    yield Mutation({"bases": wrong}, paper._smoothness)
    yield Mutation(events(continued=lambda event: event.new), paper._smoothness)
    yield Mutation({"plain_at": lambda _, event: event.continued}, paper._smoothness)
    yield Mutation({"COMPARED_STEP": 0.2}, paper._formulations)


def _wojtyra2012() -> Iterable[Mutation]:
    paper, simulate = wojtyra2012, wojtyra2012.simulate
    rigid = lambda: paper._rigid(paper.build(paper.load("spatial-parallelogram")))  # noqa: E731
    for name, value in (
        ("STEEL_DENSITY", 7e3),
        ("FITTING_INNER_DIAMETER", 0.02),
        ("PRINTED_MASS", 0.2),
        ("PLATFORM_MASS", 30.0),
    ):
        yield Mutation({name: value}, paper._data)
    yield Mutation(model(welded("link1")), rigid)
    for change in (stranger, twice(), without("A", "C", "E"), welded("platform")):
        yield Mutation(model(change), rigid)
        yield Mutation(model(change), paper._partly_flexible)
        yield Mutation(model(change), paper._advice)
    yield Mutation({"COMPARED_ROWS": ("B.z",) * 3}, paper._eliminations)
    uneven = {
        row: paper.build(heavier(1.0 + k)(load("spatial-parallelogram"))) for k, row in enumerate(paper.COMPARED_ROWS)
    }
    apart = lambda row: simulate(uneven[row], 0.2, rule=f"elimination:{row}", output=paper.SPLIT_ROWS[:81])  # noqa: E731
    yield Mutation({"_rigid_run": apart}, paper._eliminations)
    heavy = paper.build(heavier(2.0)(load("spatial-parallelogram")))
    loose = lambda system, until, **given: simulate(heavy if given.get("drop") else system, until, **given)  # noqa: E731
    yield Mutation({"simulate": loose}, paper._eliminations)
    yield Mutation({"_with_flexible": lambda links: WITH_FLEXIBLE((*paper.LOWER, *links))}, paper._partly_flexible)
    stiff, soft = ((lambda *links, k=k: springs(k)(WITH_FLEXIBLE(*links))) for k in (100.0, 0.01))
    yield Mutation({"_with_flexible": stiff}, paper._upper_links_flexible)
    for rows in (paper._upper_links_flexible, paper._lower_links_flexible):
        yield Mutation({"_stiffer": lambda body: body}, rows)
    yield Mutation({"_without_row": lambda whole: WITHOUT_ROW(whole, "C")}, paper._upper_links_flexible)
    yield Mutation({"_with_flexible": soft}, paper._lower_links_flexible)
    yield Mutation({"_with_flexible": lambda *_: WITH_FLEXIBLE(paper.LOWER)}, paper._lower_links_flexible)
    fourth_too = lambda links, *stiff: WITH_FLEXIBLE(paper.LOWER if len(links) == 3 else links, *stiff)  # noqa: E731
    yield Mutation({"_with_flexible": fourth_too}, paper._lower_links_flexible)
    yield Mutation({"_with_flexible": lambda *links: fallen(WITH_FLEXIBLE(*links))}, paper._lower_links_flexible)
    yield Mutation({"LOWER": paper.LOWER[:2]}, paper._fully_flexible)


WITH_FLEXIBLE, WITHOUT_ROW = wojtyra2012._with_flexible, wojtyra2012._without_row
MUTATIONS: dict[str, tuple[ModuleType, Callable[[], Iterable[Mutation]]]] = {
    "sharma": (sharma, _sharma),
    "callejo2017": (callejo2017, _callejo),
    "wojtyra2013": (wojtyra2013, _wojtyra2013),
    "masarati2023": (masarati2023, _masarati),
    "wojtyra2012": (wojtyra2012, _wojtyra2012),
}


def _first(rows: Iterable[PrintedNumber], count: int) -> Iterable[PrintedNumber]:
    return [row for row, _ in zip(rows, range(count), strict=False)]


def failing(module: ModuleType, mutation: Mutation, rows: Rows) -> set[tuple[str, str, str]]:
    """Rows that fail under a mutation; those after an error of a mutated model do not count."""
    failed: set[tuple[str, str, str]] = set()
    with ExitStack() as stack:
        for name, value in mutation.names.items():
            stack.enter_context(patch.object(module, name, value))
        for cached in ("_split_run", "_rigid_run"):
            if hasattr(clear := getattr(module, cached, None), "cache_clear"):
                clear.cache_clear()
        try:
            for row in (mutation.rows or rows)():
                if row.status == "fails":
                    failed.add((row.source, row.where, row.what))
        except Exception as error:  # a mutated model may be no mechanism at all
            print(f"    {type(error).__name__}: {str(error)[:100]}", flush=True)
    return failed


def main() -> int:
    """Mutate the papers named, or all."""
    survivors = 0
    for key in sys.argv[1:] or list(MUTATIONS):
        module, mutations = MUTATIONS[key]
        begin, paper = time.process_time(), PAPERS.get(key)
        left = {(str(row.source), row.where, row.what): row for row in paper.compare()}
        total = len(left)
        for number, mutation in enumerate(mutations()):
            failed = failing(module, mutation, paper.compare)
            print(
                f"  {key} {number}: {', '.join(mutation.names) or 'another model'}: {len(failed)} rows fail", flush=True
            )
            for row in failed:
                left.pop(row, None)
        print(f"{key}: {total - len(left)} of {total} rows can fail, {time.process_time() - begin:.0f} s", flush=True)
        for source, where, what in left:
            print(f"  never failed ({source}): {where}: {what}")
        survivors += len(left)
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
