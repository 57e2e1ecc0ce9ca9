"""Values in a model file: texts with their lines, numbers with their units, functions, and frames on bodies."""
