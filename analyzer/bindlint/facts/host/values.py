"""The values of the host-code interpreter, and the journal that takes back what a branch has written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node

    from bindlint.facts.host.index import Source

Place = tuple["Source", int, int]
"""A stretch of a parsed text, where something was written."""


class Unknown:
    """A value that is not known, and why, as the end of a sentence."""

    __slots__ = ("name", "place", "unread", "why")

    def __init__(self, why: str, place: Place | None = None, name: str = "", unread: bool = False) -> None:
        self.why = why
        self.place = place
        self.name = name
        self.unread = unread


class Unset:
    """The value of what was declared and never written."""

    __slots__ = ()


UNSET = Unset()

IDENTITY = "@key"
"""The field of a record that stands for an object of the API: what the object is called."""


class Cell:
    """A variable, an element or a field. `state` is its value and the place that wrote it."""

    __slots__ = ("box", "constant", "place", "value")

    def __init__(self, value: Value, place: Place | None = None, constant: bool = False) -> None:
        self.value = value
        self.place = place
        self.constant = constant
        self.box: Array | None = None

    @property
    def state(self) -> tuple[Value, Place | None]:
        return self.value, self.place

    @state.setter
    def state(self, state: tuple[Value, Place | None]) -> None:
        self.value, self.place = state


class Record:
    """A structure. Fields come to be when they are asked for, with `fill` for their value."""

    __slots__ = ("copied", "fields", "fill", "name", "place", "type")

    def __init__(self, type_name: str, fill: Value, place: Place | None = None, name: str = "") -> None:
        self.type = type_name
        self.fill = fill
        self.place = place
        self.name = name
        self.fields: dict[str, Cell] = {}
        self.copied = False


class Array:
    """Elements in a row. `state` holds the cells, and whether that is all of them; `grows` is true of vectors."""

    __slots__ = ("element", "grows", "name", "place", "state")

    def __init__(
        self,
        element: str,
        cells: Iterable[Cell] = (),
        grows: bool = False,
        place: Place | None = None,
        complete: bool = True,
        name: str = "",
    ) -> None:
        self.element = element
        self.grows = grows
        self.place = place
        self.name = name
        self.state: tuple[tuple[Cell, ...], bool] = (tuple(cells), complete)

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.state[0]

    @property
    def complete(self) -> bool:
        return self.state[1]


class Pointer:
    """The address of an element."""

    __slots__ = ("array", "index")

    def __init__(self, array: Array, index: int = 0) -> None:
        self.array = array
        self.index = index

    @property
    def cell(self) -> Cell | None:
        cells = self.array.cells
        return cells[self.index] if 0 <= self.index < len(cells) else None


class Closure:
    """A lambda with the variables that it sees."""

    __slots__ = ("body", "parameters", "scopes", "source")

    def __init__(
        self, parameters: Node | None, body: Node, scopes: tuple[dict[str, Cell], ...], source: Source
    ) -> None:
        self.parameters = parameters
        self.body = body
        self.scopes = scopes
        self.source = source


Value = int | float | str | Unknown | Unset | Record | Array | Pointer | Closure
State = Cell | Array
Outcome = tuple[Any, dict[State, Any]]
"""What came of an alternative: its result, and the last state of all that it changed."""


class Journal:
    """Every write goes through here, so that the alternatives of an unknown condition start from the same state."""

    def __init__(self) -> None:
        self._trails: list[list[tuple[State, Any]]] = []
        self.merged = 0
        """How many states were merged so far."""

    def write(self, target: State, state: Any) -> None:
        if self._trails:
            self._trails[-1].append((target, target.state))
        target.state = state

    def attempt(self, run: Callable[[], Any]) -> Outcome:
        """Run, take back what was written, and return it with the result."""
        self.begin()
        try:
            result = run()
        finally:
            changed = self.end()
        return result, changed

    def begin(self) -> None:
        """From here on keep what is written, until `end`."""
        self._trails.append([])

    def end(self) -> dict[State, Any]:
        """Take back what was written since `begin`; the last state of all that changed."""
        trail = self._trails.pop()
        changed = {target: target.state for target, _ in trail}
        for target, before in reversed(trail):
            target.state = before
        return changed

    def merge(self, outcomes: list[dict[State, Any]], why: Unknown) -> None:
        """Write what all outcomes agree on; what they do not agree on becomes `why`."""
        for target in dict.fromkeys(target for outcome in outcomes for target in outcome):
            self.merged += 1
            states = [outcome.get(target, target.state) for outcome in outcomes]
            if isinstance(target, Cell):
                value = states[0][0]
                for other, _ in states[1:]:
                    value = merged(value, other, why)
                place = next((s[1] for s in states if s[1] is not None and s != target.state), states[0][1])
                self.write(target, (value, place))
            else:
                same = all(state == states[0] for state in states)
                longest = max(states, key=lambda state: len(state[0]))
                self.write(target, states[0] if same else (longest[0], False))


def merged(one: Value, other: Value, why: Unknown) -> Value:
    """What is certain when a value is either of two."""
    if same(one, other):
        return one
    if isinstance(one, Record) and isinstance(other, Record) and one.type == other.type:
        fill = one.fill if same(one.fill, other.fill) else why
        record = Record(one.type, fill, one.place or other.place, one.name)
        for name in dict.fromkeys((*one.fields, *other.fields)):
            first, second = one.fields.get(name), other.fields.get(name)
            left = first.value if first else one.fill
            right = second.value if second else other.fill
            place = (first.place if first else None) or (second.place if second else None)
            record.fields[name] = Cell(merged(left, right, why), place)
        return record
    return why


def same(one: Value, other: Value) -> bool:
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        return one.array is other.array and one.index == other.index
    if isinstance(one, Record) and isinstance(other, Record):
        if one.type != other.type or not same(one.fill, other.fill):
            return False
        names = {*one.fields, *other.fields}
        return all(same(_field(one, name), _field(other, name)) for name in names)
    if isinstance(one, Unknown) and isinstance(other, Unknown):
        return bool(one.name) and (one.name, one.why) == (other.name, other.why)
    return isinstance(one, int | float | str) and one == other


def _field(record: Record, name: str) -> Value:
    cell = record.fields.get(name)
    return record.fill if cell is None else cell.value


def clone(value: Value) -> Value:
    """A copy that shares nothing that can be written, for assignment by value."""
    if isinstance(value, Record):
        value.copied = True
        record = Record(value.type, value.fill, value.place, value.name)
        record.fields = {name: Cell(clone(cell.value), cell.place) for name, cell in value.fields.items()}
        return record
    if isinstance(value, Array):
        cells = (Cell(clone(cell.value), cell.place) for cell in value.cells)
        return Array(value.element, cells, value.grows, value.place, value.complete, value.name)
    return value


def weight(value: Value, most: int) -> int:
    """How many cells a value has, counted until there are more than `most`."""
    pending: list[Value] = [value]
    count = 0
    while pending and count <= most:
        current = pending.pop()
        cells = (
            current.fields.values()
            if isinstance(current, Record)
            else current.cells
            if isinstance(current, Array)
            else ()
        )
        count += len(cells)
        pending += [cell.value for cell in cells]
    return count


def cells_within(value: Value, depth: int = 0) -> Iterator[Cell]:
    """Every cell that can be written through a value, without following pointers."""
    if depth > 8:
        return
    if isinstance(value, Record):
        for cell in value.fields.values():
            yield cell
            yield from cells_within(cell.value, depth + 1)
    elif isinstance(value, Array):
        for cell in value.cells:
            yield cell
            yield from cells_within(cell.value, depth + 1)
