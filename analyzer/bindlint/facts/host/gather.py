"""From what the functions of a file are seen to do with a device to what the file says, each call and object once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, TypeVar

import msgspec

from bindlint.facts.host import contexts
from bindlint.facts.host.api_calls import FUNCTIONS, METHODS
from bindlint.facts.host.bytecode import SHADER_CALLS, Shaders
from bindlint.facts.host.device import Device
from bindlint.facts.host.handles import increments_in
from bindlint.facts.host.index import Function, Index
from bindlint.facts.host.machine import GIVEN_UP, ExhaustedError, cut_off
from bindlint.facts.host.made import MAKERS, included_headers, pipelines_of, shader_signatures_of, state_objects_of
from bindlint.facts.host.objects import Made, Sighting
from bindlint.model.device import (
    BoundSignature,
    HostCall,
    HostCommandSignature,
    HostHeap,
    HostPipeline,
    HostStateObject,
    ShaderSignature,
)
from bindlint.model.host import HostFile, HostProblem, HostSignature, WrapperDescription
from bindlint.model.source import Span

S = TypeVar("S", bound=msgspec.Struct)
Completion = tuple[Span, str, object, bool]
"""The call that takes a description, the function that is run, the content of the signature, and whether that is one of
several ways that an open condition may turn out."""

_INTEREST = re.compile(
    r"(?:Graphics|Compute)Root(?:Signature|DescriptorTable|ConstantBufferView|ShaderResourceView|UnorderedAccessView"
    r"|32BitConstant)|SetDescriptorHeaps|SetPipelineState|ExecuteIndirect|OMSetRenderTargets|CopyDescriptors"
    r"|\bAddToStateObject\s*\("
    r"|\bCreate(?:RootSignature|DescriptorHeap|CommandSignature|StateObject|\w*PipelineState|Sampler2?|\w+View)\s*\("
    r"|Clear(?:RenderTarget|DepthStencil|UnorderedAccess)View|(?:Draw(?:Indexed)?Instanced|Dispatch\w*)\s*\(|\bFinalize\s*\("
    r"|\b(?:Graphics|Compute)Context\b|\bSetRootSignature\s*\("
)
_MADE = re.compile(r"\bAddToStateObject\s*\(|\bCreate(?:StateObject|\w*PipelineState)\s*\(")
_SAME = re.compile(rb"\b(\w+)\s*(?:\.|->)\s*(?:As|QueryInterface)\s*\(\s*(?:IID_PPV_ARGS\s*\(\s*)?&\s*(\w+)\s*\)")
_STEPS = 300_000
_FILE_STEPS = 400_000
_LOADER_STEPS = 200_000


def with_calls(
    file: HostFile, index: Index, wrappers: dict[str, WrapperDescription], texts: Iterable[bytes],
    completions: list[Completion], plain: Callable[[HostSignature], object], sources: Iterable[bytes],
) -> HostFile:  # fmt: skip
    """A file with its heaps, pipelines, state objects and calls, and the keys of its root signatures.

    `texts` are what its units say once they are preprocessed, `sources` the files as they are.
    """
    texts = [text for text in texts if b"(" in text]
    device = Shaders(index, wrappers, _STEPS, _same_objects(texts), METHODS, FUNCTIONS, MAKERS)
    device.context_methods = contexts.METHODS
    device.increments = frozenset(name for text in texts if b"IncrementSize" in text for name in increments_in(text))
    problems = _run(device, index, file.path, {function for _, function, _, _ in completions})
    objects = _objects(device.sightings, device.other_keys)
    made = any(isinstance(v, HostPipeline | HostStateObject | ShaderSignature) for v, _ in device.sightings)
    headers = included_headers(sources) if made else {}
    calls = _merged_calls([(v, alone) for v, alone in device.sightings if isinstance(v, HostCall)])
    return msgspec.structs.replace(
        file,
        problems=tuple(dict.fromkeys((*file.problems, *problems))),
        signatures=_with_keys(file.signatures, device, completions, plain),
        heaps=tuple(o for o in objects if isinstance(o, HostHeap)),
        pipelines=pipelines_of(device, headers),
        command_signatures=tuple(o for o in objects if isinstance(o, HostCommandSignature)),
        state_objects=state_objects_of(device, headers),
        shader_signatures=shader_signatures_of(device, headers),
        calls=tuple(sorted(calls, key=lambda call: (call.span.file, call.span.start))),
    )


def _same_objects(texts: list[bytes]) -> dict[str, str]:
    """Variables that get another interface of what is in another variable."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for match in _SAME.finditer(text) if b"As" in text or b"QueryInterface" in text else ():
            found.setdefault(match[2].decode(), set()).add(match[1].decode())
    return {new: old for new, olds in found.items() if len(olds) == 1 and (old := next(iter(olds))) != new}


def _run(device: Device, index: Index, path: str, building: set[str]) -> list[HostProblem]:
    """Run what is of interest or is `building` root signatures, and what calls it."""
    functions = [f for f in index.all_functions if f.file == path]
    functions.sort(key=lambda f: f.node.start_byte)
    bodies = {id(f): f.text for f in functions}
    chosen = [f for f in functions if _INTEREST.search(bodies[id(f)]) or "::".join(f.path) in building]
    callers = _callers(functions, chosen, bodies)
    makes = any(_MADE.search(body) for body in bodies.values())
    taken = {id(f) for f in (*chosen, *callers)}
    loaders = [f for f in functions if makes and id(f) not in taken and SHADER_CALLS.search(bodies[id(f)])]
    problems: list[HostProblem] = []
    left = _FILE_STEPS
    for i, function in enumerate((*chosen, *callers, *loaders)):
        if i == len(chosen) + len(callers):
            left = min(left, _LOADER_STEPS)
        if left <= 0:
            span = function.source.span(function.node.start_byte, function.node.start_byte + 1)
            problems.append(HostProblem(GIVEN_UP, span))
            break
        try:
            device.run_function(function)
        except (ExhaustedError, RecursionError) as error:
            span = function.source.span(function.node.start_byte, function.node.start_byte + 1)
            problems.append(cut_off(error, span))
        left -= device.allowed - max(device.left, 0)
    return [*problems, *device.problems.values()]


def _callers(functions: list[Function], chosen: list[Function], bodies: dict[int, str]) -> list[Function]:
    """The functions that call chosen ones without being of interest themselves, and those that call them."""
    taken, last, found = {id(f) for f in chosen}, chosen, list[Function]()
    for _ in range(2):
        names = {f.path[-1] for f in last if f.path}
        named = re.compile(r"\b(?:" + ("|".join(sorted(map(re.escape, names))) or r"(?!)") + r")\s*\(")
        last = [f for f in functions if id(f) not in taken and named.search(bodies[id(f)])]
        taken |= {id(f) for f in last}
        found += last
    return found


def _objects(sightings: list[Sighting], other_keys: dict[str, set[str]]) -> list[Made]:
    """Heaps and command signatures, under every key that they are handed on to; as their callers make them, if any."""
    found: dict[tuple[str, Span], Made] = {}
    led = {value.span for value, alone in sightings if not alone}
    for value, alone in sightings:
        if not isinstance(value, HostHeap | HostCommandSignature) or (alone and value.span in led):
            continue
        made = f"{value.span.start}:{value.function}:{value.key}"
        for key in (value.key, *sorted(other_keys.get(made, ()))):
            under = msgspec.structs.replace(value, key=key)
            known = found.get((key, value.span))
            found[key, value.span] = under if known is None or type(known) is not type(under) else common(known, under)
    return list(found.values())


def _with_keys(
    signatures: tuple[HostSignature, ...], device: Device, completions: list[Completion],
    plain: Callable[[HostSignature], object],
) -> tuple[HostSignature, ...]:  # fmt: skip
    made: dict[tuple[Span, str], dict[str, dict[str, None]]] = {}
    for span, function, key, creation in device.signature_keys:
        made.setdefault((span, function), {}).setdefault(creation, {})[key] = None
    keys: dict[object, dict[str, None]] = {}
    for (span, function), created in made.items():
        at_call = [c for c in completions if c[0] == span]
        at_call = [c for c in at_call if c[1] == function] or at_call
        contents = [c[2] for c in at_call]
        if len(contents) != len(created):
            contents = list(dict.fromkeys(contents))
        # What a helper makes several of is made in the same order by both runs; ways to make one are no several.
        in_order = len(contents) == len(created) and not any(c[3] for c in at_call)
        every = dict.fromkeys(name for names in created.values() for name in names)
        for content, names in zip(contents, created.values() if in_order else [every] * len(contents), strict=True):
            keys.setdefault(content, {}).update(names)
    return tuple(msgspec.structs.replace(s, keys=tuple(keys.get(plain(s), ()))) for s in signatures)


def _merged_calls(sightings: list[Sighting]) -> list[HostCall]:
    """Each call once: as its callers lead to it where there are any here, else as it is in its function alone."""
    found: dict[tuple[Span, str], list[tuple[HostCall, bool]]] = {}
    for value, alone in sightings:
        assert isinstance(value, HostCall)
        found.setdefault((value.span, value.name), []).append((value, alone))
    merged = []
    for seen in found.values():
        led = [call for call, alone in seen if not alone] or [call for call, _ in seen]
        call = led[0]
        for other in led[1:]:
            conditional = call.conditional or other.conditional
            call = msgspec.structs.replace(common(call, other), conditional=conditional)
        merged.append(call if call.conditional else _with_last(call, led))
    return merged


def _with_last(call: HostCall, runs: list[HostCall]) -> HostCall:
    handles = []
    for place, handle in enumerate(call.handles):
        seen = [run.handles[place] for run in runs if handle.heap.key and handle.index is None]
        last = max((h.index for h in seen if h.index is not None), default=None)
        handles.append(msgspec.structs.replace(handle, last=last) if last is not None else handle)
    return msgspec.structs.replace(call, handles=tuple(handles))


def common(one: S, other: S) -> S:
    """What two sightings of one thing agree on."""
    if one == other:
        return one
    changes: dict[str, Any] = {}
    for field in _fields(type(one)):
        name = field.name
        left, right = getattr(one, name), getattr(other, name)
        if left == right:
            continue
        if isinstance(one, BoundSignature) and name == "arguments":
            changes[name] = tuple(sorted({*left, *right}))
        elif isinstance(left, tuple) and isinstance(right, tuple) and _alike(left, right):
            changes[name] = tuple(common(a, b) for a, b in zip(left, right, strict=True))
        elif isinstance(left, msgspec.Struct) and type(left) is type(right) and not isinstance(left, Span):
            changes[name] = common(left, right)
        elif field.default is not msgspec.NODEFAULT:
            changes[name] = field.default
    return msgspec.structs.replace(one, **changes)


_fields = lru_cache(None)(msgspec.structs.fields)


def _alike(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    """Whether two rows of values can be merged one by one."""
    return len(left) == len(right) and all(
        isinstance(a, msgspec.Struct) and type(a) is type(b) for a, b in zip(left, right, strict=True)
    )
