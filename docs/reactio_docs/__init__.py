"""What builds and checks the documentation; no part of the installed package."""
