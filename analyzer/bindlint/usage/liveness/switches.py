"""Which cases of a `switch` run where it asks for a value that is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bindlint.usage.bodies.syntax import DEFAULT, Case, Switch, select_control
from bindlint.usage.numbers import Number

if TYPE_CHECKING:
    from bindlint.usage.liveness.reading import BodyReader

_BITS = 0xFFFFFFFF


def told(reader: BodyReader, index: int, switch: Switch) -> bool:
    """Whether it is known which cases run of the `switch` that the step is; then the others do not."""
    run = running(switch, reader.body.texts, reader.values.of)
    if run is None:
        return False
    reader.values.affect(reader.body.steps[index].value)
    flow = reader.flow
    for case in switch.cases:
        flow.dead.add((select_control(case.texts[0]), case not in run))
        if case not in run:
            flow.passed.update(range(case.start, case.end))
    flow.dead.add((index, not run))
    return True


def running(
    switch: Switch, texts: tuple[str, ...], value_of: Callable[[int], Number | None]
) -> tuple[Case, ...] | None:
    """The cases that run, those that others fall into as well; None where that cannot be told."""
    selector = value_of(switch.text)
    if selector is None or selector.kind.real:
        return None
    value = int(selector.value)
    chosen: int | None = None
    default: int | None = None
    for number, case in enumerate(switch.cases):
        for text in case.texts:
            if texts[text] == DEFAULT:
                default = number
                continue
            number_of_label = value_of(text)
            label = None if number_of_label is None else int(number_of_label.value)
            if label is None or (label != value and label & _BITS == value & _BITS):
                # A label of another type may mean the same.
                return None
            if label == value:
                chosen = number
    first = default if chosen is None else chosen
    if first is None:
        return ()
    last = first
    while switch.cases[last].falls and last + 1 < len(switch.cases):
        last += 1
    return switch.cases[first : last + 1]
