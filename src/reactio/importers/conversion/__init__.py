"""Conversion of a neutral mechanism: its parts merged and assembled, its bodies checked, and the model of it."""
