"""One file format in each file or folder; the folder is the registry."""
