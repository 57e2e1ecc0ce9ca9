"""Models: the parts of a mechanism, completed and checked."""

from __future__ import annotations

from dataclasses import dataclass

from reactio.errors import ReactioError
from reactio.html_table import NOTEBOOK_ROWS, html_table
from reactio.model.defaults import complete
from reactio.model.specs import ModelParts
from reactio.model.validate import validate

PLURALS = {"body": "bodies", "joint": "joints", "drive": "drives"}


@dataclass(frozen=True, repr=False)
class Model(ModelParts):
    """A mechanism as data: what a model file says, nothing derived.

    >>> from reactio.model.specs import Body, Joint
    >>> from reactio.catalogue.places import End
    >>> rod = Body("rod", mass=1.0, inertia=1 / 12, position=(0.5, 0.0), orientation=0.0)
    >>> hinge = Joint("A", "revolute", End("ground", (0.0, 0.0)), End("rod", (-0.5, 0.0)))
    >>> Model("pendulum", "planar", (rod,), (hinge,), gravity=(0.0, -9.81)).joint("A").type
    'revolute'
    """

    def __repr__(self) -> str:
        sizes = {"body": len(self.bodies), "joint": len(self.joints), "drive": len(self.drives)}
        words = [f"{n:,} {word if n == 1 else PLURALS[word]}" for word, n in sizes.items()]
        return f"<Model {self.name}: {self.space}, {', '.join(words)}>"

    def _repr_html_(self) -> str:
        """Its joints as a table, for notebooks; ``reactio.draw`` draws it."""
        rows = [(one.name, one.type, f"{one.a.body} – {one.b.body}") for one in self.joints[:NOTEBOOK_ROWS]]
        more = len(self.joints) - len(rows)
        return html_table(
            f"{self!r}"[1:-1], ("joint", "type", "between"), rows, f"… and {more:,} more" if more > 0 else ""
        )

    def __post_init__(self) -> None:
        super().__post_init__()
        complete(self)
        validate(self)

    @property
    def besides_drives(self) -> str:
        """What a count of freedoms leaves out, as drives are held like other constraints: ``besides the drive``."""
        count = len(self.drives)
        return "" if not count else "besides the drive" if count == 1 else f"besides the {count} drives"


def require_model(given: object) -> None:
    """Refuse what is no model, saying what to write instead."""
    if isinstance(given, str):
        raise ReactioError(f"A model is needed, not a text: write reactio.load({given!r}).")
    if not isinstance(given, Model):
        raise ReactioError(f"A model is needed, not {type(given).__name__}: reactio.load(NAME or FILE) reads one.")
