"""Register assignment as the compiler does it, and the analysis of one shader."""
