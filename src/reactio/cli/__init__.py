"""The command line: one file for each verb, no mechanics."""

from __future__ import annotations

import os
import signal
import sys

from reactio.errors import ReactioError

USAGE, INTERRUPTED, INTERNAL = 2, 130, 70


def main() -> None:
    """The process: where the reader of its output has gone (`| head`) it ends at once, as other commands do."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    run()


def run() -> None:
    """Run the command; every error the user can mend is one clear message and exit code 2."""
    from reactio.cli.app import app
    from reactio.cli.common import prepare
    from reactio.kernels import announced

    announced(prepare)
    try:
        app(prog_name="reactio")
    except ReactioError as error:
        _say(f"error: {error}")
        sys.exit(USAGE)
    except KeyboardInterrupt:
        _say("interrupted")
        sys.exit(INTERRUPTED)
    except BrokenPipeError:
        # Systems without such a signal: nothing is wrong, but Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (MemoryError, RecursionError) as error:
        _say(f"error: the model is too large for this machine ({type(error).__name__}).")
        sys.exit(USAGE)
    except Exception as error:
        if os.environ.get("REACTIO_DEBUG"):
            raise
        _say(f"internal error: {type(error).__name__}: {error}\nThis is a bug. REACTIO_DEBUG=1 shows where.")
        sys.exit(INTERNAL)


def _say(text: str) -> None:
    print(text, file=sys.stderr)
