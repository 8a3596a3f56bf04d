"""State objects that host code creates: their libraries, hit groups, root signatures and associations."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from bindlint.facts.host.bytecode import Maker, Shaders
from bindlint.facts.host.descriptions import (
    ASSOCIATION,
    BY_SUBOBJECT_TYPE,
    COLLECTION,
    GLOBAL,
    HIT_GROUP,
    LIBRARY,
    LOCAL,
    STATE_OBJECT,
    SUBOBJECT,
)
from bindlint.facts.host.device import MethodCall
from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.parts import value_of
from bindlint.facts.host.pipelines import Reader, makes_object, reason
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.texts import literal
from bindlint.facts.host.values import UNSET, Array, Cell, Pointer, Record, Unknown, Unset, Value
from bindlint.model.device import (
    HostAssociation,
    HostExport,
    HostHitGroup,
    HostLibrary,
    HostRef,
    HostStage,
    HostStateObject,
)
from bindlint.model.source import Span

_SUBOBJECTS = "@subobjects"
_NAMES = "@exports"
_IMPORTS = {
    "SetHitGroupExport": "HitGroupExport",
    "SetClosestHitShaderImport": "ClosestHitShaderImport",
    "SetAnyHitShaderImport": "AnyHitShaderImport",
    "SetIntersectionShaderImport": "IntersectionShaderImport",
}
_MANY = 4096


# Building with the helpers of d3dx12.


def create_subobject(device: Shaders, call: MethodCall) -> Value | None:
    """`CreateSubobject<T>()`: a new element of the description, whose address is given back."""
    record = _receiver(call)
    name = call.node.child_by_field_name("function")
    field = name.child_by_field_name("field") if name is not None else None
    listed = field.child_by_field_name("arguments") if field is not None else None
    if record is None or listed is None or not listed.named_children:
        return None
    type_name = text_of(listed.named_children[0])
    made = Record(device.canonical(type_name) or f"@{type_name}", 0, device.place(call.node))
    cell = Cell(made, device.place(call.node))
    array = device.field(record, _SUBOBJECTS)
    if not isinstance(array.value, Array):
        device.write(array, Array("", (), True, device.place(call.node)), call.node)
    held = array.value
    if isinstance(held, Array):
        device.journal.write(held, ((*held.cells, cell), held.complete))
    return device.address_of(cell)


def set_library(device: Shaders, call: MethodCall) -> Value | None:
    record = _receiver(call)
    if record is None or len(call.arguments) != 1:
        return None
    value = device.evaluate(call.arguments[0])
    if isinstance(value, Pointer) and value.cell is not None:
        value = value.cell.value
    device.write(device.field(record, "DXILLibrary"), value, call.node)
    return 0


def define_export(device: Shaders, call: MethodCall) -> Value | None:
    """`DefineExport(name, original)`, `AddExport(name)`, `SetSubobjectToAssociate` apart: one name more."""
    record = _receiver(call)
    if record is None or not call.arguments:
        return None
    export = Record("D3D12_EXPORT_DESC", 0, device.place(call.node))
    for field, argument in zip(("Name", "ExportToRename"), call.arguments, strict=False):
        device.write(device.field(export, field), device.evaluate(argument), argument)
    _append(device, record, [Cell(export, device.place(call.node))], True, call.node)
    return 0


def define_exports(device: Shaders, call: MethodCall) -> Value | None:
    """`DefineExports(names)` and `AddExports(names)`, with their number where it is told."""
    record = _receiver(call)
    if record is None or not call.arguments:
        return None
    value = pointer_to(device.evaluate(call.arguments[0]))
    count = device.evaluate(call.arguments[1]) if len(call.arguments) > 1 else None
    cells: list[Cell] = []
    complete = isinstance(value, Pointer) and value.array.complete and (count is None or isinstance(count, int))
    for cell in value.array.cells[value.index :] if isinstance(value, Pointer) else ():
        if isinstance(count, int) and len(cells) >= count:
            break
        export = Record("D3D12_EXPORT_DESC", 0, device.place(call.node))
        device.write(device.field(export, "Name"), cell.value, call.arguments[0])
        cells.append(Cell(export, device.place(call.node)))
    _append(device, record, cells, complete, call.node)
    return 0


def _append(device: Shaders, record: Record, cells: list[Cell], complete: bool, node: Node) -> None:
    field = device.field(record, _NAMES)
    if not isinstance(field.value, Array):
        device.write(field, Array("", (), True, device.place(node)), node)
    array = field.value
    if isinstance(array, Array):
        device.journal.write(array, ((*array.cells, *cells), array.complete and complete))


def set_field(device: Shaders, call: MethodCall) -> Value | None:
    """`SetHitGroupExport(name)` and the like."""
    record = _receiver(call)
    if record is None or len(call.arguments) != 1:
        return None
    device.write(device.field(record, _IMPORTS[call.name]), device.evaluate(call.arguments[0]), call.node)
    return 0


def set_signature(device: Shaders, call: MethodCall) -> Value | None:
    record = _receiver(call)
    if record is None or len(call.arguments) != 1:
        return None
    device.write(device.field(record, _signature_field(record)), device.evaluate(call.arguments[0]), call.arguments[0])
    return 0


def set_associated(device: Shaders, call: MethodCall) -> Value | None:
    """`SetSubobjectToAssociate(*subobject)`."""
    record = _receiver(call)
    if record is None or len(call.arguments) != 1:
        return None
    target = device.locate(call.arguments[0])
    value: Value = device.unknown("it is not known which subobject this is", call.node)
    if target.certain:
        held = target.cells[0].value
        value = held if isinstance(held, Pointer) else device.address_of(target.cells[0])
    device.write(device.field(record, "pSubobjectToAssociate"), value, call.node)
    return 0


def ignored(device: Shaders, call: MethodCall) -> Value | None:
    return 0


def _receiver(call: MethodCall) -> Record | None:
    value = call.target.cells[0].value if call.target.certain else None
    if isinstance(value, Pointer) and value.cell is not None:
        value = value.cell.value
    return value if isinstance(value, Record) else None


def _signature_field(record: Record) -> str:
    return "pLocalRootSignature" if record.type == LOCAL else "pGlobalRootSignature"


# Reading.


def create_state_object(device: Shaders, call: MethodCall) -> Value | None:
    """`CreateStateObject(&desc, IID_PPV_ARGS(&x))`, and `AddToStateObject`, whose object has more than is told here."""
    grown = call.name == "AddToStateObject"
    if not makes_object(call.arguments, 2 if grown else 1):
        return None
    value = device.evaluate(call.arguments[0])
    if isinstance(value, Pointer) and value.cell is not None:
        value = value.cell.value
    key = device.create(call.arguments[-1], call.node)
    reader = _StateObject(device, call.node)
    if grown:
        reader.why.append("it is added to another state object")
    device.sight(reader.read_object(value, key))
    return device.unknown("is an HRESULT", call.node)


class _StateObject(Reader):
    """Reads one description of a state object. `raw` are its D3D12_STATE_SUBOBJECTs, each with what it points to."""

    def __init__(self, device: Shaders, node: Node) -> None:
        super().__init__(device, node)
        self.raw: list[tuple[Cell, Cell]] = []
        self.others: list[Cell] = []

    def read_object(self, value: Value, key: str) -> HostStateObject:
        subobjects = list(self._subobjects(value))
        libraries = [self._library(cell.value, cell) for cell in subobjects if _is(cell, LIBRARY)]
        groups = [self._hit_group(cell.value, cell) for cell in subobjects if _is(cell, HIT_GROUP)]
        if any(_is(cell, COLLECTION) for cell in subobjects):
            self.why.append("a part of it comes from an existing collection")
        return HostStateObject(
            key=key,
            name=key.rpartition("::")[2],
            function=self.device.function,
            span=self.device.span(self.node),
            libraries=tuple(library for library in libraries if library is not None),
            hit_groups=tuple(group for group in groups if group is not None),
            associations=tuple(self._associations(subobjects)),
            unread="; ".join(dict.fromkeys(self.why)),
        )

    def _subobjects(self, value: Value) -> Iterator[Cell]:
        """The variables that hold the subobjects, as what they are."""
        if not isinstance(value, Record) or value.type != STATE_OBJECT:
            self.why.append(f"the description {reason(value)}")
            return
        added = value.fields.get(_SUBOBJECTS)
        if added is not None and isinstance(added.value, Array):
            if not added.value.complete:
                self.why.append("not all of its subobjects are known")
            self.others = list(added.value.cells)
            yield from added.value.cells
            return
        if isinstance(value.fill, Unknown):
            self.why.append(f"the description {reason(value)}")
        for cell in self._elements(value, "NumSubobjects", "pSubobjects", "the subobjects"):
            inner = self._raw(cell.value)
            if inner is not None:
                self.raw.append((cell, inner))
                yield inner

    def _elements(self, record: Record, count_field: str, field: str, what: str) -> tuple[Cell, ...]:
        count, pointer = value_of(record, count_field), pointer_to(value_of(record, field))
        if isinstance(count, int) and isinstance(pointer, Pointer) and 0 <= count <= _MANY:
            cells = pointer.array.cells[pointer.index :][:count]
            if len(cells) < count:
                self.why.append(f"not all of {what} are known")
            return cells
        if isinstance(count, Unset) or (isinstance(count, int) and count == 0):
            return ()
        unknown = pointer if isinstance(count, int) else count
        if isinstance(pointer, Pointer):
            self.why.append(f"the number of {what.removeprefix('the ')} {reason(count)}")
            return pointer.array.cells[pointer.index :] if pointer.array.complete else ()
        self.why.append(f"{what} {reason(unknown)}".replace(" is not ", " are not ", 1))
        return ()

    def _raw(self, value: Value) -> Cell | None:
        """What a D3D12_STATE_SUBOBJECT points to; a root signature also as a pointer to it alone."""
        if not isinstance(value, Record) or value.type != SUBOBJECT:
            self.why.append(f"a subobject {reason(value)}")
            return None
        number, pointer = value_of(value, "Type"), value_of(value, "pDesc")
        if not isinstance(number, int):
            self.why.append(f"the type of a subobject {reason(number)}")
            return None
        kind = BY_SUBOBJECT_TYPE.get(number)
        if kind is None:
            return None
        cell = pointer.cell if isinstance(pointer, Pointer) else None
        if cell is None:
            self.why.append(f"a subobject {reason(pointer)}")
            return None
        if kind in (LOCAL, GLOBAL) and not _is(cell, kind):
            held = Record(kind, UNSET, cell.place)
            held.fields[_signature_field(held)] = cell
            return Cell(held, cell.place)
        if not _is(cell, kind):
            self.why.append(f"a subobject {reason(cell.value)}")
            return None
        return cell

    def _library(self, record: Value, cell: Cell) -> HostLibrary | None:
        if not isinstance(record, Record):
            return None
        source = record.fields.get("DXILLibrary")
        span = self.span(source if source is not None and source.place is not None else cell)
        stage = self.stage("lib", source.value, span) if source is not None else None
        if stage is None:
            stage = HostStage("lib", span)
            if not self.why or "LIB" not in self.why[-1]:
                self.why.append("the bytecode of a library is not known")
        exports = []
        for export in self._exports(record):
            name = literal(value_of(export[0], "Name"))
            original = literal(value_of(export[0], "ExportToRename"))
            if name is None:
                self.why.append(f"the name of an export {reason(value_of(export[0], 'Name'))}")
            else:
                exports.append(HostExport(name, export[1], original or ""))
        return HostLibrary(stage, tuple(exports))

    def _exports(self, record: Record) -> Iterator[tuple[Record, Span]]:
        """The exports of a library or an association; those of the latter are names alone."""
        added = record.fields.get(_NAMES)
        cells: tuple[Cell, ...]
        if added is not None and isinstance(added.value, Array):
            cells = added.value.cells
            if not added.value.complete:
                self.why.append("not all of its exports are known")
        else:
            cells = self._elements(record, "NumExports", "pExports", "the exports")
        for cell in cells:
            export = cell.value
            if not isinstance(export, Record) or export.type != "D3D12_EXPORT_DESC":
                export = Record("D3D12_EXPORT_DESC", 0)
                export.fields["Name"] = cell
            yield export, self.span(cell)

    def _hit_group(self, record: Value, cell: Cell) -> HostHitGroup | None:
        if not isinstance(record, Record):
            return None
        texts: dict[str, str] = {}
        for field in _IMPORTS.values():
            value = value_of(record, field)
            absent = isinstance(value, Unset) or (isinstance(value, int) and value == 0)
            text = "" if absent else literal(value)
            if text is None:
                self.why.append(f"the {field} of a hit group {reason(value)}")
            texts[field] = text or ""
        return HostHitGroup(
            texts["HitGroupExport"],
            self.span(cell),
            texts["ClosestHitShaderImport"],
            texts["AnyHitShaderImport"],
            texts["IntersectionShaderImport"],
        )

    def _associations(self, subobjects: list[Cell]) -> Iterator[HostAssociation]:
        """Root signatures with the exports that associations give them; without one a signature is the default."""
        explicit: dict[int, list[Cell]] = {}
        for cell in subobjects:
            if _is(cell, ASSOCIATION) and isinstance(cell.value, Record):
                explicit.setdefault(self._associated(cell.value, subobjects), []).append(cell)
        for i, cell in enumerate(subobjects):
            if not (_is(cell, LOCAL) or _is(cell, GLOBAL)) or not isinstance(cell.value, Record):
                continue
            held = cell.value.fields.get(_signature_field(cell.value))
            signature = (self.reference(held) if held is not None else None) or HostRef()
            local = cell.value.type == LOCAL
            if i not in explicit:
                yield HostAssociation(signature, local, (), self.span(cell))
            for association in explicit.get(i, ()):
                assert isinstance(association.value, Record)
                names = [literal(value_of(export, "Name")) for export, _ in self._exports(association.value)]
                if None in names:
                    self.why.append("the exports of an association are not known")
                yield HostAssociation(
                    signature, local, tuple(name for name in names if name is not None), self.span(association)
                )

    def _associated(self, association: Record, subobjects: list[Cell]) -> int:
        """Which subobject an association is of; -1 where that is not known, and said to be so."""
        pointer = value_of(association, "pSubobjectToAssociate")
        cell = pointer.cell if isinstance(pointer, Pointer) else None
        meant = next((inner for raw, inner in self.raw if raw is cell), cell)
        for i, subobject in enumerate(subobjects):
            if subobject is meant:
                return i
        known = cell is not None and isinstance(cell.value, Record) and isinstance(value_of(cell.value, "Type"), int)
        if not known and not any(c is cell for c in self.others):
            self.why.append("it is not known what an association is of")
        return -1


def _is(cell: Cell, kind: str) -> bool:
    return isinstance(cell.value, Record) and cell.value.type == kind


MAKERS: dict[str, Maker] = {
    "CreateStateObject": create_state_object,
    "AddToStateObject": create_state_object,
    f"{STATE_OBJECT}.CreateSubobject": create_subobject,
    f"{LIBRARY}.SetDXILLibrary": set_library,
    f"{LIBRARY}.DefineExport": define_export,
    f"{LIBRARY}.DefineExports": define_exports,
    f"{ASSOCIATION}.AddExport": define_export,
    f"{ASSOCIATION}.AddExports": define_exports,
    f"{ASSOCIATION}.SetSubobjectToAssociate": set_associated,
    f"{LOCAL}.SetRootSignature": set_signature,
    f"{GLOBAL}.SetRootSignature": set_signature,
    **{f"{HIT_GROUP}.{name}": set_field for name in _IMPORTS},
    **{f"{kind}.*": ignored for kind in (STATE_OBJECT, LIBRARY, ASSOCIATION, LOCAL, GLOBAL, HIT_GROUP)},
}
