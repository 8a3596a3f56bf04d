"""Family BL1: register annotations, and the registers that resources of one shader take from each other."""
