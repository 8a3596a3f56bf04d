"""The C++ grammar of tree-sitter, and what it reads as something else than a C++ compiler would."""

from __future__ import annotations

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser, Tree

LANGUAGE = Language(tree_sitter_cpp.language())

_parser = Parser(LANGUAGE)
_CALL = b"void _() { _("


def parse(text: bytes) -> Tree:
    """The tree of a text. Nothing raises; what cannot be read is an error node."""
    return _parser.parse(text)


def as_arguments(parameters: Node) -> tuple[Node, int] | None:
    """A parameter list read as the arguments of a call, and how far its offsets lie before those of its tree.

    `Type name(a, b);` is a declaration of a function to the grammar, and of a variable where `a` and `b` are values.
    """
    text = (parameters.text or b"")[1:-1]
    statement = parse(_CALL + text + b"); }").root_node.descendant_for_byte_range(len(_CALL) - 1, len(_CALL) - 1)
    while statement is not None and statement.type != "argument_list":
        statement = statement.parent
    if statement is None or statement.has_error:
        return None
    return statement, parameters.start_byte + 1 - len(_CALL)


def as_statements(text: bytes) -> tuple[Node, int] | None:
    """A text read as the body of a function, and how far its offsets lie behind those of the text."""
    head = b"void _() {"
    function = parse(head + text + b"}").root_node.named_child(0)
    body = None if function is None else function.child_by_field_name("body")
    return None if body is None else (body, len(head))
