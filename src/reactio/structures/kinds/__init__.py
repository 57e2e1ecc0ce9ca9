"""One file for each kind of flexible body."""
