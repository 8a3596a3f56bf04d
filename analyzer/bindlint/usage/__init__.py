"""Linking: what names mean in one shader, and what each entry point uses."""
