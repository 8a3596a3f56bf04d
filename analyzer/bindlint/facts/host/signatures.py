"""Root signatures out of C++ files: preprocessed, parsed, and run by an interpreter that never guesses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import msgspec
from bindlint_grammars.cpp.predefined import PREDEFINED, SYSTEM_HEADERS
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.preprocessor import Preprocessor, Settings
from bindlint_grammars.hlsl.source_files import FoundFile, SourceFile, SourceStore
from bindlint_grammars.hlsl.units import Unit
from tree_sitter import Node

from bindlint.facts.host.arithmetic import MAX_CONDITION
from bindlint.facts.host.index import Function, Index, Source, read_index
from bindlint.facts.host.machine import GIVEN_UP, ExhaustedError, Frame, cut_off
from bindlint.facts.host.results import Result, read_signature, with_loose_ranges
from bindlint.facts.host.statements import Interpreter
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.values import Record
from bindlint.facts.module import file_span
from bindlint.model.host import HostConstruct, HostFile, HostProblem, HostSignature, HostStruct, WrapperDescription
from bindlint.model.source import NOWHERE, Span
from bindlint.nesting import make_room

_INTEREST = re.compile(
    r"ROOT_SIGNATURE_DESC|ROOT_PARAMETER|DESCRIPTOR_RANGE|SerializeRootSignature|SerializeVersionedRootSignature"
    r"|InitAs(?:Constant|Descriptor|Buffer|ShaderResource|Unordered)|InitStaticSampler"
)
_MADE = re.compile(r"Serialize(?:Versioned)?RootSignature\b")
_CONDITION = re.compile(r"depends on the condition `(.+)`$")
_MAX_WAYS = 16
_STEPS = 200_000
_FILE_STEPS = 600_000


class _HostStore(SourceStore):
    """Files of a store, without the copies of system headers that projects carry."""

    def __init__(self, store: SourceStore) -> None:
        super().__init__(store.limits)
        self._store = store
        self._main = ""

    def begin(self, path: str) -> None:
        self._main = path
        self.generation = self._store.generation

    def get(self, path: str) -> SourceFile | None:
        return self._store.get(path)

    def find(self, path: str, roots: tuple[str, ...] = ()) -> FoundFile | None:
        name = path.replace("\\", "/").rpartition("/")[2].lower()
        if name in SYSTEM_HEADERS or name.startswith("d3dx12_"):
            return None
        return self._store.find(path, roots)


class HostReader:
    """Reads host code; headers that files share are scanned, parsed and indexed once."""

    def __init__(
        self, store: SourceStore, limits: Limits | None = None, wrappers: Iterable[WrapperDescription] = ()
    ) -> None:
        make_room()
        self._store = store
        self._files = _HostStore(store)
        self._preprocessor = Preprocessor(self._files, limits or store.limits)
        self._wrappers = {wrapper.function.rpartition("::")[2]: wrapper for wrapper in wrappers}
        self._units: dict[int, tuple[Unit, Source, Index]] = {}
        names = "|".join(re.escape(name) for name in self._wrappers)
        self._interest = re.compile(f"{_INTEREST.pattern}|\\b(?:{names})\\b") if names else _INTEREST

    def read(
        self, path: str, include_dirs: tuple[str, ...] = (), defines: tuple[tuple[str, str], ...] = (),
        calls: bool = False, roots: tuple[str, ...] = (),
    ) -> HostFile:  # fmt: skip
        """What one file of host code says. `defines` are names and bodies, as with a compiler's `-D`; `roots` are the
        folders that includes may lead into (none: any).

        With `calls` it also tells what the code does with the device: heaps, pipelines, state objects and calls.
        """
        self._files.begin(path)
        settings = Settings(defines=defines, include_dirs=include_dirs, predefined=PREDEFINED, roots=roots)
        expansion = self._preprocessor.run(path, settings)
        problems = [
            HostProblem(p.message, file_span(self._store, p.file, p.start, p.end), p.kind)
            for p in expansion.problems
            if p.kind in ("unreadable-file", "file-too-large", "macro-limit", "nesting-limit")
        ]
        index = Index()
        for unit in expansion.units:
            index.update(self._read_unit(unit))
        structs = _structs(index, self._wrappers)
        run = _Run(index, self._wrappers, self._interest, path, problems)
        signatures = run.signatures()
        file = HostFile(
            path=path,
            signatures=tuple(signatures),
            structs=structs,
            problems=tuple(dict.fromkeys(problems)),
            files=expansion.files,
            missing_includes=sum(p.kind in ("missing-include", "include-cycle") for p in expansion.problems),
            run_time=tuple(dict.fromkeys(run.run_time)),
        )
        if not calls:
            return file
        from bindlint.facts.host.gather import with_calls

        texts = [unit.text for unit in expansion.units]
        sources = (source.text for f in expansion.files if (source := self._store.get(f)) is not None)
        return with_calls(file, index, self._wrappers, texts, run.completions, _plain, sources)

    def _read_unit(self, unit: Unit) -> Index:
        known = self._units.get(id(unit))
        if known is None:
            source = Source(unit, self._store)
            if len(self._units) > 20_000:
                self._units.clear()
            known = self._units[id(unit)] = unit, source, read_index(source)
        return known[2]


class _Run:
    """The functions of one file, each run once; those that depend on arguments also from where they are called."""

    def __init__(
        self, index: Index, wrappers: dict[str, WrapperDescription], interest: re.Pattern[str], path: str,
        problems: list[HostProblem],
    ) -> None:  # fmt: skip
        self._index = index
        self._interest = interest
        self._path = path
        self._problems = problems
        self._left = _FILE_STEPS
        self._given_up = False
        self._results: list[Result] = []
        self._function = ""
        self.run_time: list[str] = []
        self.completions: list[tuple[Span, str, object, bool]] = []
        self._interpreter = Interpreter(index, wrappers, _STEPS, self._completed)

    def signatures(self) -> list[HostSignature]:
        functions = [f for f in self._index.all_functions if f.file == self._path]
        functions.sort(key=lambda f: f.node.start_byte)
        interesting = [f for f in functions if self._interest.search(f.text)]
        found: list[tuple[Function | None, list[Result]]] = []
        for function in interesting:
            results = self._run(function)
            found.append((function, results))
            if not results and _MADE.search(function.text):
                self.run_time.append("::".join(function.path))
        found.append((None, self._run_loose()))
        helpers = [f for f, results in found if f is not None and any(r.argument_dependent for r in results)]
        chosen = {id(f) for f in interesting}
        named = re.compile("|".join({re.escape(f.path[-1]) for f in helpers}) or r"(?!)")
        for caller in functions:
            if id(caller) not in chosen and named.search(caller.text):
                found.append((caller, self._run(caller)))
        self._problems += self._interpreter.problems.values()
        self.completions = [
            (r.signature.completed, r.signature.function, _plain(r.signature), bool(r.signature.when))
            for _, results in found
            for r in results
        ]
        return _without_repetitions(found)

    def _run(self, function: Function) -> list[Result]:
        """The signatures of a function; where they depend on conditions, those of each way these may turn out."""
        first = self._once(function, {})
        pending: list[dict[str, bool]] = [{}] if _open_condition(first, {}) else []
        settled: list[Result] = []
        for _ in range(_MAX_WAYS):
            if not pending:
                return settled or first
            assumed = pending.pop(0)
            results = first if not assumed else self._once(function, assumed)
            condition = _open_condition(results, assumed)
            if condition:
                pending += [{**assumed, condition: True}, {**assumed, condition: False}]
            else:
                settled += [_under(result, assumed) for result in results]
        return first

    def _once(self, function: Function, assumptions: dict[str, bool]) -> list[Result]:
        self._interpreter.assumptions = assumptions
        self._function = "::".join(function.path)
        span = function.source.span(function.node.start_byte, function.node.start_byte + 1)
        return self._guarded(lambda: self._interpreter.run_function(function), function.text, span)

    def _run_loose(self) -> list[Result]:
        """Statements outside of functions, as in a note."""
        statements = [(s, n) for s, n in self._index.loose if s.file(n.start_byte) == self._path]
        wanted = any(n.type == "expression_statement" and self._interest.search(text_of(n)) for _, n in statements)
        if not wanted:
            return []
        self._function = ""
        source = statements[0][0]
        nodes: list[Node] = [n for s, n in statements if s is source]
        frame = Frame(source, (), None, "\n".join(text_of(n) for n in nodes))
        span = source.span(nodes[0].start_byte, nodes[0].end_byte)
        return self._guarded(lambda: self._interpreter.run_statements(nodes, frame), frame.body, span)

    def _guarded(self, run: Callable[[], None], body: str, span: Span) -> list[Result]:
        if self._left <= 0:
            if not self._given_up:
                self._problems.append(HostProblem(GIVEN_UP, span))
            self._given_up = True
            return []
        self._results = []
        try:
            run()
        except (ExhaustedError, RecursionError) as error:
            self._problems.append(cut_off(error, span))
        self._left -= self._interpreter.allowed - max(self._interpreter.left, 0)
        remarks = tuple(self._interpreter.remarks)
        construct: HostConstruct = "d3dx12" if "CD3DX12_" in body else "raw"
        results = []
        for result, signature in zip(self._results, with_loose_ranges(self._results), strict=True):
            kind = signature.construct if signature.construct == "miniengine" else construct
            signature = msgspec.structs.replace(signature, remarks=(*remarks, *signature.remarks), construct=kind)
            results.append(msgspec.structs.replace(result, signature=signature))
        return results

    def _completed(self, interpreter: Interpreter, record: Record, node: Node) -> None:
        result = read_signature(record, self._function, interpreter.place(node))
        if result is not None:
            self._results.append(result)
            self._problems += result.problems


def _without_repetitions(found: list[tuple[Function | None, list[Result]]]) -> list[HostSignature]:
    """Each signature once: one may be handed to several calls, and one that a helper builds from its arguments is seen
    from the helper, where it is not settled, and from each caller, where it may be."""
    settled = {
        (result.signature.span, result.signature.function)
        for _, results in found
        for result in results
        if not result.argument_dependent
    }
    callers: dict[Span, set[str]] = {}
    for span, function in settled:
        callers.setdefault(span, set()).add(function)
    kept: dict[object, HostSignature] = {}
    for _, results in found:
        for result in results:
            signature = result.signature
            if result.argument_dependent and callers.get(signature.span, set()) - {signature.function}:
                continue
            plain = _plain(signature)
            known = kept.setdefault(plain, signature)
            if known.when != signature.when:
                common = tuple(condition for condition in known.when if condition in signature.when)
                kept[plain] = msgspec.structs.replace(known, when=common)
    return list(kept.values())


def _plain(signature: HostSignature) -> HostSignature:
    """A signature without what tells apart the calls that take it."""
    return msgspec.structs.replace(
        signature,
        signature=msgspec.structs.replace(signature.signature, name="", span=NOWHERE),
        completed=NOWHERE,
        span=NOWHERE,
        function="",
        name="",
        remarks=(),
        when=(),
    )


def _open_condition(results: list[Result], assumed: dict[str, bool]) -> str:
    """A condition that keeps a part of the signatures from being known and is not assumed yet; "" for none."""
    for result in results:
        for part in result.signature.unknown:
            match = _CONDITION.search(part.why)
            if match is not None and len(match[1]) < MAX_CONDITION and match[1] not in assumed:
                return match[1]
    return ""


def _under(result: Result, assumed: dict[str, bool]) -> Result:
    when = tuple(condition if holds else f"!{condition}" for condition, holds in assumed.items())
    return msgspec.structs.replace(result, signature=msgspec.structs.replace(result.signature, when=when))


def _structs(index: Index, wrappers: dict[str, WrapperDescription]) -> dict[str, HostStruct]:
    interpreter = Interpreter(index, wrappers, _STEPS, lambda *_: None)
    laid: dict[str, HostStruct] = {}
    for entries in index.structs.by_name.values():
        for _, struct in entries:
            layout = interpreter.layout.struct(struct)
            if layout is not None and layout.members:
                laid.setdefault(layout.name, layout)
    return laid
