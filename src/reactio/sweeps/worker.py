"""A worker process: a task and batches of cases come in, rows go out, one after the other.

The answer to the task is None, or why it cannot be read here.  Messages are pickles with their length before them.  The
standard output carries rows; what functions of the user print goes to the standard error.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import sys
from typing import IO, Any

MESSAGE_LENGTH = struct.Struct("<Q")


def send(stream: IO[bytes], message: Any) -> None:
    """Write a message."""
    content = pickle.dumps(message)
    stream.write(MESSAGE_LENGTH.pack(len(content)) + content)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """The next message; EOFError when the other side is gone."""
    (size,) = MESSAGE_LENGTH.unpack(_exactly(stream, MESSAGE_LENGTH.size))
    return pickle.loads(_exactly(stream, size))


def _exactly(stream: IO[bytes], size: int) -> bytes:
    content = stream.read(size)
    if len(content) < size:
        raise EOFError
    return content


def main() -> None:
    """Work until the other side closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that started this one
    rows = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    cases = sys.stdin.buffer
    try:
        from reactio.sweeps.task import unpacked

        content = receive(cases)
        try:
            task = unpacked(content)
        except Exception as error:
            send(rows, f"{type(error).__name__}: {error}")
            return
        send(rows, None)
        while True:
            for row in task.answers(receive(cases)):
                send(rows, row)
    except (EOFError, BrokenPipeError):
        os._exit(0)  # nobody listens: there is nothing to flush
