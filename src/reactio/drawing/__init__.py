"""Pictures: the scene of a mechanism as marks on frames, and plots of results."""
