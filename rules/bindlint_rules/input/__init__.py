"""Family BL0: what kept something in the input from being read, one rule for each kind of cause."""
