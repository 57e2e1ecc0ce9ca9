"""Output of verbs: tables, numbers, progress and JSON."""
