"""The process of a command: its signals, and what its output can show."""

from __future__ import annotations

import atexit
import codecs
import gc
import os
import signal
import sys
import unicodedata
from typing import Any, TextIO

from reactio.blas_threads import one_thread

USAGE, INTERRUPTED, INTERNAL = 2, 130, 70
# New objects after which Python looks for cycles among them that nobody uses: at its own 700 a tenth of the time of a
# short command goes into looking through imported modules again and again.  Imports make some 150,000 objects.
COLLECTED = 200_000

# Signs of our own where the output knows no Unicode; other letters lose their accents, or become a question mark.
ASCII = {
    "●": "*", "◐": "+", "○": "o", "✓": "+", "✗": "x", "−": "-", "–": "-", "—": "-", "×": "x", "·": ".", "…": "...",
    "→": "->", "←": "<-", "≥": ">=", "≤": "<=", "≈": "~", "±": "+-", "°": " deg", "‘": "'", "’": "'", "“": '"',
    "”": '"', "σ": "sigma", "λ": "lambda", "Γ": "Gamma", "Φ": "Phi", "ν": "nu", "ω": "omega", "φ": "phi", "α": "alpha",
    "β": "beta", "•": "*", "ε": "eps", "δ": "delta", "τ": "tau", "κ": "kappa", "Σ": "sum", "″": "\"", "′": "'",
     "µ": "u", "μ": "mu", "√": "sqrt", "ᵀ": "^T", "∞": "inf",
}  # fmt: skip


def begin() -> None:
    """Make the process ready before anything else is imported."""
    gc.set_threshold(COLLECTED)
    os.environ.update(one_thread(os.environ))
    atexit.register(gc.freeze)  # memory goes back to the system whole: no last search for cycles in it, of 0.1 s
    if hasattr(signal, "SIGPIPE"):  # where the reader of the output has gone (`| head`), end at once as others do
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # it may be ignored: nohup, background jobs
        signal.signal(signal.SIGINT, _at_once)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _at_once)
    codecs.register_error("reactio", _replaced)
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        if stream is None:  # closed by whoever started the process
            setattr(sys, name, nowhere())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="reactio")


def nowhere() -> TextIO:
    """An output stream whose text is discarded."""
    return open(os.devnull, "w", encoding="utf-8")


def begun() -> None:
    """The command has begun: from here on signals raise, so that what is done can be kept.

    Before, while modules are imported, an exception may come up where Python can only ignore it.
    """
    if signal.getsignal(signal.SIGINT) is _at_once:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is _at_once:
        signal.signal(signal.SIGTERM, _as_ctrl_c)


def _at_once(*_: object) -> None:
    """End the process at once: there are no results yet that could be kept."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _as_ctrl_c(*_: object) -> None:
    """The signal to terminate acts as Ctrl-C does, also where that is ignored (``nohup``)."""
    raise KeyboardInterrupt


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """What stands for letters that an encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(map(_plain, letters)), error.end


def _plain(letter: str) -> str:
    for shown in (ASCII.get(letter, ""), unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode()):
        if shown:
            return shown
    return "?"


def printable(text: str) -> str:
    """A text without letters that a terminal takes for commands: they are shown as their codes."""
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def in_json(text: str) -> str:
    """JSON that the output can show: its letters stand as codes where it does not have them."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
    if encoding.startswith("utf"):
        return text
    return "".join(c if c.isascii() else "".join(f"\\u{u:04x}" for u in _units(c)) for c in text)


def _units(letter: str) -> list[int]:
    raw = letter.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(raw[k : k + 2]) for k in range(0, len(raw), 2)]
