"""Conditions and loops of host code: followed while they are known, joined where they are not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tree_sitter import Node

from bindlint.facts.host.calls import Calls
from bindlint.facts.host.syntax import Declared, text_of
from bindlint.facts.host.values import Array, Cell, Outcome, Record, Unknown, Value

_MAX_JOINED = 4


class Flow(Calls):
    """Statements that decide what runs. While `silent` is above 0, no signature is reported."""

    silent = 0
    undecided = 0
    """Above 0 where it is not known whether what runs does."""
    joined = 0
    max_turns = 1024
    loop_steps = 40_000

    def unreadable(self, node: Node) -> None:
        """Whatever an unreadable statement names may have been written by it."""
        stack, seen = [node], 0
        why = self.unknown(f"`{text_of(node)[:60]}` cannot be read", node, unread=True)
        while stack and seen < 400:
            current = stack.pop()
            seen += 1
            cell = self.local(text_of(current)) if current.type == "identifier" else None
            if cell is not None and not cell.constant:
                self.spoil(cell, why, node)
            stack.extend(current.named_children)

    def run_if(self, node: Node) -> str | None:
        """An `if` with every `else if` after it; those that are not decided are joined from the last one on."""
        scopes, already, undecided = self.frame.scopes, len(self.frame.scopes), self.undecided
        tried: list[tuple[Unknown, Outcome]] = []
        try:
            left = self._chosen(node, tried)
            self.undecided = undecided
            while tried:
                why, taken = tried.pop()
                left = self.settle([taken, (left, self.journal.end())], why)
            return left
        finally:
            self.undecided = undecided
            for _ in tried:
                self.journal.end()
            del scopes[already:]

    def _chosen(self, node: Node, tried: list[tuple[Unknown, Outcome]]) -> str | None:
        """Run what is taken where none of the `tried` is; the journal has one more beginning for each of these."""
        link: Node | None = node
        while link is not None and link.type == "if_statement":
            self.tick()
            scope: dict[str, Cell] = {}
            self.frame.scopes.append(scope)
            condition, yes = link.child_by_field_name("condition"), link.child_by_field_name("consequence")
            truth = self._condition(condition)
            if truth:
                return self._optional(yes)
            if truth is None:
                self.undecided += 1
                taken = self.journal.attempt(partial(self._optional, yes))
                tried.append((self.depends(condition), taken))
                self.journal.begin()
            if not scope:
                self.frame.scopes.pop()
            link = _alternative(link)
        return self._optional(link)

    def _optional(self, node: Node | None) -> str | None:
        return None if node is None else self.execute(node)

    def _condition(self, node: Node | None) -> bool | None:
        if node is None:
            return None
        if node.type == "condition_clause":
            initializer = node.child_by_field_name("initializer")
            if initializer is not None:
                for child in initializer.named_children:
                    self.execute(child)
            inner = node.child_by_field_name("value")
        else:
            inner = next(iter(node.named_children), None) if node.type == "parenthesized_expression" else node
        if inner is None:
            return None
        if inner.type == "declaration":
            self.execute(inner)
            return None
        return self.decided(inner, self.evaluate(inner))

    def _join(self, runs: list[Callable[[], str | None]], why: Unknown) -> str | None:
        """Run alternatives from the same state; go on with what is common to those that do not leave."""
        self.undecided += 1
        try:
            outcomes = [self.journal.attempt(run) for run in runs]
        finally:
            self.undecided -= 1
        return self.settle(outcomes, why)

    def settle(self, outcomes: list[Outcome], why: Unknown) -> str | None:
        """Go on after alternatives that were run."""
        staying = [changed for left, changed in outcomes if left is None]
        leaving = [(left, changed) for left, changed in outcomes if left is not None]
        if not staying:
            lefts = {left for left, _ in leaving}
            self.journal.merge([changed for left, changed in leaving if left != "throw"] or [leaving[0][1]], why)
            return lefts.pop() if len(lefts) == 1 else "return" if lefts <= {"return", "throw"} else leaving[0][0]
        for left, changed in leaving:
            if left in ("break", "continue"):
                self.frame.broken = True
            if left == "return":
                self.frame.suspects += [target for target in changed if isinstance(target, Cell)]
        self.journal.merge(staying, why)
        return None

    def run_switch(self, node: Node) -> str | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if condition is None or body is None:
            return None
        inner = condition.child_by_field_name("value") or condition
        value = self.evaluate(inner)
        cases = [c for c in body.named_children if c.type == "case_statement"]
        labels = [self.evaluate(v) if (v := c.child_by_field_name("value")) is not None else None for c in cases]
        if isinstance(value, int) and all(isinstance(label, int | None) for label in labels):
            start = next((i for i, label in enumerate(labels) if label == value and label is not None), None)
            if start is None:
                start = next((i for i, label in enumerate(labels) if label is None), None)
            left = self._cases(cases, start) if start is not None else None
            return None if left == "break" else left
        why = self.unknown(f"depends on `{text_of(inner).strip('()')[:60]}`", condition)

        def run(start: int) -> str | None:
            left = self._cases(cases, start)
            return None if left == "break" else left

        runs: list[Callable[[], str | None]] = [partial(run, i) for i in range(len(cases))]
        if not any(label is None for label in labels):
            runs.append(lambda: None)
        return self._join(runs, why) if runs else None

    def _cases(self, cases: list[Node], start: int) -> str | None:
        for case in cases[start:]:
            label = case.child_by_field_name("value")
            self.tick()
            for child in case.named_children:
                if label is not None and child.start_byte == label.start_byte:
                    continue
                left = self.execute(child)
                if left is not None:
                    return left
        return None

    def run_for(self, node: Node) -> str | None:
        initializer, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
        update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
        self.frame.scopes.append({})
        try:
            if initializer is not None:
                if initializer.type == "declaration":
                    self.execute(initializer)
                else:
                    self.evaluate(initializer)

            def advance() -> None:
                if update is not None:
                    self.locate(update)

            return self._loop(node, lambda: self._condition(condition), body, advance)
        finally:
            self.frame.scopes.pop()

    def run_while(self, node: Node) -> str | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        return self._loop(node, lambda: self._condition(condition), body, lambda: None)

    def run_do(self, node: Node) -> str | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        turns = [0]

        def again() -> bool | None:
            turns[0] += 1
            return True if turns[0] == 1 else self._condition(condition)

        return self._loop(node, again, body, lambda: None)

    def _loop(
        self, node: Node, again: Callable[[], bool | None], body: Node | None, advance: Callable[[], None]
    ) -> str | None:
        """A loop turn by turn while its condition is known; what it writes is unknown where it is not."""
        broken, self.frame.broken = self.frame.broken, False
        least = self.left - min(self.loop_steps, self.left // 4)
        try:
            for _ in range(self.max_turns):
                self.tick()
                if self.left < least:
                    break
                truth = again()
                if truth is False:
                    return None
                if truth is None:
                    break
                left = self.execute(body) if body is not None else None
                if left in ("return", "throw"):
                    return left
                if left == "break":
                    return None
                if self.frame.broken:
                    break
                advance()
            return self._unbounded(node, body, advance)
        finally:
            self.frame.broken = broken

    def _unbounded(self, node: Node, body: Node | None, advance: Callable[[], None]) -> str | None:
        """What a loop of unknown length writes is not known after it, nor from its second turn on."""
        if body is None:
            return None
        why = self.unknown(f"depends on how often `{text_of(node).partition('{')[0].strip()[:60]}` turns", node)

        def turn() -> str | None:
            left = self.execute(body)
            advance()
            return left

        if self.joined >= _MAX_JOINED:
            self.unreadable(body)
            return None
        self.joined += 1
        self.silent += 1
        _, changed = self.journal.attempt(turn)
        self.silent -= 1
        for target, state in changed.items():
            if isinstance(target, Cell):
                self.vary(target, state[0], why, node)
            else:
                self.journal.write(target, (target.state[0], False))
        _, again = self.journal.attempt(turn)
        self.joined -= 1
        for target, state in again.items():
            if isinstance(target, Cell):
                self.vary(target, state[0], why, node)
        return None

    def vary(self, cell: Cell, after: Value, why: Unknown, node: Node) -> None:
        """What a cell holds before a turn of a loop that leaves `after` in it."""
        self.spoil(cell, why, node)

    def run_range_for(self, node: Node) -> str | None:
        right, body = node.child_by_field_name("right"), node.child_by_field_name("body")
        declared = Declared(node.child_by_field_name("declarator"))
        if right is None or body is None:
            return None
        value = self.initialise("", [], right) if right.type == "initializer_list" else self.evaluate(right)
        self.frame.scopes.append({})
        try:
            scope = self.frame.scopes[-1]
            if not isinstance(value, Array) or not value.complete:
                why = self.unknown(f"depends on the elements of `{text_of(right)[:60]}`", right)
                known = value.cells if isinstance(value, Array) else ()
                scope[declared.name] = Cell(Record("", why))
                for cell in known if declared.reference else ():
                    self.spoil(cell, why, node)
                return self._unbounded(node, body, lambda: None)
            cells = iter(value.cells)

            def again() -> bool | None:
                cell = next(cells, None)
                if cell is None:
                    return False
                scope[declared.name] = cell if declared.reference else Cell(self.copy(cell.value), cell.place)
                return True

            return self._loop(node, again, body, lambda: None)
        finally:
            self.frame.scopes.pop()


def _alternative(node: Node) -> Node | None:
    """What stands behind the `else` of an `if`: the next `if`, or any other clause."""
    clause = node.child_by_field_name("alternative")
    inner = [] if clause is None else [c for c in clause.named_children if c.type != "comment"]
    return inner[0] if len(inner) == 1 and inner[0].type == "if_statement" else clause
