"""Integration in time: the projected equations of motion, the methods, and how a run ends."""
