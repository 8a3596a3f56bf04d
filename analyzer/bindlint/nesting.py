"""How deep what is read may nest: the bound of all that recurses over it, and the room on Python's stack for that."""

from __future__ import annotations

import sys

MAX_NESTING = 1000
"""Statements and expressions, one inside the other; a block and the statement around it count as two."""

_FRAMES = 8000


def make_room() -> None:
    """Let Python recurse as far as `MAX_NESTING` asks for, wherever that begins."""
    if sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)
