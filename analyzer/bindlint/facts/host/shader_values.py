"""What values of host code say of shaders: files, defines, bytecode."""

from __future__ import annotations

from bindlint.facts.host.descriptions import BYTECODE, RECORDS, SHADER
from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.parts import value_of
from bindlint.facts.host.texts import literal, quoted, shader_file
from bindlint.facts.host.values import IDENTITY, Array, Pointer, Record, Unknown, Unset, Value


def quoted_defines(defines: tuple[tuple[str, str], ...]) -> str:
    return quoted("\n".join("=".join(define) for define in defines))


def is_empty(value: Value) -> bool:
    """Whether a variable may be what a call fills with bytecode."""
    if isinstance(value, Record):
        return value.type in (SHADER, BYTECODE) or (value.type == "" and value.fields.keys() <= {IDENTITY})
    return isinstance(value, Unknown | Unset) or value == 0 or (isinstance(value, Array) and value.grows)


def file_of(value: Value) -> Value | None:
    """The file that a text names, or a path that is made from one."""
    if shader_file(value):
        return value
    if isinstance(value, Record) and value.type == SHADER and _is_path(value):
        file = value_of(value, "file")
        return file if shader_file(file) else None
    return None


def _is_path(shader: Record) -> bool:
    return literal(value_of(shader, "entry")) == "" and literal(value_of(shader, "profile")) == ""


def fields_of(value: Value) -> list[tuple[str, Value]]:
    """What the fields of a structure say that tells how to compile: their names and values."""
    if isinstance(value, Pointer) and value.cell is not None:
        value = value.cell.value
    if not isinstance(value, Record) or value.type in RECORDS:
        return []
    return [(name, cell.value) for name, cell in value.fields.items() if not name.startswith("@")]


def file_within(value: Value, depth: int = 0) -> Value | None:
    """The file of a source text that a description holds."""
    found = file_of(value)
    pointer = pointer_to(value)
    if found is not None or depth > 2:
        return found
    if isinstance(pointer, Pointer):
        values = [cell.value for cell in pointer.array.cells[pointer.index :][:4]]
    elif isinstance(value, Record):
        values = [cell.value for cell in value.fields.values()]
    else:
        return None
    return next((inner for v in values if (inner := file_within(v, depth + 1)) is not None), None)


def texts_of(value: Value) -> list[str] | None:
    """The texts of an array, up to a null; those of inner arrays too. None where one is not known."""
    pointer = pointer_to(value)
    if not isinstance(pointer, Pointer) or not pointer.array.complete:
        return None
    found: list[str] = []
    for cell in pointer.array.cells[pointer.index :]:
        text = literal(cell.value)
        inner = texts_of(cell.value) if isinstance(cell.value, Array) else None
        if text is not None:
            found.append(text)
        elif inner is not None:
            found += inner
        elif cell.value == 0:
            break
        else:
            return None
    return found


def shader_of(value: Value) -> Record | None:
    """The shader that a value is, points at, or describes as bytecode."""
    for _ in range(4):
        if isinstance(value, Record) and value.type == BYTECODE and "pShaderBytecode" in value.fields:
            value = value.fields["pShaderBytecode"].value
        elif isinstance(value, Pointer) and value.cell is not None:
            value = value.cell.value
        else:
            break
    return value if isinstance(value, Record) and value.type == SHADER else None
