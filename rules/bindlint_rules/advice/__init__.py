"""Advice: what is valid and not what a project may want; each rule is off until it is asked for."""
