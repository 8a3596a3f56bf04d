"""The words of a root-signature string: where in it a text ends, and what may stand there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from bindlint_grammars.root_signature import names

from bindlint.model.registers import RegisterClass, RegisterRange

Wanted = Callable[[RegisterClass], Iterable[tuple[RegisterRange, str]]]
"""What shaders need of a register class, each with a word about it."""

_TOKEN = re.compile(r'//[^\n]*|/\*.*?(?:\*/|\Z)|"([^"\\\n]*(?:\\.[^"\\\n]*)*)("|\Z|\n)', re.S)
_BETWEEN = re.compile(r"(?:\s|\\\r?\n)*")
_OPENED_BY = re.compile(
    r"(?:\bRootSignature\s*(?:\(|\w+\s*=\s*\{?)|#[ \t]*define[ \t]+\w*(?:RS|ROOT|SIG)\w*)\W*\Z", re.I
)
_CLAUSE = re.compile(r"\b(?:RootFlags|RootConstants|DescriptorTable|StaticSampler|CBV|SRV|UAV)\s*\(", re.I)
_PART = re.compile(r"(\w+)\s*\(|([(),|=])|(\w+)")
_CLASSES: dict[str, RegisterClass] = {
    "cbv": "b",
    "srv": "t",
    "uav": "u",
    "sampler": "s",
    "staticsampler": "s",
    "rootconstants": "b",
}
_CLAUSES = {
    "RootFlags(": "flags of the whole root signature",
    "DescriptorTable(": "1 DWORD",
    "CBV(": "2 DWORDs",
    "SRV(": "2 DWORDs; buffers only",
    "UAV(": "2 DWORDs; buffers only",
    "RootConstants(": "1 DWORD a constant",
    "StaticSampler(": "costs nothing",
}
_RANGES = {
    "CBV(": "range of constant buffers",
    "SRV(": "range of shader resources",
    "UAV(": "range of unordered access views",
    "Sampler(": "range of samplers; not beside the others",
}
_SAMPLER_KEYS = (
    "filter addressU addressV addressW mipLODBias maxAnisotropy comparisonFunc borderColor minLOD maxLOD space "
    "visibility"
)
_KEYS = {
    "cbv": "space visibility flags",
    "srv": "space visibility flags",
    "uav": "space visibility flags",
    "rootconstants": "num32BitConstants space visibility",
    "descriptortable": "visibility",
    "staticsampler": _SAMPLER_KEYS,
    "range": "numDescriptors space offset flags",
}
_VALUES: dict[str, Iterable[str]] = {
    "visibility": names.VISIBILITIES,
    "filter": names.FILTERS,
    "addressu": names.ADDRESS_MODES,
    "addressv": names.ADDRESS_MODES,
    "addressw": names.ADDRESS_MODES,
    "comparisonfunc": names.COMPARISONS,
    "bordercolor": names.BORDER_COLORS,
    "numdescriptors": ("unbounded",),
    "offset": ("DESCRIPTOR_RANGE_OFFSET_APPEND",),
}


def is_comment(before: str) -> bool:
    """Whether a text ends inside a comment."""
    *_, last = (None, *_TOKEN.finditer(before))
    return last is not None and last[1] is None and last.end() == len(before) and not last[0].endswith("*/")


def signature_text(before: str) -> str | None:
    """The root-signature string that a text ends in, adjacent literals joined; None where it ends in none."""
    joined, opened, end = "", 0, -1
    for token in _TOKEN.finditer(before):
        if token[1] is None:
            continue
        if end < 0 or not _BETWEEN.fullmatch(before, end, token.start()):
            joined, opened = "", token.start()
        joined += token[1]
        end = token.end()
        if not token[2]:
            is_signature = _CLAUSE.search(joined) or _OPENED_BY.search(before[max(opened - 200, 0) : opened])
            return joined if is_signature else None
    return None


def words_for(text: str, wanted: Wanted) -> tuple[str, list[tuple[str, str]]]:
    """The word that the text breaks off in, and the words that may stand there, each with what to say of it."""
    stack: list[str] = []
    key, word, word_key = "", "", ""
    after = ""
    for part in _PART.finditer(text):
        if part[1]:
            stack.append(part[1].lower())
            key, after = "", "("
        elif part[2]:
            after = part[2]
            if after == ")" and stack:
                stack.pop()
            key = word_key if after == "=" else key if after == "|" else ""
        else:
            word_key = part[3].lower()
            if part.end() == len(text):
                word = part[3]
            else:
                after = ""
    if after == ")" or (after == "" and not word and stack):
        return "", []
    return word, list(_words(stack, key, wanted))


def _words(stack: list[str], key: str, wanted: Wanted) -> Iterator[tuple[str, str]]:
    clause = stack[-1] if stack else ""
    in_table = len(stack) > 1 and stack[-2] == "descriptortable"
    if key == "flags" or clause == "rootflags":
        flags = names.ROOT_FLAGS if clause == "rootflags" else names.RANGE_FLAGS if in_table else names.DESCRIPTOR_FLAGS
        yield from ((flag, "") for flag in flags)
    elif key:
        yield from ((value, "") for value in _VALUES.get(key, ()))
    elif not clause:
        yield from _CLAUSES.items()
    else:
        if clause == "descriptortable":
            yield from _RANGES.items()
        cls = _CLASSES.get(clause)
        if cls is not None:
            yield from ((f"{cls}{registers.lower}", said) for registers, said in wanted(cls))
        keys = _KEYS["range"] if in_table or clause == "sampler" else _KEYS.get(clause, "")
        yield from ((f"{each} = ", "") for each in keys.split())
