"""Frozen values: what bindlint knows about shaders, root signatures and targets, and what it says about them."""
