"""Other programs: the numbers that they print where reactions are not unique, and a verdict on each of them."""
