"""Ctrl-C, or the signal to terminate, during a run waits until what is done can be kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reactio.integrate.status import Status

if TYPE_CHECKING:
    from reactio.integrate.integrator import Chunk

_HOLDS: list[Hold] = []  # of the main thread, which alone sees signals: the outermost counts


class Hold:
    """Whether Ctrl-C was pressed while it had to wait."""

    def __init__(self) -> None:
        self.asked = False  # and not yet answered
        self.open = False  # may it end what is being done?
        self.under_way = False  # is there a piece of a run that would be kept?

    def pressed(self, *_: object) -> None:
        """The answer to Ctrl-C: it is noted; pressed once more, it ends the piece of a run that is being made."""
        if self.open or (self.asked and self.under_way):
            self.open = self.asked = False
            raise KeyboardInterrupt
        self.asked = True

    def taken(self) -> bool:
        """Was it pressed?  Each time counts once."""
        asked, self.asked = self.asked, False
        return asked

    @contextmanager
    def through(self) -> Iterator[None]:
        """A block that Ctrl-C ends at once, also where it was pressed before."""
        try:
            self.open = True
            if self.taken():
                raise KeyboardInterrupt
            yield
        finally:
            self.open = False

    def watching(self, on_chunk: Callable[[Chunk], object] | None) -> Callable[[Chunk], object]:
        """Looks at the pieces of a run, and ends it behind the piece in which Ctrl-C was pressed."""

        def look(chunk: Chunk) -> object:
            self.under_way = chunk.status is Status.PAUSED
            answer = on_chunk(chunk) if on_chunk is not None else None
            ended = bool(answer) or (self.under_way and self.taken())
            self.under_way = self.under_way and not ended
            return ended

        return look


def terminated(*_: object) -> None:
    """The answer to the signal to terminate: the same as to Ctrl-C, also where that is ignored (``nohup``)."""
    if not _HOLDS:
        raise KeyboardInterrupt
    _HOLDS[0].pressed()


@contextmanager
def held() -> Iterator[Hold]:
    """A block in which Ctrl-C waits: until its end, or for a block inside that lets it through."""
    if threading.current_thread() is not threading.main_thread():
        yield Hold()
        return
    if _HOLDS:
        yield _HOLDS[0]
        return
    usual = signal.getsignal(signal.SIGINT)
    _HOLDS.append(hold := Hold())
    try:
        if usual is signal.default_int_handler:  # whoever has an answer of their own keeps it
            signal.signal(signal.SIGINT, hold.pressed)
        yield hold
    finally:
        _HOLDS.clear()
        if usual is signal.default_int_handler:
            signal.signal(signal.SIGINT, usual)
    if hold.asked:
        raise KeyboardInterrupt
