"""Kinds of events, one file each: each makes its event functions from the system and the events given to the run."""
