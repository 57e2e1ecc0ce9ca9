"""Events along a run: zero crossings, end stops and functions of the user, located on the integrator itself."""
