"""``python -m reactio`` is the command ``reactio``."""

from reactio.cli import main

main()
