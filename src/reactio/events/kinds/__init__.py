"""Kinds of events, one file each: each makes its event functions from the system and from what the run was given."""
