"""Names, types and declarators of C++ trees."""

from __future__ import annotations

import re
from functools import lru_cache

from tree_sitter import Node

Path = tuple[str, ...]
"""A qualified name in parts."""

_SPACE = re.compile(r"\s+")
_KEYWORDS = re.compile(r"\b(?:struct|class|enum|const|constexpr|volatile|typename)\b ?")
_NAMES = (
    "identifier",
    "field_identifier",
    "type_identifier",
    "namespace_identifier",
    "destructor_name",
    "operator_name",
)


def text_of(node: Node | None) -> str:
    text = None if node is None else node.text
    return "" if text is None else text.decode("utf-8", "replace")


def path_of(node: Node | None) -> Path:
    """The parts of a qualified name, template arguments left out."""
    parts: list[str] = []
    while node is not None:
        if node.type == "qualified_identifier":
            scope = node.child_by_field_name("scope")
            if scope is not None:
                parts.append(text_of(scope.child_by_field_name("name") or scope))
            node = node.child_by_field_name("name")
        elif node.type in ("template_type", "template_function", "template_method", "dependent_name"):
            node = node.child_by_field_name("name") or (node.named_children[0] if node.named_children else None)
        else:
            parts.append(text_of(node))
            break
    return tuple(parts)


def renamed_namespace(node: Node) -> tuple[Path, Path]:
    """The new name and the old one of `namespace New = Old;`."""
    new, _, old = text_of(node).strip(" ;").partition("=")
    parts = tuple(part.strip() for part in old.split("::") if part.strip())
    return (new.removeprefix("namespace").strip(),), parts


def type_text(node: Node | None) -> str:
    """A type as written, on one line, without `struct`, `const` and the like."""
    return _plain_type(text_of(node))


@lru_cache(4096)
def _plain_type(text: str) -> str:
    return _KEYWORDS.sub("", _SPACE.sub(" ", text)).strip()


class Declared:
    """A declarator taken apart: `sizes` are array bounds in order, None for `[]`."""

    __slots__ = ("function", "name", "path", "pointers", "reference", "sizes")

    def __init__(self, node: Node | None) -> None:
        self.pointers = 0
        self.reference = False
        self.sizes: list[Node | None] = []
        self.function: Node | None = None
        while node is not None and node.type not in (*_NAMES, "qualified_identifier", "template_function"):
            kind = node.type
            if kind == "array_declarator" or kind == "abstract_array_declarator":
                self.sizes.insert(0, node.child_by_field_name("size"))
            elif "pointer_declarator" in kind:
                self.pointers += 1
            elif "reference_declarator" in kind:
                self.reference = True
            elif kind == "function_declarator":
                self.function = self.function or node
            inner = node.child_by_field_name("declarator")
            if inner is None:
                inner = next((c for c in node.named_children if "declarator" in c.type or c.type in _NAMES), None)
            node = inner
        self.path = path_of(node)
        self.name = self.path[-1] if self.path else ""


class Parameter:
    __slots__ = ("declared", "default", "type")

    def __init__(self, node: Node) -> None:
        self.type = type_text(node.child_by_field_name("type"))
        self.declared = Declared(node.child_by_field_name("declarator"))
        self.default = node.child_by_field_name("default_value")


def parameters_of(node: Node | None) -> tuple[Parameter, ...]:
    kinds = ("parameter_declaration", "optional_parameter_declaration")
    found = tuple(Parameter(c) for c in node.named_children if c.type in kinds) if node is not None else ()
    return () if len(found) == 1 and found[0].type == "void" and not found[0].declared.pointers else found


_PACK = re.compile(r"pack\s*\(\s*(push|pop)?\s*,?\s*(?:\w+\s*,\s*)?(\d+)?\s*\)")


def packs_of(pragmas: tuple[tuple[int, str], ...]) -> list[tuple[int, int]]:
    """The packing from each `#pragma pack` on."""
    stack, current = [], 0
    changes: list[tuple[int, int]] = []
    for offset, pragma in pragmas:
        match = _PACK.match(pragma)
        if match is None:
            continue
        if match[1] == "push":
            stack.append(current)
        if match[1] == "pop":
            current = stack.pop() if stack else 0
        elif match[2] or not match[1]:
            current = int(match[2] or 0)
        changes.append((offset, current))
    return changes
