"""Rules about descriptor heaps, the handles into them, and the copies between them."""
