"""One file format in each file; the folder is the registry."""
