"""Entry points: which functions a compilation starts from, and how their stage is told where no profile is given."""

from __future__ import annotations

import difflib
import os
import re

from bindlint.model.shader import Profile, Shader
from bindlint.usage.names import SymbolTable
from bindlint.usage.symbols import FunctionSymbol

SHADER_ATTRIBUTE_STAGES = {
    "pixel": "ps",
    "vertex": "vs",
    "geometry": "gs",
    "hull": "hs",
    "domain": "ds",
    "compute": "cs",
    "mesh": "ms",
    "amplification": "as",
}

LIBRARY_MARKS = {
    "maxvertexcount": "gs",
    "patchconstantfunc": "hs",
    "domain": "ds",
    "clipplanes": "vs",
    "earlydepthstencil": "ps",
}
"""Attributes of which each alone makes a function of a library a shader of that stage (tried with DXC 1.8)."""

OFFLINE_MINOR = 15
"""`lib_6_x`: a library for linking, whose functions are all exported."""

_FILE_STAGES = {
    "vs": "vs",
    "ps": "ps",
    "gs": "gs",
    "hs": "hs",
    "ds": "ds",
    "cs": "cs",
    "ms": "ms",
    "as": "as",
    "vert": "vs",
    "frag": "ps",
    "vertex": "vs",
    "pixel": "ps",
    "fragment": "ps",
    "compute": "cs",
    "geometry": "gs",
    "hull": "hs",
    "domain": "ds",
    "mesh": "ms",
    "vsh": "vs",
    "psh": "ps",
    "csh": "cs",
    "gsh": "gs",
    "hsh": "hs",
    "dsh": "ds",
}


def defined_functions(table: SymbolTable) -> list[FunctionSymbol]:
    return [f for f in table.functions() if f.function.body is not None]


def entry_function(table: SymbolTable, name: str) -> FunctionSymbol | None:
    """The function that `-E name` means: the last definition at global scope, as overloads of an entry are errors."""
    found = [
        s
        for s in table.names.get(name.rsplit("::", 1)[-1], ())
        if isinstance(s, FunctionSymbol) and s.function.body and not s.function.owner
    ]
    if not found:
        return None
    plain = [s for s in found if not s.function.scope]
    return (plain or found)[-1]


def nearest_entries(table: SymbolTable, name: str) -> list[str]:
    """Names of functions that may be meant instead: those with an entry's marks first, then similar spellings."""
    functions = defined_functions(table)
    marked = [f.function.name for f in functions if inferred_stage(table, f, "")[0]]
    similar = difflib.get_close_matches(name, [f.function.name for f in functions], 3, 0.6)
    return list(dict.fromkeys([*similar, *marked]))[:5]


def library_stage(table: SymbolTable, function: FunctionSymbol) -> str:
    """The stage of a shader of a library: the attribute's words, a profile's prefix, or "" where it is no shader."""
    named = table.attribute(function, "shader")
    if named is not None and named.text:
        return named.text
    names = {a.name for a in table.attributes(function)}
    return next((stage for mark, stage in LIBRARY_MARKS.items() if mark in names), "")


def library_entries(table: SymbolTable, shader: Shader) -> list[FunctionSymbol]:
    """Functions of a library that are kept: shaders, exported ones, and all with external linkage (AUT-25)."""
    functions = [f for f in defined_functions(table) if not f.function.template and table.owner(f) is None]
    external = shader.external_linkage or (shader.profile is not None and shader.profile.minor == OFFLINE_MINOR)
    shaders = [f for f in functions if library_stage(table, f)]
    modifiers = {f: table.modifiers(f) for f in functions}
    exported = [f for f in functions if "export" in modifiers[f] or (external and "static" not in modifiers[f])]
    found = list(dict.fromkeys(shaders + exported))
    found += [p for f in shaders for p in patch_constant_functions(table, f) if p not in found]
    if shader.exports:
        names = {e.split("=")[-1].strip() for part in shader.exports for e in part.split(";") if e.strip()}
        found = [f for f in functions if f.function.name in names and (f in found or "static" not in modifiers[f])]
    return found


def patch_constant_functions(table: SymbolTable, function: FunctionSymbol) -> list[FunctionSymbol]:
    """The function that a hull shader names; of several overloads the one that takes patches."""
    named = table.attribute(function, "patchconstantfunc")
    found = [
        s
        for s in (table.names.get(named.text, ()) if named is not None else ())
        if isinstance(s, FunctionSymbol) and s.function.body and not s.function.owner
    ]
    patches = [f for f in found if any(p.type.name in ("InputPatch", "OutputPatch") for p in f.function.parameters)]
    return (patches or found)[-1:]


def inferred_stage(table: SymbolTable, function: FunctionSymbol, file: str) -> tuple[str, str]:
    """(stage, why) of a function that looks like an entry point; ("", "") where it does not."""
    attribute = table.attribute(function, "shader")
    if attribute is not None and attribute.text:
        return SHADER_ATTRIBUTE_STAGES.get(attribute.text, "lib"), f'[shader("{attribute.text}")]'
    names = {a.name for a in table.attributes(function)}
    if "patchconstantfunc" in names:
        return "hs", "[patchconstantfunc]"
    if "outputtopology" in names and "outputcontrolpoints" not in names:
        return "ms", "[outputtopology]"
    if "numthreads" in names:
        payload = any("DispatchMesh" in w for w in function.body.free)
        return ("as", "[numthreads] and DispatchMesh") if payload else ("cs", "[numthreads]")
    if "maxvertexcount" in names:
        return "gs", "[maxvertexcount]"
    if "domain" in names:
        return "ds", "[domain]"
    return _by_semantics(function, file)


def _by_semantics(function: FunctionSymbol, file: str) -> tuple[str, str]:
    stage, why = "", ""
    result = function.function.semantic.upper()
    inputs = {p.semantic.upper() for p in function.function.parameters if p.semantic}
    outs = {p.semantic.upper() for p in function.function.parameters if p.semantic and {"out", "inout"} & p.modifiers}
    if result.startswith(("SV_TARGET", "SV_DEPTH", "COLOR")) or any(
        o.startswith(("SV_TARGET", "SV_DEPTH")) for o in outs
    ):
        stage, why = "ps", "its output semantic"
    elif result.startswith(("SV_POSITION", "POSITION")) or any(o.startswith("SV_POSITION") for o in outs):
        stage, why = "vs", "its output semantic"
    elif any(i.startswith(("SV_VERTEXID", "SV_INSTANCEID")) for i in inputs):
        stage, why = "vs", "its input semantic"
    elif any(i.startswith(("SV_DISPATCHTHREADID", "SV_GROUPID")) for i in inputs):
        stage, why = "cs", "its input semantic"
    if stage:
        return stage, why
    if function.function.name.lower() in (
        "main",
        "psmain",
        "vsmain",
        "ps_main",
        "vs_main",
        "mainps",
        "mainvs",
        "csmain",
    ):
        for word in (function.function.name, os.path.basename(file)):
            stage = _word_stage(word)
            if stage:
                return stage, f"the name {word}"
    return "", ""


def _word_stage(name: str) -> str:
    words = re.findall(r"[A-Z]{2}(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    for word in reversed(words):
        stage = _FILE_STAGES.get(word.lower())
        if stage:
            return stage
    return ""


_STAGE_FIRST = re.compile(r"[VP]S(?=[A-Z_])")
_HEADER_SUFFIXES = (".hlsli", ".fxh", ".h", ".hpp", ".ush", ".inc", ".inl")


def discovered(table: SymbolTable, shader: Shader) -> list[tuple[str, Profile, str]]:
    """(entry name, profile, why) of each entry point that a file holds.

    Functions of headers do not count; those of another shader that the file includes do where it has none itself, for
    that is how permutations are written. Where the file has no function at all, those of headers count too.
    """
    free = [f for f in defined_functions(table) if not f.function.owner and not f.function.template]
    own = _entry_points(table, [f for f in free if f.span.file == shader.file], shader.file)
    if own or shader.file.lower().endswith(_HEADER_SUFFIXES):
        return own
    shaders = [f for f in free if not f.span.file.lower().endswith(_HEADER_SUFFIXES)]
    # A file that defines macros, includes, and has no function itself compiles what a header holds.
    return _entry_points(table, shaders if any(f.span.file == shader.file for f in free) else free, shader.file)


def _entry_points(table: SymbolTable, functions: list[FunctionSymbol], file: str) -> list[tuple[str, Profile, str]]:
    found: dict[tuple[str, str], tuple[str, Profile, str]] = {}
    called: frozenset[str] | None = None
    for function in functions:
        stage, why = inferred_stage(table, function, file)
        if not stage and (by_result := _by_results(table, function)):
            if called is None:
                called = frozenset().union(*(f.body.free for f in functions))
            name = function.function.name
            if name not in called or _STAGE_FIRST.match(name):
                stage, why = by_result, "the semantics of its result"
        if stage == "lib":
            found["", "lib"] = ("", Profile("lib", 6, 6), "[shader(...)] on ray tracing or node functions")
        elif stage:
            found[function.function.name, stage] = (function.function.name, Profile(stage, 6, 6), why)
    return sorted(found.values(), key=lambda entry: entry[1].is_library)


def _by_results(table: SymbolTable, function: FunctionSymbol) -> str:
    """The stage that writes what the fields of a returned struct, or of one that is handed out, stand for; "" if none.

    A function that others call may return such a struct too, and is then no entry point.
    """
    declared = function.function
    types = [p.type for p in declared.parameters if {"out", "inout"} & p.modifiers and not p.dimensions]
    if "static" not in declared.modifiers:
        types.append(declared.return_type)
    structs = [struct for written in types if (struct := table.resolve_type(written, function.scope).struct)]
    semantics = [f.semantic.upper() for struct in structs for s in table.with_bases(struct) for f in s.struct.fields]
    if any(name.startswith(("SV_TARGET", "SV_DEPTH")) for name in semantics):
        return "ps"
    return "vs" if any(name.startswith("SV_POSITION") for name in semantics) else ""
