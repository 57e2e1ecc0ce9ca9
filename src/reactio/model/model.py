"""Models: the parts of a mechanism, completed and checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, overload

from reactio.errors import ModelError, ReactioError
from reactio.model.defaults import complete
from reactio.model.frozen import FrozenMap
from reactio.model.notes import Note, NoteTopic
from reactio.model.specs import Body, Joint, ModelParts
from reactio.model.validate import validate
from reactio.results.html_table import NOTEBOOK_ROWS, html_table

PLURALS = {"body": "bodies", "joint": "joints", "drive": "drives"}


@dataclass(frozen=True, repr=False)
class Model(ModelParts):
    """A mechanism as data: the contents of a model file, nothing derived.

    >>> from reactio.model.specs import Body, Joint
    >>> from reactio.catalogue.places import End
    >>> rod = Body("rod", mass=1.0, inertia=1 / 12, position=(0.5, 0.0), orientation=0.0)
    >>> hinge = Joint("A", "revolute", End("ground", (0.0, 0.0)), End("rod", (-0.5, 0.0)))
    >>> Model("pendulum", "planar", (rod,), (hinge,), gravity=(0.0, -9.81)).joint("A").type
    'revolute'

    Or step by step, with the fields of a model file in SI units; each step gives a new model:

    >>> pendulum = (
    ...     Model.new("pendulum", "planar", gravity=[0, -9.81])
    ...     .body("rod", mass=1, inertia="1/12", position=[0.5, 0])
    ...     .joint("A", "revolute", bodies=["ground", "rod"], at=[0, 0])
    ... )
    >>> pendulum.replace_joint("A", type="fixed").joint("A").type
    'fixed'
    """

    def __repr__(self) -> str:
        sizes = {"body": len(self.bodies), "joint": len(self.joints), "drive": len(self.drives)}
        words = [f"{n:,} {word if n == 1 else PLURALS[word]}" for word, n in sizes.items()]
        return f"<Model {self.name}: {self.space}, {', '.join(words)}>"

    def _repr_html_(self) -> str:
        """Its joints as a table, for notebooks; ``reactio.draw`` draws it."""
        rows = [(joint.name, joint.type, f"{joint.a.body} – {joint.b.body}") for joint in self.joints[:NOTEBOOK_ROWS]]
        more = len(self.joints) - len(rows)
        return html_table(
            f"{self!r}"[1:-1], ("joint", "type", "between"), rows, f"… and {more:,} more" if more > 0 else ""
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        complete(self)
        validate(self)

    @classmethod
    def new(
        cls,
        name: str = "model",
        space: str = "spatial",
        *,
        gravity: Sequence[float | str] = (),
        title: str = "",
        parameters: Mapping[str, float] | None = None,
    ) -> Model:
        """A model without parts, to which ``body``, ``joint``, ``drive``, ``coupling`` and ``force`` add.

        ``gravity`` [m/s²]; ``parameters``: names with their values that fields given as texts may use.
        """
        if not isinstance(parameters, Mapping | None):
            raise ModelError(f"parameters is {parameters!r}; give names with their values, {{'width': 0.4}}.")
        empty = cls(name, space, title=title, parameters=FrozenMap(parameters or {}))
        if isinstance(gravity, Sequence) and not gravity:
            return empty
        from reactio.model.builder import gravity_of

        return replace(empty, gravity=gravity_of(space, gravity, empty.parameters))

    @overload
    def body(self, name: str) -> Body: ...

    @overload
    def body(self, name: str, **fields: Any) -> Model: ...

    def body(self, name: str, **fields: Any) -> Body | Model:
        """The body of that name; with fields, a model that has such a body too: ``body("rod", mass=2)``."""
        return self._with("bodies", name, fields) if fields else super().body(name)

    @overload
    def joint(self, name: str) -> Joint: ...

    @overload
    def joint(self, name: str, type: str, **fields: Any) -> Model: ...

    def joint(self, name: str, type: str = "", **fields: Any) -> Joint | Model:
        """The joint of that name; with a type and fields, a model that has such a joint too."""
        return self._with("joints", name, {"type": type, **fields}) if type or fields else super().joint(name)

    def drive(self, name: str, joint: str, function: Any, **fields: Any) -> Model:
        """A model in which a joint coordinate follows a function of time: ``drive("motor", "A", "2*pi*t")``."""
        return self._with("drives", name, {"joint": joint, "function": function, **fields})

    def coupling(self, name: str, type: str, **fields: Any) -> Model:
        """A model with one more coupling: ``coupling("gears", "gear", joints=["A", "B"], ratio=-2)``."""
        return self._with("couplings", name, {"type": type, **fields})

    def force(self, name: str, type: str, **fields: Any) -> Model:
        """A model with one more load, spring or damper."""
        return self._with("forces", name, {"type": type, **fields})

    def replace_joint(self, name: str, **fields: Any) -> Model:
        """A model in which a joint has other fields; it keeps those that are not given, its ends among them.

        None takes a field away: ``replace_joint("A", play=None)``.
        """
        from reactio.model.builder import replaced_joint

        return replace(self, joints=replaced_joint(self, name, fields))

    def live(self, **options: Any) -> Any:
        """The desk of this model, as ``reactio.live``: in a notebook it appears below the cell."""
        import reactio

        return reactio.live(self, **options)

    def _with(self, section: str, name: str, fields: dict[str, Any]) -> Model:
        from reactio.model.builder import part

        parts: dict[str, Any] = {section: (*getattr(self, section), part(self, section, name, fields))}
        return replace(self, **parts)

    @property
    def besides_drives(self) -> str:
        """The drives, which a count of freedoms leaves out because they are constraints too: ``besides the drive``."""
        count = len(self.drives)
        return "" if not count else "besides the drive" if count == 1 else f"besides the {count} drives"

    @property
    def unknown_masses(self) -> Note | None:
        """The note on masses that a file does not give, where nothing else loads the model: no reaction has a value."""
        notes = [note for note in self.notes if note.topic is NoteTopic.MASS]
        return None if not notes or self.forces or any(body.mass for body in self.bodies) else notes[0]


def require_model(given: object) -> None:
    """Refuse a value that is not a model, and say what to write instead."""
    if isinstance(given, str):
        raise ReactioError(f"A model is needed, not a text: write reactio.load({given!r}).")
    if not isinstance(given, Model):
        raise ReactioError(f"A model is needed, not {type(given).__name__}: reactio.load(NAME or FILE) reads one.")
