"""The bounds within which a hostile or broken source is read."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True):
    """Bounds on time and memory; what lies beyond them becomes a problem and the rest is still read.

    `include_depth` is the depth at which DXC gives up, 200. `includes` bounds how many files one shader may enter (real
    ones enter some hundreds). `expansion_tokens` bounds the tokens that macros may produce in one part of a file, and
    four times that in a whole shader; `expansion_bytes` bounds the expanded text of a shader. `macro_nesting` bounds
    calls within the arguments of calls, and `condition_nesting` the parentheses of an `#if`. `file_bytes` bounds one
    file. `held_bytes` is how much text is kept for reuse (about seven times that in memory) before everything held is
    let go; `facts_bytes` is the same for distinct text whose declarations and summaries are kept (some 55 times that in
    memory), but never less than four shaders need.
    """

    include_depth: int = 200
    includes: int = 5_000
    expansion_tokens: int = 1_000_000
    expansion_bytes: int = 256 << 20
    macro_nesting: int = 100
    condition_nesting: int = 100
    file_bytes: int = 64 << 20
    held_bytes: int = 16 << 20
    facts_bytes: int = 4 << 20


CEILING = Limits(
    include_depth=1000,
    includes=50_000,
    expansion_tokens=10_000_000,
    expansion_bytes=1 << 30,
    macro_nesting=150,
    condition_nesting=150,
    file_bytes=256 << 20,
    held_bytes=256 << 20,
    facts_bytes=64 << 20,
)
"""How far settings may raise the limits, since they may come with what is checked. Nested macros and conditions are
read by functions that call themselves, which Python bounds."""
