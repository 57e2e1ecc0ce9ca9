"""Diagnosis: verdicts on a model, with their causes in words."""
