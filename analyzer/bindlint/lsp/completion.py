"""What may be written next: registers after `register(`, and clauses and their values in a root-signature string."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lsprotocol import types

from bindlint.lsp.convert import Text
from bindlint.lsp.places import clauses, feeding
from bindlint.lsp.session import State
from bindlint.lsp.signature_words import is_comment, signature_text, words_for
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.registers import MAX_REGISTER, RegisterClass, RegisterRange
from bindlint.model.resource_types import RESOURCE_TYPES

TRIGGERS = ["(", ",", "=", "|", '"', " "]
_REGISTER = re.compile(r"\bregister\s*\(\s*(?:[vpgc]s\s*,\s*)?(?:(\w*)|(\w+)(?:\[[^\]]*\])?\s*,\s*(\w*))\Z")
_SPACE_BEHIND = re.compile(r"(?:\w*\s*,\s*)?space(\d+)\s*\)")
_DECLARED = re.compile(r"(\w+)\s*((?:\[[^\]]*\]\s*)*):\s*\Z")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|^[ \t]*#[^\n]*", re.S | re.M)
_CLASSES: tuple[RegisterClass, ...] = ("t", "u", "b", "s")
_FREE = 4
"""Free registers of a class that are offered; who wants another writes it."""
_TAKEN = 40


def completion(state: State, path: str, position: types.Position) -> list[types.CompletionItem]:
    """The proposals for a place, the best first."""
    text = state.text(path)
    if text is None:
        return []
    offset = text.offset(position)
    before = text.text[:offset]
    analyses = state.known(path)
    register = _REGISTER.search(before[-200:])
    if register is not None and not is_comment(before):
        if register[3] is not None:
            return _items(text, offset, register[3], _spaces(analyses))
        return _items(text, offset, register[1], _registers(before, text.text[offset:], register.start(), analyses))
    signature = signature_text(before)
    if signature is None:
        return []
    word, words = words_for(signature, lambda cls: _wanted(analyses, cls))
    return _items(text, offset, word, words)


def _items(text: Text, offset: int, written: str, words: Iterable[tuple[str, str]]) -> list[types.CompletionItem]:
    """Words and what to say of them, in order, in place of what is already written."""
    place = text.range(offset - len(written), offset)
    return [
        types.CompletionItem(
            label=word.rstrip("( =") or word,
            detail=detail or None,
            kind=types.CompletionItemKind.Value,
            sort_text=f"{number:03}",
            filter_text=word,
            text_edit=types.TextEdit(place, word),
        )
        for number, (word, detail) in enumerate(dict(words).items())
    ]


def _registers(before: str, behind: str, start: int, analyses: list[ShaderAnalysis]) -> Iterator[tuple[str, str]]:
    """Free registers of the declared type's class, those first that the root signature binds; then the taken ones."""
    head = before[: len(before) - min(len(before), 200) + start]
    statement = _COMMENT.sub(" ", head[max(map(head.rfind, ";{}")) + 1 :])
    types_named = [RESOURCE_TYPES[word] for word in re.findall(r"\w+", statement) if word in RESOURCE_TYPES]
    declared = _DECLARED.search(statement)
    name = declared[1] if declared else ""
    count = _count(declared[2]) if declared else 1
    spaced = _SPACE_BEHIND.match(behind)
    space = int(spaced[1]) if spaced else 0
    for cls in (types_named[-1].cls,) if types_named else _CLASSES:
        taken = _taken(analyses, cls, space, name)
        bound = _bound(analyses, cls, space)
        free = list(_free(taken, count, bound))
        for register, detail in free:
            yield f"{cls}{register}", detail
        for register, holders in sorted(taken.items())[:_TAKEN]:
            yield f"{cls}{register}", f"taken by {', '.join(sorted(holders))}"


def _count(dimensions: str) -> int:
    """How many registers an array takes, as far as it is written in figures."""
    count = 1
    for size in re.findall(r"\[\s*(\d+)\s*\]", dimensions):
        count *= int(size)
    return min(count, 1 << 16)


def _taken(analyses: list[ShaderAnalysis], cls: RegisterClass, space: int, without: str) -> dict[int, set[str]]:
    """The registers that resources other than `without` hold: the first of each, and all of the bounded ones."""
    taken: dict[int, set[str]] = {}
    for analysis in analyses:
        for binding in analysis.bindings:
            registers = binding.registers
            if registers is None or registers.cls != cls or registers.space != space or binding.name == without:
                continue
            if binding.explicit or binding.used:
                last = min(registers.last, registers.lower + 256)
                for register in range(registers.lower, last + 1):
                    taken.setdefault(register, set()).add(f"`{binding.name}`")
    return taken


def _bound(analyses: list[ShaderAnalysis], cls: RegisterClass, space: int) -> dict[int, str]:
    """The registers that root signatures bind, with the part that does."""
    bound: dict[int, str] = {}
    for analysis in analyses:
        for clause in clauses(analysis.signature) if analysis.signature is not None else ():
            for registers in clause.registers:
                if registers.cls == cls and registers.space == space:
                    part = "static sampler" if clause.parameter is None else "root parameter"
                    for register in range(registers.lower, min(registers.last, registers.lower + 256) + 1):
                        bound.setdefault(register, f"{part} {clause.index}")
    return bound


def _free(taken: dict[int, set[str]], count: int, bound: dict[int, str]) -> Iterator[tuple[int, str]]:
    """The lowest bases at which so many registers are free; first those that the root signature binds."""
    found: list[int] = []
    register = 0
    while len(found) < _FREE + len(bound) and register + count - 1 <= MAX_REGISTER and register < 1024:
        hit = next((r for r in range(register, register + count) if r in taken), None)
        if hit is None:
            found.append(register)
            register += 1
        else:
            register = hit + 1
    size = f", {count} registers" if count > 1 else ""
    good = [r for r in found if r in bound]
    for register in good[:_FREE]:
        yield register, f"free{size}, bound by {bound[register]}"
    for register in [r for r in found if r not in bound][: max(_FREE - len(good), 1)]:
        yield register, f"free{size}{', not in the root signature' if bound else ''}"


def _spaces(analyses: list[ShaderAnalysis]) -> Iterator[tuple[str, str]]:
    """The register spaces that are in use, and the next one."""
    used: dict[int, set[str]] = {0: set()}
    for analysis in analyses:
        for binding in analysis.bindings:
            if binding.registers is not None:
                used.setdefault(binding.registers.space, set()).add(f"`{binding.name}`")
    for space, names in sorted(used.items()):
        more = ", ..." if len(names) > 3 else ""
        yield f"space{space}", f"holds {', '.join(sorted(names)[:3])}{more}" if names else "empty"
    yield f"space{max(used) + 1}", "empty"


def _wanted(analyses: list[ShaderAnalysis], cls: RegisterClass) -> Iterator[tuple[RegisterRange, str]]:
    """What shaders need of a class: first what their root signatures do not bind yet."""
    found: dict[RegisterRange, tuple[bool, str]] = {}
    for analysis in analyses:
        for binding in analysis.bindings:
            if binding.used and binding.registers is not None and binding.registers.cls == cls:
                is_bound = feeding(analysis, binding) is not None
                found.setdefault(binding.registers, (is_bound, binding.name))
    for registers, (is_bound, name) in sorted(found.items(), key=lambda item: (item[1][0], str(item[0]))):
        yield registers, f"`{name}`{', bound already' if is_bound else ', not bound yet'}"
