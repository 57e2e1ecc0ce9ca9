"""One program in each file; the folder is the registry."""
