"""Rules that hold the bindings of a shader against its root signature."""
