"""Methods for motion with contacts: they join the registry of integration methods, one file each."""
