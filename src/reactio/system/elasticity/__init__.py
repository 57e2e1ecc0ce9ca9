"""Elasticity: compliances, misfits and loads of the joints and bodies of a system at one pose."""
