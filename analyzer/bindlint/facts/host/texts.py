"""String literals of host code, and what they name: shader files, target profiles, entry points, options of dxc."""

from __future__ import annotations

import re

from bindlint.facts.host.values import Value

_PIECE = re.compile(r'(?:L|u8|[uU])?"([^"\\]*(?:\\.[^"\\]*)*)"|(?:L|u8|[uU])?R"([^\s()\\]*)\((.*?)\)\2"', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_FILE = re.compile(r"(?i)[^<>|?*\n]*\.(?:hlsli?|fxh?|cso|dxil|dxbc|[vpcghdam]sh|us[fh])(?:\.bin)?")
_PROFILE = re.compile(r"(?:vs|ps|gs|hs|ds|cs|ms|as|lib)_\d_[\dx]+(?:_level_\w+)?")
_ENTRY = re.compile(r"[A-Za-z_]\w*")
_CONTROL = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def literal(value: Value) -> str | None:
    """What stands in a string literal, or in several that follow each other; None for every other value."""
    if not isinstance(value, str):
        return None
    found, end = "", 0
    for piece in _PIECE.finditer(value):
        if value[end : piece.start()].strip():
            return None
        raw = piece[3]
        found += raw if raw is not None else _ESCAPED.sub(lambda m: _CONTROL.get(m[1], m[1]), piece[1])
        end = piece.end()
    return found if end and not value[end:].strip() else None


def quoted(text: str) -> str:
    """The literal that says a text."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def shader_file(value: Value) -> str:
    """The shader source or compiled shader that a literal names; "" where it names none."""
    text = literal(value)
    return text if text is not None and _FILE.fullmatch(text) else ""


def is_profile(text: str) -> bool:
    return _PROFILE.fullmatch(text) is not None


def entry_and_profile(texts: list[str]) -> tuple[str, str]:
    """The entry point and the target profile among the texts that a call is given; "" for what they do not settle."""
    entry, profile, _ = options(texts)
    plain = [text for text in texts if not text.startswith(("-", "/"))]
    profiles = [text for text in plain if is_profile(text)]
    if not profile and len(profiles) == 1:
        profile = profiles[0]
    entries = [text for text in plain if _ENTRY.fullmatch(text) and not is_profile(text)]
    if not entry and entries:
        before = plain[plain.index(profile) - 1] if profile in plain and plain.index(profile) else ""
        entry = entries[0] if len(entries) == 1 else before if before in entries else ""
    return entry, profile


def options(texts: list[str]) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Entry point, profile and defines of dxc's options: each a text of its own, or with its value in one text."""
    found = {"E": "", "T": ""}
    defines: list[tuple[str, str]] = []
    words = [word for text in texts for word in (text.split() if text[:1] in ("-", "/") else [text])]
    for i, word in enumerate(words):
        if word[:1] not in ("-", "/") or word[1:2] not in ("E", "T", "D"):
            continue
        given = word[2:] or (words[i + 1] if i + 1 < len(words) else "")
        name, _, value = given.partition("=")
        if word[1] == "D" and _ENTRY.fullmatch(name):
            defines.append((name, value or "1"))
        elif (word[1] == "T" and is_profile(given)) or (word[1] == "E" and _ENTRY.fullmatch(given)):
            found[word[1]] = given
    return found["E"], found["T"], tuple(defines)
