"""Rules about the calls that set root signatures and root arguments, and about command signatures."""
