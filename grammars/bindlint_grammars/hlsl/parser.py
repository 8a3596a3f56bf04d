"""The HLSL grammar of tree-sitter: the language, its keywords, parsing and the declaration queries."""

from __future__ import annotations

import ctypes
from importlib.resources import files

import tree_sitter_hlsl
from tree_sitter import Language, Parser, Query, Tree


def _language() -> Language:
    # tree-sitter-hlsl 0.2.0 hands the language out as a bare address, which py-tree-sitter deprecates.
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype = ctypes.py_object
    new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(new_capsule(tree_sitter_hlsl.language(), b"tree_sitter.Language", None))


LANGUAGE = _language()

KEYWORDS: frozenset[bytes] = frozenset(
    kind.encode()
    for number in range(LANGUAGE.node_kind_count)
    if not LANGUAGE.node_kind_is_named(number) and (kind := LANGUAGE.node_kind_for_id(number) or "").isidentifier()
)
"""Every word that the grammar does not take as a name."""

_parser = Parser(LANGUAGE)


def parse(text: bytes) -> Tree:
    """The tree of a masked text. Nothing raises; what cannot be read is an error node."""
    return _parser.parse(text)


def load_query(name: str) -> Query:
    """The query of the file `queries/NAME.scm`."""
    source = (files("bindlint_grammars.hlsl") / "queries" / f"{name}.scm").read_text(encoding="utf-8")
    return Query(LANGUAGE, source)
