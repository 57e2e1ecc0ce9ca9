"""One planar joint in each file; the folder is the registry."""
