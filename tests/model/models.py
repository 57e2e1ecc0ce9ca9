"""Random models: every joint, coupling, force, function and body kind of the registries, in the plane and in space."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import singledispatch
from typing import Any

from hypothesis import strategies as st

from reactio import joints
from reactio.catalogue.fields import REQUIRED, Choice, Coordinate, Field, Law, LawVector, Matrix, Number, Place
from reactio.catalogue.places import CoordinateName, End
from reactio.couplings import COUPLINGS
from reactio.forces import FORCES
from reactio.functions import Function
from reactio.functions.constant import Constant
from reactio.functions.expression import Expression
from reactio.functions.harmonic import Harmonic
from reactio.functions.linear_law import LinearLaw
from reactio.functions.polynomial import Polynomial
from reactio.functions.spline import Spline
from reactio.functions.step import Step
from reactio.functions.sum import Sum
from reactio.model.model import Model
from reactio.model.specs import Body, Coupling, Drive, Event, Force, Joint, Marker, Stop

SPACES = ("planar", "spatial")
POINT_JOINT = {"planar": "revolute", "spatial": "spherical"}  # their rows need no orientation of side b

number = st.floats(-1e6, 1e6) | st.sampled_from([0.0, -0.0, 1 / 3, 1e-300, -1e38, 5e-324, 1.0, math.pi])
positive = st.floats(1e-3, 1e3)
nonzero = positive | positive.map(lambda x: -x)
letters = st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters=".")
name = st.text(letters, min_size=1, max_size=6).filter(lambda s: s != "ground" and s.isprintable())
text = st.text(st.characters(codec="utf-8").filter(lambda c: c.isprintable() or c.isspace()), max_size=12)
REFUSED = {"acos", "asin", "atan", "atan2", "cosh", "sinh", "tanh", "sqrt", "sign", "floor", "degrees", "radians",
           "hypot", "step", "async", "await", "break", "class", "elif", "else", "except", "from", "global", "import",
           "lambda", "pass", "raise", "return", "while", "with", "yield", "assert", "finally", "infinity"}  # fmt: skip
parameter: st.SearchStrategy[str] = st.from_regex(r"\A[a-z][a-z0-9_]{3,6}\Z").filter(lambda s: s not in REFUSED)


def vector(size: int) -> st.SearchStrategy[tuple[float, ...]]:
    return st.tuples(*[number] * size)


def point(space: str) -> st.SearchStrategy[tuple[float, ...]]:
    return vector(2 if space == "planar" else 3)


def direction(space: str) -> st.SearchStrategy[tuple[float, ...]]:
    return point(space).filter(any)


@st.composite
def orientation(draw: st.DrawFn, space: str) -> tuple[float, ...]:
    """An angle, or a quaternion of length 1 to some digits."""
    if space == "planar":
        return (draw(number),)
    q = draw(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda p: math.hypot(*p) > 0.1))
    size = math.hypot(*q) * draw(st.sampled_from([1.0, 1 + 1e-9, 1 - 5e-7]))
    return tuple(x / size for x in q)


time_function = st.deferred(lambda: simple | sums)
simple: st.SearchStrategy[Function] = st.one_of(
    st.builds(Constant, number),
    st.builds(Polynomial, st.lists(number, min_size=1, max_size=4).map(tuple), number),
    st.builds(Harmonic, number, number, number, number),
    st.builds(lambda t, dt, a, b: Step(t, t + dt, a, b), st.floats(-9, 9), positive, number, number),
    st.builds(
        lambda times, values, ends: Spline(tuple(sorted(times)), tuple(values[: len(times)]), ends),
        st.sets(st.floats(-1e3, 1e3), min_size=2, max_size=5),
        st.lists(number, min_size=5, max_size=5),
        st.sampled_from(["not-a-knot", "natural", "clamped"]),
    ),
    st.sampled_from(["t", "sin(t) + 1e-7", " 2 *t", "3", "pi/2", "t**2\n+1", "step(t, 0, 0, 1, 1)"]).map(Expression),
    st.builds(
        lambda k, c, scale: Expression(f"{k}*t + 1", ((k, c),), scale),
        parameter,
        st.floats(-1e3, 1e3),
        st.floats(-1e3, 1e3),
    ),
)
sums: st.SearchStrategy[Function] = st.lists(simple, min_size=1, max_size=3).map(lambda f: Sum(tuple(f)))
law = st.one_of(
    time_function,
    st.builds(LinearLaw, number, number, number),
    st.builds(Expression, st.sampled_from(["-s", "s*rate", "t - 2*rate"]), st.just(()), nonzero, nonzero),
)


@st.composite
def inertia(draw: st.DrawFn, space: str) -> Any:
    if space == "planar":
        return draw(positive)
    x, y, z = draw(st.tuples(*[st.floats(0.1, 10)] * 3))
    moments = (y + z, x + z, x + y)  # as of masses spread along the axes: the triangle inequality holds
    return draw(st.sampled_from([moments, (*moments, 0.0, 0.0, 0.0), (*moments, 1e-3, -2e-3, 1e-5)]))


@st.composite
def markers(draw: st.DrawFn, space: str) -> dict[str, Any]:
    names = draw(st.lists(name, max_size=3, unique=True))
    return {
        "points": {k: draw(point(space)) for k in names[:1]},
        "axes": {k: draw(direction(space)) for k in names[1:2]},
        "frames": {k: Marker(draw(point(space)), draw(orientation(space))) for k in names[2:]},
    }


@st.composite
def body(draw: st.DrawFn, space: str, label: str, kind: str, massive: bool) -> Body:
    given: dict[str, Any] = {"kind": kind, "position": draw(point(space)), "velocity": draw(point(space))}
    if massive:
        given["mass"] = draw(positive)
    if kind == "rigid":
        if massive:
            given["inertia"] = draw(inertia(space))
        given["orientation"] = draw(orientation(space))
        given["angular_velocity"] = draw(vector(1 if space == "planar" else 3))
        given["center"] = draw(point(space))
    return Body(label, **given, **draw(markers(space)))


@st.composite
def end(draw: st.DrawFn, space: str, label: str) -> End:
    return End(label, draw(point(space)), draw(orientation(space)))


@st.composite
def joint(draw: st.DrawFn, space: str, label: str, kind: str, a: str, b: str) -> Joint:
    fields = joints.JOINTS_BY_SPACE[space].get(kind).parameters
    given = {f.name: draw(value(f, space, [a, b], [])) for f in fields if f.default is REQUIRED or draw(st.booleans())}
    return Joint(label, kind, draw(end(space, a)), draw(end(space, b)), given)


@singledispatch
def value(one: Field, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    raise NotImplementedError(type(one))


@value.register
def _(one: Number, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    plain = positive if one.positive else nonzero if one.nonzero else number
    plain = st.floats(0, 1) if one.name == "restitution" else plain
    return plain if one.default is REQUIRED else plain | st.just(one.default)


@value.register
def _(one: Matrix, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    size = 6 if space == "spatial" else 3
    diagonal = st.lists(number, min_size=size, max_size=size)
    return diagonal.map(lambda x: tuple(tuple(a if i == j else 0.0 for j in range(size)) for i, a in enumerate(x)))


@value.register
def _(one: Place, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    return st.sampled_from(bodies).flatmap(lambda label: end(space, label))


@value.register
def _(one: Coordinate, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    return st.sampled_from([c for c in along if one.unit in ("", UNIT[c.name])])


@value.register
def _(one: Law, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    return law


@value.register
def _(one: LawVector, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    size = 3 if space == "spatial" else 1 if one.axial else 2
    return st.tuples(*[time_function] * size)


@value.register
def _(one: Choice, space: str, bodies: list[str], along: list[CoordinateName]) -> st.SearchStrategy[Any]:
    return st.sampled_from(one.options)


UNIT = {"rotation": "rad", "translation": "m"}
# Every model has these two joints, so that there is a rotation and a translation to drive, couple and load.
TURNS, SLIDES = CoordinateName("turns", "rotation"), CoordinateName("slides", "translation")
HINGE = {"planar": "revolute", "spatial": "revolute"}
SLIDE = {"planar": "translational", "spatial": "prismatic"}


@st.composite
def coupling(draw: st.DrawFn, label: str, kind: str) -> Coupling:
    type_ = COUPLINGS.get(kind)
    turns_too = CoordinateName("turns_too")
    along = (SLIDES, TURNS) if type_.joints.units == ("m", "rad") else (TURNS, turns_too)[: type_.joints.least]
    given: dict[str, Any] = {"coefficients": draw(st.tuples(nonzero, nonzero))} if kind == "linear" else {}
    for one in type_.parameters:
        if isinstance(one, Number) and (one.default is REQUIRED or draw(st.booleans())):
            given[one.name] = draw(value(one, "", [], []))
    return Coupling(label, kind, along, given)


@st.composite
def force(draw: st.DrawFn, space: str, label: str, kind: str, bodies: list[str]) -> Force:
    fields = FORCES.get(kind).fields
    given = {f.name: draw(value(f, space, bodies, [TURNS, SLIDES])) for f in fields}
    if kind == "joint-friction":
        given["coefficient"] = abs(given["coefficient"])
        turns = given["joint"] == TURNS
        given["radius"] = draw(positive) if turns else None
        given |= {"half_length": None if turns else draw(positive), "thrust_radius": None}
    if kind == "rotor":
        given["mass" if given["joint"] == TURNS else "inertia"] = None
        given["inertia" if given["joint"] == TURNS else "mass"] = draw(positive)
    return Force(label, kind, given)


def _on_point(one: Joint, label: str) -> Joint:
    """A point mass has no other points than itself."""
    return replace(one, b=replace(one.b, point=())) if one.b.body == label else one


event = st.builds(
    Event,
    st.sampled_from(["seen", "an event"]),
    st.sampled_from(["turns.rotation - 2*c", "sin(t) + slides.translation.rate*c", " c*t"]),
    st.sampled_from(["rising", "falling", "both"]),
    st.sampled_from(["record", "stop"]),
    number.map(lambda x: (("c", x if abs(x) < 1e100 else 1.0),)),
    positive,
    positive,
)


@st.composite
def model(draw: st.DrawFn, space: str) -> Model:
    """Three rigid bodies and a point, joints of any types between them, and everything that can act on them."""
    massive = draw(st.booleans())
    labels = draw(st.lists(name, min_size=4, max_size=4, unique=True))
    bodies = [draw(body(space, label, "rigid", massive)) for label in labels[:3]]
    bodies.append(draw(body(space, labels[3], "point", massive)))
    kinds = draw(st.lists(st.sampled_from(list(joints.JOINTS_BY_SPACE[space])), max_size=3))
    fixed = [
        ("turns", HINGE[space], "ground", labels[0]),
        ("turns_too", HINGE[space], labels[0], labels[1]),
        ("slides", SLIDE[space], "ground", labels[2]),
        ("holds", POINT_JOINT[space], labels[1], labels[3]),
    ]
    others = [(f"joint {i}", kind, labels[1], labels[2]) for i, kind in enumerate(kinds)]
    chosen = draw(st.lists(st.sampled_from(list(FORCES)), max_size=3)) if massive else []
    coupled = draw(st.lists(st.sampled_from(list(COUPLINGS)), max_size=2))
    return Model(
        draw(text),
        space,
        tuple(bodies),
        tuple(_on_point(draw(joint(space, *one)), labels[3]) for one in fixed + others),
        tuple(Drive(f"drive {i}", along, draw(time_function)) for i, along in enumerate((TURNS, SLIDES))),
        tuple(draw(coupling(f"coupling {i}", kind)) for i, kind in enumerate(coupled)),
        tuple(draw(force(space, f"force {i}", kind, ["ground", *labels[:3]])) for i, kind in enumerate(chosen)),
        gravity=draw(point(space)) if massive else (),
        ground=Body("ground", **draw(markers(space))),
        title=draw(text),
        cite=draw(text),
        parameters=draw(st.dictionaries(parameter, number, max_size=3)),
        events=tuple(draw(st.lists(event, max_size=2, unique_by=lambda e: e.name))),
        stops=draw(st.sampled_from([(), (Stop("end", SLIDES, draw(number), None, draw(st.floats(0, 1))),)])),
    )
