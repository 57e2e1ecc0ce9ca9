"""Building blocks of catalogue entries: registries, fields of model files, places on bodies, marks of drawings."""
