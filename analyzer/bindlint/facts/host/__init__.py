"""C++ host code: an interpreter of the statements that build root signatures, and what it makes of them."""
