"""Verbs of the command, one file each."""
