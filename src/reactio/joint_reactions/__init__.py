"""Joint reactions: the force and moment in every joint, at a state, along a run, and in singular configurations."""
