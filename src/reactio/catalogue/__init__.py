"""What entries of the catalogue are made of: registries, fields of model files, places on bodies, marks of drawings."""
