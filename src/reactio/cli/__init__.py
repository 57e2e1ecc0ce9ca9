"""The command line: one file for each verb, no mechanics."""

from __future__ import annotations

import os
import sys

from reactio.cli.process import ExitCode, begin, nowhere, printable
from reactio.errors import ReactioError


def main() -> None:
    """Prepare the process, then run the command."""
    begin()
    run()


def run() -> None:
    """Run the command; every error that the user can correct is one clear message and exit code 2."""
    from reactio.cli.compiling import compiling_begins
    from reactio.cli.verbs import command_line
    from reactio.kernels import announced

    announced(compiling_begins)
    try:
        try:
            command_line(sys.argv[1] if len(sys.argv) > 1 else "")(prog_name="reactio")
        finally:
            sys.stdout.flush()  # here, so that a full disk is reported as an error
    except ReactioError as error:
        _say(f"error: {error}")
        sys.exit(ExitCode.WRONG_INPUT)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        _leave_output()
        sys.exit(ExitCode.DONE)
    except OSError as error:
        _leave_output()
        _say(f"error: {error.filename or 'the output'} cannot be used: {error.strerror or error}.")
        sys.exit(ExitCode.WRONG_INPUT)
    except (MemoryError, RecursionError) as error:
        _say(f"error: the model is too large for this machine ({type(error).__name__}).")
        sys.exit(ExitCode.WRONG_INPUT)
    except Exception as error:
        if os.environ.get("REACTIO_DEBUG"):
            raise
        _say(f"internal error: {type(error).__name__}: {error}\nThis is a bug. REACTIO_DEBUG=1 shows where.")
        sys.exit(ExitCode.BUG)


def _leave_output() -> None:
    """Discard further output: Python would try to write it at exit, and complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = nowhere()


def _say(text: str) -> None:
    print(printable(text), file=sys.stderr)
