"""How well the geometry of a system is known, and how far it is from one of another rank."""
