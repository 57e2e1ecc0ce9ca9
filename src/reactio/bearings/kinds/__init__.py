"""The kinds of bearings, one file each."""
