"""Shaders, root signatures, pipelines and host code together: what only the whole project shows."""
