"""Model files: YAML read with line numbers, written back, and described by a JSON Schema."""
