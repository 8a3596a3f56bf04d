"""BL716: A copy whose sources and destinations are not equally many descriptors."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import CopyRange
from bindlint.model.finding import Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule
from bindlint.words import counted

from bindlint_rules.heaps.copies import copies, total


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call, copy in copies(host):
        sources, destinations = total(copy.sources), total(copy.destinations)
        if sources is not None and destinations is not None and sources != destinations:
            yield Violation(
                f"`{call.name}` copies {_words(sources, copy.sources)} to {_words(destinations, copy.destinations)}; "
                f"there have to be as many, in whatever ranges",
                call.span,
                symbols=(call.function, str(sources), str(destinations)),
            )


def _words(number: int, ranges: tuple[CopyRange, ...] | None) -> str:
    """`6 descriptors (2 + 4)`."""
    parts = f" ({' + '.join(str(part.count) for part in ranges)})" if ranges is not None and len(ranges) > 1 else ""
    return f"{counted(number, 'descriptor')}{parts}"


RULE = Rule(
    "BL716",
    "copy-count",
    "error",
    "host",
    "A copy whose sources and destinations are not equally many",
    check,
)
