"""Kinds of events, one file each: a function of the system and of what the run was given makes the watches."""
