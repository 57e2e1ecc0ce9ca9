"""Which numbers of another program may be trusted: its reactions with the verdict on each component."""
