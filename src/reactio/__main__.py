"""``python -m reactio`` is the command ``reactio``."""

from reactio.cli import main

if __name__ == "__main__":  # workers of a cluster on this machine import the module that was started
    main()
