"""Readers of surfaces, one file each; the folder is the registry."""
