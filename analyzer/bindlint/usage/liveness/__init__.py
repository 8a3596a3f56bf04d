"""What a shader surely does not use: sparse liveness within bodies, summaries between them."""
