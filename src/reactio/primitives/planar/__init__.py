"""One planar primitive in each file; the folder is the registry."""
