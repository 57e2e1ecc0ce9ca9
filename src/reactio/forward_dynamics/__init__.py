"""Accelerations and multipliers at one instant: C of any rank, friction included."""
