"""Macro expansion in clang's order: arguments first, then the body, then the body again with what follows it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bindlint_grammars.hlsl.environment import Environment
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.macros import Macro
from bindlint_grammars.hlsl.tokens import IDENTIFIER, LITERAL, NUMBER, PUNCTUATOR, TOKEN, Token

# The token lists being read, innermost last, each with the index reached and the macro it is the expansion of.
_Stack = list[tuple[list[Token], list[int], "Macro | None"]]


class ExpansionLimitError(Exception):
    """Macros produced more than the limits allow."""


class ConditionError(Exception):
    """An `#if` that cannot be evaluated."""


class TokenSource(Protocol):
    """The text after a macro's name, from which its arguments are taken."""

    def next(self) -> Token | None:
        """The next token; None at the end of the file."""

    def paren_follows(self) -> bool:
        """Whether the next token is `(`."""


class Host(Protocol):
    """What an expander asks of the file that is being read."""

    def report_call(self, macro: Macro, token: Token, message: str) -> None: ...
    def report_paste(self, token: Token, text: bytes) -> None: ...
    def builtin(self, macro: Macro, token: Token, anchor: int) -> tuple[bytes, int]: ...
    def pragma(self, text: bytes) -> None: ...
    def has_include(self, tokens: list[Token]) -> bool: ...


class Expander:
    """Expands tokens within one environment.

    `spent` counts what it produced: tokens, and pasted or stringized text in units of 16 bytes.
    """

    def __init__(self, environment: Environment, host: Host, limits: Limits, expand_pasted: bool) -> None:
        self.spent = 0
        self._environment = environment
        self._host = host
        self._limits = limits
        self._expand_pasted = expand_pasted
        self._disabled: set[Macro] = set()
        self._depth = 0
        self._anchor = 0

    def expand(self, tokens: list[Token], source: TokenSource | None = None) -> list[Token]:
        """The full expansion of `tokens`; a call that begins in them may take its arguments from `source`.

        Raises ExpansionLimitError.
        """
        self._disabled.clear()
        self._depth = 0
        return self._run(tokens, source, None)

    def expand_condition(self, tokens: list[Token]) -> list[Token]:
        """The expansion of an `#if` line, with `defined` and its kin replaced by 1 or 0. Raises ConditionError too."""
        self._disabled.clear()
        self._depth = 0
        return self._run(tokens, None, self._operator)

    def _run(
        self,
        tokens: list[Token],
        source: TokenSource | None,
        operator: Callable[[Token, Callable[[], Token | None]], Token | None] | None,
    ) -> list[Token]:
        read = self._environment.read
        disabled = self._disabled
        stack: _Stack = [(tokens, [0], None)]
        out: list[Token] = []
        space = False
        while stack:
            context, cursor, owner = stack[-1]
            at = cursor[0]
            if at >= len(context):
                stack.pop()
                if owner is not None:
                    disabled.discard(owner)
                continue
            cursor[0] = at + 1
            token = context[at]
            if space:
                token, space = token.spaced(True), False
            if token.kind != IDENTIFIER or token.frozen:
                out.append(token)
                continue
            if len(stack) == 1 and not token.macro:
                self._anchor = token.offset
            macro = read(token.text)
            if macro is None:
                if operator is not None:
                    token = operator(token, lambda: _next(stack, source, disabled)) or token
                out.append(token)
                continue
            if macro in disabled:
                out.append(token.freeze())
                continue
            if macro.builtin and macro.builtin != "pragma":
                text, kind = self._host.builtin(macro, token, self._anchor)
                out.append(token.reshaped(text, kind, token.space))
                continue
            if macro.parameters is None:
                body = self._object_body(macro)
            elif _paren_follows(stack, source):
                arguments = self._arguments(stack, source, macro, token)
                if arguments is None:
                    out.append(token.freeze())
                    continue
                body = self._function_body(macro, arguments, token)
            else:
                out.append(token)
                continue
            self.spent += len(body)
            if self.spent > self._limits.expansion_tokens:
                raise ExpansionLimitError
            if not body:
                space = token.space
                continue
            if body[0].space != token.space:
                body = [body[0].spaced(token.space), *body[1:]]
            stack.append((body, [0], macro))
            disabled.add(macro)
        return out

    def _object_body(self, macro: Macro) -> list[Token]:
        return self._substitute(macro, [], False) if macro.pasting else macro.body

    def _function_body(self, macro: Macro, arguments: list[list[Token]], token: Token) -> list[Token]:
        if macro.builtin == "pragma":
            self._host.pragma(_destringized(arguments[0]))
            return []
        parameters = macro.parameters or ()
        count, wanted = len(arguments), len(parameters)
        elided = macro.variadic and (count < wanted or (count == 1 == wanted and not arguments[0]))
        if not wanted and count == 1 and not arguments[0]:
            arguments = []
        elif count > wanted or count < wanted - macro.variadic:
            word = "many" if count > wanted else "few"
            self._host.report_call(macro, token, f"too {word} arguments: {count} where {wanted} are wanted")
        arguments = [*arguments[:wanted], *([] for _ in range(wanted - count))]
        return self._substitute(macro, arguments, elided)

    def _arguments(
        self, stack: _Stack, source: TokenSource | None, macro: Macro, name: Token
    ) -> list[list[Token]] | None:
        _next(stack, source, self._disabled)
        most = len(macro.parameters or ())
        arguments: list[list[Token]] = [[]]
        depth = 0
        while True:
            token = _next(stack, source, self._disabled)
            if token is None:
                self._host.report_call(macro, name, "the call is never closed")
                return None
            if token.kind == PUNCTUATOR:
                text = token.text
                if text == b"(":
                    depth += 1
                elif text == b")":
                    if not depth:
                        if not token.macro and len(stack) <= 1:
                            self._anchor = token.offset
                        return arguments
                    depth -= 1
                elif text == b"," and not depth and not (macro.variadic and len(arguments) == most):
                    arguments.append([])
                    continue
            elif token.kind == IDENTIFIER and self._environment.macros.get(token.text) in self._disabled:
                token = token.freeze()
            arguments[-1].append(token)
            self.spent += 1
            if self.spent > self._limits.expansion_tokens:
                raise ExpansionLimitError

    def _expanded(self, argument: list[Token]) -> list[Token]:
        if self._depth >= self._limits.macro_nesting:
            raise ExpansionLimitError
        read = self._environment.read
        for token in argument:
            if token.kind == IDENTIFIER and not token.frozen and read(token.text) is not None:
                break
        else:
            return argument
        anchor = self._anchor
        self._depth += 1
        result = self._run(argument, None, None)
        self._depth -= 1
        self._anchor = anchor
        return result

    def _substitute(self, macro: Macro, arguments: list[list[Token]], elided: bool) -> list[Token]:
        body = macro.body
        place = {name: index for index, name in enumerate(macro.parameters or ())}
        expanded: dict[int, list[Token]] = {}
        out: list[Token] = []
        pasting = left_empty = space = False
        at = 0
        while at < len(body):
            token = body[at]
            at += 1
            if token.text == b"##":
                pasting = True
                continue
            index = place.get(token.text, -1)
            if token.text == b"#" and macro.parameters is not None:
                piece = [self._stringized(token, arguments[place[body[at].text]])]
                at += 1
            elif index < 0:
                piece = [token]
            else:
                rest = macro.variadic and index == len(arguments) - 1
                if pasting and rest and out and out[-1].text == b"," and not left_empty:
                    pasting = False
                    if elided:
                        out.pop()
                    piece = arguments[index]
                elif (pasting or (at < len(body) and body[at].text == b"##")) and not self._expand_pasted:
                    piece = arguments[index]
                else:
                    if index not in expanded:
                        expanded[index] = self._expanded(arguments[index])
                    piece = expanded[index]
                if piece and piece[0].space != token.space:
                    piece = [piece[0].spaced(token.space), *piece[1:]]
            if space and piece and not pasting:
                piece = [piece[0].spaced(True), *piece[1:]]
            space = (space or token.space) and not piece
            if not pasting:
                out.extend(piece)
                left_empty = not piece
            elif left_empty or not piece:
                out.extend(piece)
                left_empty = left_empty and not piece
            else:
                out.extend(self._pasted(out.pop(), piece[0]))
                out.extend(piece[1:])
            pasting = False
            self.spent += len(piece)
            if self.spent > self._limits.expansion_tokens:
                raise ExpansionLimitError
        return out

    def _pasted(self, left: Token, right: Token) -> list[Token]:
        text = left.text + right.text
        self.spent += len(text) >> 4
        match = TOKEN.fullmatch(text)
        if match is None:
            self._host.report_paste(left, text)
            return [left, right.spaced(False)]
        return [left.reshaped(text, match.lastindex or PUNCTUATOR, left.space)]

    def _stringized(self, operator: Token, argument: list[Token]) -> Token:
        parts = [b'"']
        for number, token in enumerate(argument):
            if number and token.space:
                parts.append(b" ")
            text = token.text
            parts.append(text.replace(b"\\", b"\\\\").replace(b'"', b'\\"') if token.kind == LITERAL else text)
        parts.append(b'"')
        text = b"".join(parts)
        self.spent += len(text) >> 4
        return (argument[0] if argument else operator).reshaped(text, LITERAL, operator.space)

    def _operator(self, token: Token, following: Callable[[], Token | None]) -> Token | None:
        name = token.text
        if name == b"defined":
            operand = following()
            closed = True
            if operand is not None and operand.text == b"(":
                operand = following()
                close = following()
                closed = close is not None and close.text == b")"
            if operand is None or operand.kind != IDENTIFIER:
                raise ConditionError("`defined` needs the name of a macro")
            if not closed:
                raise ConditionError("`)` is missing after `defined`")
            defined = self._environment.read(operand.text) is not None or operand.text.startswith(b"__has_")
            return token.reshaped(b"1" if defined else b"0", NUMBER, token.space)
        if name.startswith(b"__has_"):
            inner: list[Token] = []
            opening = following()
            operand = following()
            while operand is not None and operand.text != b")":
                inner.append(operand)
                operand = following()
            if opening is None or opening.text != b"(" or operand is None:
                raise ConditionError(f"`{name.decode()}` needs its operand in parentheses")
            found = name in (b"__has_include", b"__has_include_next") and self._host.has_include(inner)
            return token.reshaped(b"1" if found else b"0", NUMBER, token.space)
        return None


def _next(stack: _Stack, source: TokenSource | None, disabled: set[Macro]) -> Token | None:
    """The next token of a call; contexts that have ended are left, and their macros may expand again."""
    while stack:
        context, cursor, owner = stack[-1]
        if cursor[0] < len(context):
            cursor[0] += 1
            return context[cursor[0] - 1]
        stack.pop()
        if owner is not None:
            disabled.discard(owner)
    return source.next() if source is not None else None


def _paren_follows(stack: _Stack, source: TokenSource | None) -> bool:
    for context, cursor, _ in reversed(stack):
        if cursor[0] < len(context):
            return context[cursor[0]].text == b"("
    return source is not None and source.paren_follows()


def _destringized(argument: list[Token]) -> bytes:
    text = argument[0].text if argument else b""
    return text[1:-1].replace(b'\\"', b'"').replace(b"\\\\", b"\\").strip()
