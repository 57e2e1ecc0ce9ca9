"""The process of a command: its exit codes, its signals, and the encoding of its output."""

from __future__ import annotations

import atexit
import codecs
import gc
import os
import signal
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FrameType
from typing import Any, NoReturn, TextIO

from reactio.operating_system.child_process import one_thread

# New objects after which Python searches for unreachable cycles: at its default of 700 a tenth of the time of a
# short command is spent on searching imported modules again and again.  Imports make some 150,000 objects.
GARBAGE_THRESHOLD = 200_000

# Substitutes for signs that we print, where the output has no Unicode; other letters lose their accents, or become "?".
ASCII_SUBSTITUTES = {
    "●": "*", "◐": "+", "○": "o", "✓": "+", "✗": "x", "−": "-", "–": "-", "—": "-", "×": "x", "·": ".", "…": "...",
    "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "≈": "~", "±": "+-", "°": " deg", "‘": "'", "’": "'", "“": '"',
    "”": '"', "σ": "sigma", "λ": "lambda", "Γ": "Gamma", "Φ": "Phi", "ν": "nu", "ω": "omega", "φ": "phi", "α": "alpha",
    "β": "beta", "•": "*", "ε": "eps", "δ": "delta", "τ": "tau", "κ": "kappa", "Σ": "sum", "″": "\"", "′": "'",
     "µ": "u", "μ": "mu", "√": "sqrt", "ᵀ": "^T", "∞": "inf",
}  # fmt: skip


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    CHECK_FAILED = 1
    WRONG_INPUT = 2
    STOPPED_EARLY = 3
    BUG = 70  # as in sysexits.h
    INTERRUPTED = 130  # as shells report Ctrl-C


def begin() -> None:
    """Prepare the process before anything else is imported."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    os.environ.update(one_thread(os.environ))
    # Python processes of libraries, as those of Dask, do not import from this folder.
    os.environ["PYTHONSAFEPATH"] = "1"
    atexit.register(gc.freeze)  # saves the last search for cycles at exit, 0.1 s
    if hasattr(signal, "SIGPIPE"):  # end at once where the reader of the output has ended (`| head`)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:  # as Ctrl-C, also where that is ignored (nohup, background)
        signal.signal(signal.SIGTERM, interrupt)
    codecs.register_error("reactio", _substituted)
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:  # closed by the parent process
            setattr(sys, name, nowhere())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="reactio")


IMPORT_MACHINERY = "<frozen importlib._bootstrap>"  # file of the code that imports modules
_INTERRUPTS: list[int] = []  # signals to end that were received


def interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, and remember it.

    Where the signal comes while a library is being imported, C code or the creation of a class may raise an ImportError
    or RuntimeError in its place: an error that looks like a bug is then the interruption.  In the callback that ends an
    import Python discards what is raised and prints it: there the signal is only remembered.
    """
    _INTERRUPTS.append(number)
    if frame is None or frame.f_code.co_filename != IMPORT_MACHINERY or frame.f_code.co_name != "cb":
        signal.default_int_handler(number, frame)


def was_interrupted() -> bool:
    """Has a signal to end been received?"""
    return bool(_INTERRUPTS)


def nowhere() -> TextIO:
    """An output stream whose text is discarded."""
    return open(os.devnull, "w", encoding="utf-8")


def end_interrupted() -> NoReturn:
    """End a command that Ctrl-C or the signal to terminate has interrupted."""
    print("interrupted", file=sys.stderr, flush=True)
    sys.exit(ExitCode.INTERRUPTED)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Finish a block before Ctrl-C or the signal to terminate interrupts the command."""
    received: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number, handler in before.items():
        if handler in (interrupt, signal.default_int_handler):  # one that is ignored stays so
            signal.signal(number, lambda number, _: received.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if received:
        raise KeyboardInterrupt


def _substituted(error: UnicodeError) -> tuple[str, int]:
    """The substitutes of letters that an encoding does not have, as handler of encoding errors."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(map(_substitute, letters)), error.end


def _substitute(letter: str) -> str:
    for shown in (
        ASCII_SUBSTITUTES.get(letter, ""),
        unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode(),
    ):
        if shown:
            return shown
    return "?"


def printable(text: str) -> str:
    """A text in which control characters, which a terminal would obey, are shown as their codes."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def in_json(text: str) -> str:
    """JSON with escape codes for letters that the encoding of the output does not have."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    if encoding.startswith("utf"):
        return text
    return "".join(c if c.isascii() else "".join(f"\\u{u:04x}" for u in _units(c)) for c in text)


def _units(letter: str) -> list[int]:
    raw = letter.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(raw[k : k + 2]) for k in range(0, len(raw), 2)]
