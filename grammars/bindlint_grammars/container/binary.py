"""Rows and names at offsets that nobody vouches for."""

from __future__ import annotations

import struct
from typing import Any

MAX_NAME = 4096
"""Bytes of a name; a longer one is cut, so that overlapping names cost no more than their number."""


def rows(data: bytes, form: struct.Struct, start: int, count: int, stride: int | None = None) -> list[tuple[Any, ...]]:
    """`count` rows from `start` on, `stride` bytes apart; none of them where they do not all lie within the data."""
    stride = form.size if stride is None else stride
    end = start + stride * count
    if stride < form.size or end > len(data):
        return []
    if stride == form.size:
        return list(form.iter_unpack(data[start:end]))
    return [form.unpack_from(data, place) for place in range(start, end, stride)]


def name_at(data: bytes, offset: int) -> str:
    """The zero-terminated name at `offset`, "" where there is none."""
    if offset >= len(data):
        return ""
    end = data.find(b"\0", offset, offset + MAX_NAME)
    return data[offset : offset + MAX_NAME if end < 0 else end].decode("utf-8", "replace")
