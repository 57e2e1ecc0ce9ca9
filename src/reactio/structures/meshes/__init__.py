"""Meshes of solids from files of other programs: one reader in each file.

Every keyword, card and element of a file is read, known to have no part in a free elastic body, or refused by its name.
"""
