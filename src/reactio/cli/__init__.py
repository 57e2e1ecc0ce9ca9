"""The command line: verbs, their arguments and their output, no mechanics."""

from __future__ import annotations

import os
import sys

from reactio.cli.process import ExitCode, begin, end_interrupted, nowhere, printable, was_interrupted
from reactio.errors import ReactioError
from reactio.optional_libraries import is_installed

INSTALLED = frozenset({"site-packages", "dist-packages"})  # folders of installed packages, wherever they are


COMMAND_LINE_LIBRARIES = ("typer", "rich")  # the functions of Reactio work without them


def main() -> None:
    """Prepare the process, then run the command."""
    begin()
    run()


def run() -> None:
    """Run the command; every error that the user can correct is one clear message and exit code 2."""
    try:
        _check_libraries()
        from reactio.cli.command import command_line
        from reactio.cli.compiling import compiling_begins
        from reactio.kernels import on_compile

        on_compile(compiling_begins)
        try:
            command_line(sys.argv[1] if len(sys.argv) > 1 else "")(prog_name="reactio")
        finally:
            sys.stdout.flush()  # here, so that a full disk is reported as an error
    except ReactioError as error:
        _say(f"error: {error}")
        sys.exit(ExitCode.WRONG_INPUT)
    except KeyboardInterrupt:
        end_interrupted()
    except SystemExit as end:
        if _is_interruption(end):
            end_interrupted()
        raise
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
        if was_interrupted():
            end_interrupted()
        if os.environ.get("REACTIO_DEBUG"):
            raise
        if where := _outside(error):
            _say(f"error: {type(error).__name__} in {where}: {error}\nThis file is not part of Reactio.")
            sys.exit(ExitCode.WRONG_INPUT)
        _say(f"internal error: {type(error).__name__}: {error}\nThis is a bug. REACTIO_DEBUG=1 shows where.")
        sys.exit(ExitCode.BUG)


def _check_libraries() -> None:
    """Name the libraries of the command line that are missing."""
    if absent := [name for name in COMMAND_LINE_LIBRARIES if not is_installed(name)]:
        raise ReactioError(f"the command line needs {' and '.join(absent)}: pip install {' '.join(absent)}.")


def _is_interruption(end: SystemExit) -> bool:
    """Did the parser of the command line catch Ctrl-C, wherever it came, and end the command without a word?"""
    return isinstance(getattr(end.__context__, "__cause__", None), KeyboardInterrupt)


def _outside(error: Exception) -> str:
    """File and line of a kind, rule or function of the user in which an error arose; empty where it is ours."""
    import sysconfig
    import traceback
    from pathlib import Path

    ours = Path(__file__).parents[1]
    libraries = (ours, *(Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")))
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    entered = next((k for k, (file, _) in enumerate(frames) if file.is_relative_to(ours)), len(frames))
    foreign = [
        f"{file}:{line}"
        for file, line in frames[entered:]
        if file.is_file()
        and not any(file.is_relative_to(library) for library in libraries)
        and not INSTALLED.intersection(file.parts)
    ]
    return foreign[-1] if foreign else ""


def _leave_output() -> None:
    """Discard further output: Python would try to write it at exit, and complain."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = nowhere()


def _say(text: str) -> None:
    print(printable(text), file=sys.stderr)
