"""Models: mechanisms as frozen data, in Python and as YAML files that say the same things."""
