"""How the texts of bodies are cut into tokens."""

from __future__ import annotations

import re

from bindlint_grammars.hlsl.tokens import NAME

TOKEN = re.compile(
    NAME + r"|\d[\w.]*(?:(?<=[eE])[-+]\d+[fFhHlL]?)?|\.\d\w*(?:(?<=[eE])[-+]\d+\w?)?"
    r"|\"[^\"\\]*(?:\\.[^\"\\]*)*\"|'[^'\\]*(?:\\.[^'\\]*)*'|::|<<=|>>=|->|\+\+|--|[-+*/%&|^<>=!]=|&&|\|\||<<|[^\s\w]"
)


def token_places(text: str) -> list[tuple[int, int]]:
    """Where the tokens of a text start and end."""
    return [match.span() for match in TOKEN.finditer(text)]
