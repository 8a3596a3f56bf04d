"""BL717: A copy whose source and destination overlap."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.device import CopyRange
from bindlint.model.finding import Related, Violation
from bindlint.model.host import HostFile
from bindlint.project.values import Project
from bindlint.rule import Rule

from bindlint_rules.heaps.copies import copies
from bindlint_rules.heaps.words import is_one


def check(host: HostFile, project: Project) -> Iterator[Violation]:
    for call, copy in copies(host):
        for destination in copy.destinations or ():
            over = next((source for source in copy.sources or () if _overlap(source, destination)), None)
            if over is not None:
                yield Violation(
                    f"`{call.name}` copies {_words(over)} of `{over.handle.heap.text}` over {_words(destination)} of "
                    f"the same heap; source and destination must not overlap",
                    call.span,
                    (Related("the source", over.span), Related("the destination", destination.span)),
                    symbols=(call.function, over.handle.heap.key, str(destination.handle.index)),
                )


def _overlap(one: CopyRange, other: CopyRange) -> bool:
    if not is_one(one.handle.heap) or one.handle.heap.key != other.handle.heap.key:
        return False
    first, second, count, other_count = one.handle.index, other.handle.index, one.count, other.count
    if first is None or second is None or count is None or other_count is None:
        return False
    return first < second + other_count and second < first + count


def _words(part: CopyRange) -> str:
    first, count = part.handle.index or 0, part.count or 1
    return f"descriptor {first}" if count == 1 else f"descriptors {first}-{first + count - 1}"


RULE = Rule(
    "BL717",
    "copy-overlap",
    "error",
    "host",
    "A copy whose source and destination overlap",
    check,
)
