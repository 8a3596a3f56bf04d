"""C++ host code: the grammar, and the macros under which host code is preprocessed."""
