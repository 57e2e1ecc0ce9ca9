"""How the joints and bodies of a system give way at one pose."""
