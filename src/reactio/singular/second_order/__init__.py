"""Second order: which of the admissible motions of a singular configuration are real."""
