"""One spatial primitive in each file; the folder is the registry."""
