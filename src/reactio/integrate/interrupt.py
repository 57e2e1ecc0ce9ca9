"""Ctrl-C, or the signal to terminate, is deferred during a run until its finished part can be kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reactio.integrate.status import Status

if TYPE_CHECKING:
    from reactio.integrate.integrator import Chunk

_HOLDS: list[Hold] = []  # open blocks of the main thread, which alone receives signals


class Hold:
    """A block in which Ctrl-C is deferred, and whether it was pressed there."""

    def __init__(self) -> None:
        self.asked = False  # was it pressed, without an effect so far?
        self.open = False  # does it raise at once?
        self.under_way = False  # is a chunk of a run being integrated, before which finished ones exist?

    def pressed(self, *_: object) -> None:
        """The signal handler: the first Ctrl-C is noted; a second one aborts the chunk that is being integrated."""
        if self.open or (self.asked and self.under_way):
            self.open = self.asked = False
            raise KeyboardInterrupt
        self.asked = True

    def taken(self) -> bool:
        """Was it pressed since the last call?"""
        asked, self.asked = self.asked, False
        return asked

    @contextmanager
    def through(self) -> Iterator[None]:
        """A block in which Ctrl-C raises at once, also where it was pressed before the block."""
        try:
            self.open = True
            if self.taken():
                raise KeyboardInterrupt
            yield
        finally:
            self.open = False

    def watching(self, on_chunk: Callable[[Chunk], object] | None) -> Callable[[Chunk], object]:
        """``on_chunk`` of a run which also ends the run after the chunk during which Ctrl-C was pressed."""

        def look(chunk: Chunk) -> object:
            self.under_way = chunk.status is Status.PAUSED
            answer = on_chunk(chunk) if on_chunk is not None else None
            ended = bool(answer) or (self.under_way and self.taken())
            self.under_way = self.under_way and not ended
            return ended

        return look


def terminated(*_: object) -> None:
    """The handler of the signal to terminate: it acts as Ctrl-C does, also where SIGINT is ignored (``nohup``)."""
    if not _HOLDS:
        raise KeyboardInterrupt
    _HOLDS[0].pressed()


@contextmanager
def held() -> Iterator[Hold]:
    """A block in which Ctrl-C is deferred to its end, except inside ``through``."""
    if threading.current_thread() is not threading.main_thread():
        yield Hold()
        return
    if _HOLDS:
        yield _HOLDS[0]
        return
    usual = signal.getsignal(signal.SIGINT)
    _HOLDS.append(hold := Hold())
    try:
        if usual is signal.default_int_handler:  # a handler that the caller installed is kept
            signal.signal(signal.SIGINT, hold.pressed)
        yield hold
    finally:
        _HOLDS.clear()
        if usual is signal.default_int_handler:
            signal.signal(signal.SIGINT, usual)
    if hold.asked:
        raise KeyboardInterrupt
