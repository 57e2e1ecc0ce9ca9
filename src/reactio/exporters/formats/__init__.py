"""One export format in each file; the folder is the registry."""
