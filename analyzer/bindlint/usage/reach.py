"""Which declared resources the needs of an entry point come to, in which ways, and by which calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from bindlint.model.binding import AccessKind, CallSite, Use
from bindlint.model.finding import Certainty
from bindlint.usage.liveness import needs
from bindlint.usage.liveness.needs import Dead, Need, Summary
from bindlint.usage.resources import Resources
from bindlint.usage.symbols import FunctionSymbol, Symbol, VariableSymbol

Chain = tuple[CallSite, ...]
Path = tuple[str, ...]
_Touched = dict[VariableSymbol, dict[Path, set[AccessKind]]]


def uses(
    resources: Resources, needed: Iterable[Need], chains: Mapping[Symbol, Chain], sure: Iterable[Need] = ()
) -> tuple[Use, ...]:
    """The resources that are used, in list order; `sure` are needs that no optimizer may drop.

    A variable may be a resource, hold resources (its leaves) and be data in a buffer; what is touched of it says which.
    """
    leaves: dict[Symbol, list[Path]] = {}
    for declared in resources.declared:
        if declared.symbol is not None and declared.resource.origin in ("leaf", "hoisted"):
            leaves.setdefault(declared.symbol, []).append(declared.path)
    constants = frozenset(resources.global_constants)
    inside: _Touched = {}
    data: dict[Symbol | None, _Touched] = {}
    for need in needed:
        if isinstance(need, needs.Use):
            symbol, path, kind = need
            ends = leaves.get(symbol, ())
            if ends:
                inside.setdefault(symbol, {}).setdefault(path, set()).add(kind)
            if not any(len(path) >= len(leaf) and _may_reach(path, leaf) for leaf in ends):
                holder: Symbol | None = symbol.block or (None if symbol in constants else symbol)
                data.setdefault(holder, {}).setdefault(symbol, {}).setdefault(path, set()).add(kind)
    certain = {need.symbol for need in sure if isinstance(need, needs.Use)}
    found: list[Use] = []
    for declared in resources.declared:
        touched: _Touched = {}
        if declared.resource.origin not in ("leaf", "hoisted"):
            touched = data.get(declared.symbol, touched)
        elif isinstance(declared.symbol, VariableSymbol) and declared.symbol in inside:
            paths = inside[declared.symbol].items()
            touched = {declared.symbol: {p: kinds for p, kinds in paths if _may_reach(p, declared.path)}}
        kinds = frozenset(k for paths in touched.values() for how in paths.values() for k in how)
        if kinds:
            calls = [chains[symbol] for symbol in touched if symbol in chains]
            chain = min(calls, key=_length, default=())
            plain = declared.resource.origin not in ("leaf", "hoisted")
            certainty: Certainty = "certain" if plain and not certain.isdisjoint(touched) else "likely"
            found.append(Use(declared.resource, kinds, chain, certainty))
    return tuple(found)


def _length(chain: Chain) -> tuple[int, list[str]]:
    return len(chain), [step.function for step in chain]


def _may_reach(written: Path, leaf: Path) -> bool:
    """Whether a path as written may mean the leaf: subscripts that are no constants match all."""
    return all(w == "*" or w == part for w, part in zip(written, leaf, strict=False))


def chains_from(
    function: FunctionSymbol, summary: Summary, initial: Mapping[VariableSymbol, Summary], apart: Iterable[Summary] = ()
) -> tuple[dict[Symbol, Chain], dict[FunctionSymbol, Dead]]:
    """For each symbol the shortest chain of calls to a function that names it, and all functions that are reached with
    what no call makes run in them.

    What the initializer of a static variable names (`initial`) is named where the variable is read; `apart` are further
    expressions that belong to the function.
    """
    chains: dict[Symbol, Chain] = {}
    reached: dict[FunctionSymbol, Dead] = {function: summary.dead}
    seen = {summary}
    start: Chain = (CallSite(function.function.name, function.span),)
    queue = deque([(summary, start), *((expression, start) for expression in apart)])
    while queue:
        current, path = queue.popleft()
        for symbol in current.touches:
            if symbol not in chains:
                chains[symbol] = path
                if isinstance(symbol, VariableSymbol) and symbol in initial:
                    queue.appendleft((initial[symbol], path))
        for callee, inner in current.calls:
            if inner not in seen:
                seen.add(inner)
                reached[callee] = reached.get(callee, inner.dead) & inner.dead
                queue.append((inner, (*path, CallSite(callee.function.name, callee.span))))
    return chains, reached
