"""Constants whose place in a buffer is written down: which of them share bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bindlint.model.binding import PlacedConstant


def overlaps(constants: Iterable[PlacedConstant]) -> Iterator[tuple[PlacedConstant, PlacedConstant]]:
    """Pairs with bytes in common, each later one once, with the first that it meets; in the order given."""
    before: list[tuple[int, int, PlacedConstant]] = []
    for constant in constants:
        if constant.start is None:
            continue
        start, end = constant.start, constant.start + max(constant.size, 1)
        met = next((other for first, last, other in before if start < last and first < end), None)
        if met is not None:
            yield met, constant
        before.append((start, end, constant))
