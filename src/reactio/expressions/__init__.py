"""Numbers and functions written as text: ``l1 + 0.5*sin(radians(30))``, read without running any code."""
