"""Every kind of contact: its gap, and the first and second derivatives of it, against differences along a motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from reactio.catalogue.fields import REQUIRED
from reactio.catalogue.places import End
from reactio.contact_motion.contact_system import contact_system
from reactio.contacts import CONTACTS
from reactio.model.model import Model
from reactio.model.specs import Body, Contact
from reactio.system.evaluate.coordinates import advance
from reactio.system.types import State


def model_of(kind: str, seed: int) -> Model:
    """Two bodies at random poses with one contact of a kind between them."""
    rng, what = np.random.default_rng(seed), CONTACTS.get(kind)
    size, turns = (2, 1) if what.space == "planar" else (3, 4)

    def turned() -> tuple[float, ...]:
        turn = rng.normal(size=turns)
        return tuple((turn if turns == 1 else turn / np.linalg.norm(turn)).tolist())

    def end(body: str) -> End:
        return End(body, tuple(rng.normal(size=size).tolist()), turned())

    inertia = (1.0,) if size == 2 else (1.0, 2.0, 2.5)
    spots = rng.normal(size=(2, size)) + np.array([[0.0] * size, [5.0] * size])
    bodies = tuple(
        Body(name, 1.0, inertia, tuple(spot.tolist()), orientation=turned())
        for name, spot in zip("ab", spots, strict=True)
    )
    numbers = {f.name: float(rng.uniform(0.2, 0.5)) for f in what.fields if f.default is REQUIRED}
    contact = Contact("touch", kind, end("a"), (end("b"),), numbers, what.length is None)
    return Model("pair", what.space, bodies, contacts=(contact,), gravity=(0.0,) * size)


@pytest.mark.parametrize("kind", list(CONTACTS))
def test_rates_of_gaps(kind: str) -> None:
    """ġ = −C v and g̈ = Γ − C v̇ with v̇ = 0, along q advanced by v t: central differences are good to 1e-9 and 1e-5."""
    for seed in range(3):
        contacts = contact_system(model_of(kind, seed))
        whole = contacts.whole
        v = np.random.default_rng(seed + 9).normal(size=whole.n)
        at = contacts.at(State(0.0, whole.q0, v))

        def gap(t: float, v: np.ndarray = v, contacts=contacts) -> np.ndarray:  # type: ignore[no-untyped-def]
            return np.asarray(contacts.at(State(t, advance(contacts.whole, contacts.whole.q0, t * v), v)).gap)

        h = 1e-5
        np.testing.assert_allclose((gap(h) - gap(-h)) / (2 * h), at.rate, atol=1e-7)
        h = 1e-3
        second = (gap(h) - 2 * gap(0.0) + gap(-h)) / h**2
        np.testing.assert_allclose(second, at.opening(np.zeros(whole.n)), atol=1e-3 * (1 + np.abs(second).max()))
        assert len(contacts.names) == (1 if CONTACTS.get(kind).length is None else 2)


@pytest.mark.parametrize("kind", list(CONTACTS))
def test_gaps_do_not_depend_on_where_one_looks_from(kind: str) -> None:
    """Both bodies moved together: the gap stays."""
    model = model_of(kind, 4)
    shifted = replace(
        model,
        bodies=tuple(replace(b, position=tuple(x + 2.0 for x in b.position)) for b in model.bodies),
    )
    one, other = (contact_system(m) for m in (model, shifted))
    before, after = (c.at(State(0.0, c.whole.q0, np.zeros(c.whole.n))).gap for c in (one, other))
    np.testing.assert_allclose(after, before, atol=1e-12)
