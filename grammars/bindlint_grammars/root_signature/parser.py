"""Parses a root-signature string into clauses with character spans, and says what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from bindlint_grammars.root_signature.clauses import NAME_KINDS, Argument, Builder, Clause, Parsed
from bindlint_grammars.root_signature.faults import Fault, syntax_fault

if TYPE_CHECKING:
    from lark import Lark


_CLAUSE = re.compile(
    r"(?<![0-9A-Za-z_])(?:(RootFlags|RootConstants|DescriptorTable|StaticSampler)|CBV|SRV|UAV) *\(", re.IGNORECASE
)
_MAX_ERRORS = 20
"""Syntax errors that are told of one string."""
_MAX_LENGTH = 1 << 18
"""Characters of a string that is read; the 2,048 static samplers that a device holds take some 100,000."""


@lru_cache(maxsize=1024)
def parse(text: str) -> Parsed:
    """Read a root-signature string; of one that is too long nothing.

    One with faults keeps the clauses before its first syntax error; of those behind it only the faults are told.
    """
    if len(text) > _MAX_LENGTH:
        message = f"{len(text)} characters are more than are read of a root signature, {_MAX_LENGTH}"
        return Parsed((), (Fault(0, len(text), message),))
    clauses, faults, error = _read(text)
    faults += [
        Fault(clause.start, clause.end, "RootFlags can stand only once in a root signature")
        for clause in [clause for clause in clauses if clause.kind == "rootflags"][1:]
    ]
    start, rest = 0, text
    for _ in range(_MAX_ERRORS - 1):
        start = -1 if error is None else _next_clause(rest, start, error)
        if start < 0:
            break
        # Blanks instead of what has been read keep all places.
        rest = " " * start + text[start:]
        _, more, error = _read(rest)
        faults += more
    return Parsed(tuple(clauses), tuple(sorted(faults)))


def _read(text: str) -> tuple[list[Clause], list[Fault], int | None]:
    """The clauses up to the first syntax error, all faults up to there, and where that error is."""
    from lark.exceptions import UnexpectedInput

    clauses: list[Clause]
    faults: list[Fault] = []
    error: int | None = None
    try:
        clauses = _grammar().parse(text)  # type: ignore[assignment]
    except UnexpectedInput:
        clauses, faults = _parse_to_fault(text)
        error = faults[-1].start
    return clauses, faults + [fault for clause in clauses for fault in clause.faults], error


def _next_clause(text: str, start: int, error: int) -> int:
    """Where the next clause begins behind an error in what was read from `start` on; -1 where there is none.

    `CBV`, `SRV` and `UAV` within parentheses are ranges of a table.
    """
    for match in _CLAUSE.finditer(text, max(error, start + 1)):
        if match[1] or text.count("(", start, match.start()) <= text.count(")", start, match.start()):
            return match.start()
    return -1


def _parse_to_fault(text: str) -> tuple[list[Clause], list[Fault]]:
    """The complete clauses before the first syntax error, and the faults of the incomplete one, with that error."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    parsing = _grammar().parse_interactive(text)
    start = len(text)
    try:
        parsing.exhaust_lexer()
    except UnexpectedCharacters as unexpected:
        start = unexpected.pos_in_stream or 0
    except UnexpectedToken as unexpected:
        start = unexpected.token.start_pos
    clauses: list[Clause] = []
    faults: list[Fault] = []
    complete, name_kind = True, ""
    for item in _flat(parsing.parser_state.value_stack):
        if isinstance(item, Clause) and complete:
            clauses.append(item)
        elif isinstance(item, Clause | Argument):
            faults += item.faults
        elif item.type != "COMMA":
            complete = False
            name_kind = NAME_KINDS.get(item.type, name_kind)
    accepted: set[str] = parsing.accepts()  # type: ignore[no-untyped-call]
    return clauses, [*faults, syntax_fault(text, start, accepted, name_kind)]


def _flat(items: Iterable[Any]) -> Iterator[Any]:
    """The parser's stack without the nodes and lists that stand for repetitions."""
    for item in items:
        children = item if isinstance(item, list) else getattr(item, "children", None)
        if children is not None:
            yield from _flat(children)
        else:
            yield item


@cache
def _grammar() -> Lark:
    from lark import Lark

    text = files(__package__).joinpath("root_signature.lark").read_text("utf-8")
    return Lark(text, parser="lalr", lexer="contextual", transformer=Builder())
