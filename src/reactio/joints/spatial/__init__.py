"""One spatial joint in each file; the folder is the registry."""
