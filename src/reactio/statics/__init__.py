"""Statics: poses of rest under loads and springs."""
