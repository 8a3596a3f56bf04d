"""What the compiler keeps of a body though nobody reads it."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.usage.bodies.syntax import Ref, Step, atoms
from bindlint.usage.liveness.flow import Flow, Seed, not_local
from bindlint.usage.liveness.memory import given_to, in_memory
from bindlint.usage.liveness.needs import EFFECT, NOTHING, Global, Input, Need, Needs
from bindlint.usage.liveness.stores import Ways


def stand(flow: Flow) -> Needs:
    """Keeps what DXC does though nobody reads it: branches that are asked again, loops that feed a later one.

    DXC may remove the later one too late to remove the other (tried; whether it does hangs on their sizes). What
    of it comes in is returned.
    """
    flow.effects += ((frozenset((EFFECT,)), i) for i in _asked_again(flow))
    flow.effects += _in_payloads(flow)
    flow.effects += in_memory(flow)
    found: set[Need] = set()
    for loop in [i for i in sorted(flow.looping) if flow.steps[i].kind == "loop"]:
        own = [i for i, step in enumerate(flow.steps) if loop in step.loops and not flow.is_dead(i)]
        found |= _keep_loops(flow, NOTHING.union(*map(flow.decided_by, (loop, *own))), loop, {loop, *own})
        if loop in flow.asking:
            flow.effects.append((flow.conditions[loop] | {EFFECT}, loop))
    for needs, index in flow.fed:
        found |= _keep_loops(flow, needs, index, {index})
    return frozenset(need for need in found if isinstance(need, Input | Global))


def _asked_again(flow: Flow) -> Iterator[int]:
    """Steps under a condition that branch on a variable on which one behind that condition branches again.

    DXC may go from one straight into the other, and then the condition stays (tried).
    """
    later: dict[tuple[int, str], set[Ways]] = {}
    for i in sorted(flow.branching, reverse=True):
        ways, names = flow.steps[i].controls, _looks_at(flow.steps[i])
        if ways and any(not set(ways).issubset(other) for name in names for other in later.get(name, ())):
            yield i
        for name in names:
            later.setdefault(name, set()).add(ways)


def _in_payloads(flow: Flow) -> Iterator[Seed]:
    """Stores in what other shaders get, also those that later ones overwrite (tried).

    DXC drops only what is always stored in a local after it was handed over for the last time.
    """
    for number, last in flow.handed.items():
        for needs, i in given_to(flow, number):
            if i < last or number in flow.inputs or flow.steps[i].controls:
                yield needs | {EFFECT}, i


def _keep_loops(flow: Flow, needs: Needs, loop: int, own: set[int]) -> Needs:
    """Keeps those that give something of what a loop needs; returns all of that.

    The loops around it are kept where it gives something of what they decide in turn; else it goes before them.
    """
    reached: set[Need] = set(needs)
    steps: set[int] = set()
    flow.reach(reached, steps, circles=False)
    found = not_local(reached)
    around = flow.steps[loop].loops
    if around and _gives(flow, own, around):
        around = ()
    for i in steps - own:
        if i >= 0 and _loops(flow, i, around):
            # Which of a function's loops gives what is not known here.
            whole = flow.steps[i].kind != "loop" and i in flow.looping
            flow.effects.append((found | {EFFECT} if whole else frozenset((EFFECT,)), i))
    symbols = {need.symbol for need in found if isinstance(need, Global)}
    for (symbol, _), seeds in flow.writes.items() if symbols else ():
        for given, i in seeds:
            if symbol in symbols and i not in own and _loops(flow, i, around):
                flow.effects.append((given | {EFFECT}, i))
    return found


def _gives(flow: Flow, own: set[int], around: tuple[int, ...]) -> bool:
    """Whether some of a loop's `own` steps give what the loops around it decide."""
    deciding = [i for i in flow.conditions if i not in own and (i in around or around[0] in flow.steps[i].loops)]
    steps: set[int] = set()
    flow.reach(set(NOTHING.union(*map(flow.decided_by, deciding))), steps, circles=False)
    return not own.isdisjoint(steps)


def _loops(flow: Flow, index: int, around: tuple[int, ...]) -> bool:
    """Whether a step is or stands in a loop that is not among those `around`."""
    inner = index in flow.looping and index not in around
    return inner or any(loop not in around for loop in flow.steps[index].loops)


def _looks_at(step: Step) -> set[tuple[int, str]]:
    return {(atom.local, "" if atom.local >= 0 else atom.name) for atom in atoms(step.value) if isinstance(atom, Ref)}
