"""The root signatures that a shader declares or is given, and the one that its entry point is held against."""

from __future__ import annotations

import os
from collections.abc import Callable

import msgspec
from bindlint_grammars.hlsl.preprocessor import Expansion

from bindlint.errors import BindlintError
from bindlint.facts.module import Module, ModuleReader, ReadUnit, settings_of, span_of
from bindlint.facts.root_signature import Text, joined_literals, macro_text, read_root_signature
from bindlint.facts.root_signature_document import DocumentError
from bindlint.facts.root_signature_files import is_signature_file, one_of, signatures_in, split_source
from bindlint.model.declarations import Place, Subobject
from bindlint.model.finding import Problem
from bindlint.model.host import WrapperDescription
from bindlint.model.root_signature import RootSignature, SyntaxFault
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE, Span
from bindlint.usage.link import Program
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol

_SUBOBJECTS = {"GlobalRootSignature": "global-subobject", "LocalRootSignature": "local-subobject"}


def declared_signatures(
    module: Module,
    program: Program,
    shader: Shader,
    reader: ModuleReader,
    problems: list[Problem],
    wrappers: tuple[WrapperDescription, ...] = (),
) -> list[RootSignature]:
    """Every signature that counts for the shader: an option's, a define's, the entry's attribute, subobjects.

    `wrappers` are those of the host code that an option names. What cannot be found is added to `problems`.
    """
    found: list[RootSignature] = []
    expansion = module.expansion
    assert expansion is not None
    if shader.root_signature:
        given = given_signature(shader, reader, problems, wrappers)
        found += [given] if given is not None else []
    macro = (
        shader.entry
        if shader.profile is not None and shader.profile.stage == "rootsig"
        else shader.root_signature_define
    )
    if macro:
        origin = "macro" if macro == shader.entry else "define"
        signature = _from_macro(expansion, macro, origin, shader, reader, problems)
        found += [signature] if signature is not None else []
    for function, entry in zip(program.functions, program.entries, strict=True):
        # On a library's function that is no shader the compiler ignores the attribute.
        if entry.stage != "lib":
            found += _from_attributes(program.table, function, shader)
    if shader.profile is not None and shader.profile.is_library:
        for unit in module.units:
            found += [
                s for i in unit.declarations.items if isinstance(i, Subobject) for s in _from_subobject(unit, i, shader)
            ]
    return found


def effective_signature(signatures: list[RootSignature], shader: Shader) -> RootSignature | None:
    """The signature that counts for the entry point: what is given wins over what is declared (RSG-15)."""
    if shader.profile is not None and shader.profile.is_library:
        return next((s for s in signatures if s.origin == "option"), None)
    for origin in ("option", "macro", "define", "attribute"):
        found = [s for s in signatures if s.origin == origin]
        if found:
            return found[-1]
    return None


def _from_attributes(table: SymbolTable, function: FunctionSymbol, shader: Shader) -> list[RootSignature]:
    """The last `[RootSignature(...)]` of an entry function; the compiler takes no other (RSG-15).

    Of all attributes this one counts in one spelling only: DXC ignores `[rootsignature(...)]`.
    """
    found = [each for each in table.attributes(function) if each.attribute.name == "RootSignature"]
    arguments = found[-1].attribute.arguments if found else ()
    if not arguments:
        return []
    place = (arguments[0][0], arguments[-1][1])
    return [_from_place(found[-1].unit, place, "attribute", function.function.name, shader)]


def _from_subobject(unit: ReadUnit, subobject: Subobject, shader: Shader) -> list[RootSignature]:
    origin = _SUBOBJECTS.get(subobject.kind)
    if origin is None or not subobject.arguments:
        return []
    return [_from_place(unit, subobject.arguments[0], origin, subobject.name, shader)]


def _from_place(unit: ReadUnit, place: Place, origin: str, name: str, shader: Shader) -> RootSignature:
    def span(start: int, end: int) -> Span:
        return unit.span(place[0] + start, place[0] + end)

    joined = joined_literals(unit.text[place[0] : place[1]])
    if joined is None:
        whole = span(0, place[1] - place[0])
        fault = SyntaxFault("a root signature must be a string literal", whole)
        return RootSignature(origin=origin, name=name, span=whole, faults=(fault,))
    return _read(joined, span, origin, name, shader)


def _from_macro(
    expansion: Expansion, macro: str, origin: str, shader: Shader, reader: ModuleReader, problems: list[Problem]
) -> RootSignature | None:
    expanded = expansion.macro(macro)
    if expanded is None:
        place = msgspec.structs.replace(NOWHERE, file=shader.file)
        problems.append(
            Problem("missing-entry", f"there is no macro `{macro}` that could hold a root signature", place)
        )
        return None
    nowhere = msgspec.structs.replace(NOWHERE, file=shader.file)

    def span(start: int, end: int) -> Span:
        return span_of(expanded, start, end, reader.store) if expanded.text else nowhere

    return _read(macro_text(expanded.text), span, origin, macro, shader)


def _read(text: Text, span: Callable[[int, int], Span], origin: str, name: str, shader: Shader) -> RootSignature:
    """A signature from text whose every character has an offset, which `span` leads back to where it is written."""
    characters, offsets = text
    last = len(offsets) - 1

    def locate(start: int, end: int) -> Span:
        first = offsets[min(start, last)]
        return span(first, max(offsets[min(max(end - 1, 0), last)] + 1, first))

    return read_root_signature(characters, locate, version=shader.root_signature_version, origin=origin, name=name)


def given_signature(
    shader: Shader, reader: ModuleReader, problems: list[Problem], wrappers: tuple[WrapperDescription, ...] = ()
) -> RootSignature | None:
    """What `--rootsig` names: `FILE.hlsl:MACRO`, a file of another kind, or else the text itself.

    What cannot be read is added to `problems`.
    """
    source = shader.root_signature

    def is_file(path: str) -> bool:
        found = reader.store.find(path)
        return found is not None and not found.case_differs

    path, _, name = split_source(source, is_file)
    if path and is_signature_file(path):
        place = msgspec.structs.replace(NOWHERE, file=path)
        try:
            found = one_of(signatures_in(path, name, shader, wrappers), source)
        except DocumentError as error:
            line = msgspec.structs.replace(place, line=error.line, end_line=error.line)
            problems.append(Problem("unreadable-file", error.reason, line))
            return None
        except BindlintError as error:
            problems.append(Problem("unreadable-file", str(error).removeprefix(f"{path}: "), place))
            return None
        return msgspec.structs.replace(found, origin="option")
    if path and name:
        settings = settings_of(shader)
        if settings.roots:
            named = os.path.dirname(path) or "."
            settings = msgspec.structs.replace(settings, roots=(*settings.roots, named))
        return _from_macro(reader.preprocessor.run(path, settings), name, "option", shader, reader, problems)

    def span(start: int, end: int) -> Span:
        return Span("<--rootsig>", 1, start + 1, 1, end + 1, start, end)

    return read_root_signature(source, span, version=shader.root_signature_version, origin="option", name="--rootsig")
