"""Memoised functions ask once for each object, and keep no object alive."""

from __future__ import annotations

import gc
import weakref

from reactio.system.memo import memoised


class Thing:
    """Something to ask about, compared by identity."""


def test_an_answer_is_worked_out_once_for_each_object() -> None:
    asked = []

    @memoised
    def number(of: Thing) -> int:
        asked.append(of)
        return len(asked)

    one, other = Thing(), Thing()
    assert [number(one), number(other), number(one)] == [1, 2, 1]


def test_an_answer_goes_with_its_object() -> None:
    @memoised
    def answer(of: Thing) -> Thing:
        return Thing()

    asked = Thing()
    seen = weakref.ref(answer(asked))
    assert seen() is not None
    del asked
    gc.collect()
    assert seen() is None
