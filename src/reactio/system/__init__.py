"""Systems: a model compiled into flat arrays, and the equations it gives at a state."""
