"""The explicit Runge–Kutta method of order 8 in one compiled loop."""
