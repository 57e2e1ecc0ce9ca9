"""``python -m reactio`` is the command ``reactio``."""

import os
import sys

if __name__ == "__main__":  # workers of a cluster on this machine import the module that was started
    if not sys.flags.safe_path and sys.path[:1] == [os.getcwd()]:
        del sys.path[0]  # Python put it there; a yaml.py next to a model is not part of Reactio

    from reactio.cli import main

    main()
