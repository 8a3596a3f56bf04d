"""One part of a file read: its directives carried out and its text expanded, up to an include or the end."""

from __future__ import annotations

import re
from collections.abc import Callable

from bindlint_grammars.hlsl.conditions import NestingError, evaluate
from bindlint_grammars.hlsl.environment import Environment
from bindlint_grammars.hlsl.expansion import ConditionError, Expander, ExpansionLimitError
from bindlint_grammars.hlsl.limits import Limits
from bindlint_grammars.hlsl.macros import DefinitionError, Macro, parse_definition
from bindlint_grammars.hlsl.problems import ProblemKind, SourceProblem
from bindlint_grammars.hlsl.scan import Directive, Scan
from bindlint_grammars.hlsl.segment_source import SegmentSource
from bindlint_grammars.hlsl.tokens import IDENTIFIER, LITERAL, NUMBER, Token, tokenize
from bindlint_grammars.hlsl.units import IncludeRequest, Part

_IGNORED_PRAGMAS = frozenset((b"mark", b"region", b"endregion"))
_FIRST_WORD = re.compile(rb"\s*([A-Za-z_]\w*)?")
_GAP = re.compile(rb"(?<!\s)\s{32,}")
_QUOTED = re.compile(rb'\s*(?:"([^"\n]*)"|<([^>\n]*)>)')


class Place:
    """Where a file stands in a run: the path it was included by, how deep, and what `#line` made of its lines."""

    __slots__ = ("base", "depth", "line", "path")

    def __init__(self, path: str, base: str, depth: int, line: tuple[int, bytes] | None) -> None:
        self.path = path
        self.base = base
        self.depth = depth
        self.line = line


class PartReader:
    """Reads the part of `scan` that begins after directive `position - 1`.

    `interned` holds the definitions met so far, by file, place and text; `counter` gives the macro `__COUNTER__` with a
    value; `find_include` says whether an include of a path, in angle brackets or not, would find a file.
    """

    def __init__(
        self,
        scan: Scan,
        environment: Environment,
        place: Place,
        limits: Limits,
        expand_pasted: bool,
        interned: dict[tuple[str, int, bytes], Macro],
        counter: Callable[[int], Macro],
        find_include: Callable[[str, bool], bool],
    ) -> None:
        self._scan = scan
        self._environment = environment
        self._place = place
        self._limits = limits
        self._interned = interned
        self._counter = counter
        self._find_include = find_include
        self._expander = Expander(environment, self, limits, expand_pasted)
        self._part = Part(scan.path)
        self._chunks: list[bytes] = []
        self._length = 0
        self._pragmas: list[tuple[int, str]] = []
        self._problems: list[SourceProblem] = []
        self._exhausted = False
        self._part.line = place.line

    def read(self, position: int) -> Part:
        """The part, its reads and its changes to the environment. Can be asked for once."""
        scan, part = self._scan, self._part
        if position == 0:
            self._problems.extend(scan.problems)
        last = len(scan.directives)
        index = position
        while index <= last:
            index = self._segment(index)
            if index >= last:
                break
            index = self._directive(scan.directives[index], index, False)
            if part.include is not None:
                break
        part.position = index
        part.present = self._environment.present
        part.absent = frozenset(self._environment.absent)
        part.delta = self._environment.delta
        part.pragmas = tuple(self._pragmas)
        part.problems = tuple(dict.fromkeys(self._problems))
        part.spent = self._expander.spent
        part.finish(b"".join(self._chunks))
        # The expander leads back here: without it both are freed at once.
        del self._expander
        return part

    # Text

    def _segment(self, index: int) -> int:
        """Put out segment `index`; the index of the segment that a macro call may have reached."""
        segment = self._scan.segments[index]
        if segment is None:
            return index
        start = segment.start
        while segment is not None:
            hits = self._environment.hits(segment)
            if not hits:
                break
            occurrences = sorted((place, name) for name in hits for place in segment.places.get(name, ()))
            for place, name in occurrences:
                if place < start:
                    continue
                macro = self._environment.macros[name]
                source = SegmentSource(self._scan, index, place + len(name), self._cross)
                if macro.parameters is not None and not source.paren_follows():
                    continue
                self._verbatim(start, place)
                self._use(Token(name, IDENTIFIER, True, self._scan.path, place), source)
                start = source.cursor
                if source.index != index or not source.end:
                    index = source.index
                    segment = self._scan.segments[index] if source.end else None
                    break
            else:
                break
        if segment is not None:
            self._verbatim(start, segment.end)
        self._put(b"\n")
        return index

    def _cross(self, index: int) -> tuple[int, int, int]:
        """Carry out the directives after segment `index`, within a macro's arguments.

        The next segment that has text, its start and its end; an end of 0 where the file ends.
        """
        last = len(self._scan.directives)
        while index < last:
            index = self._directive(self._scan.directives[index], index, True)
            segment = self._scan.segments[index] if index <= last else None
            if segment is not None:
                return index, segment.start, segment.end
        return last, 0, 0

    def _use(self, name: Token, source: SegmentSource) -> None:
        try:
            tokens = self._expander.expand([name], source)
        except ExpansionLimitError:
            self._exhaust(name.offset, source.cursor)
            return
        part = self._part
        if not tokens:
            return
        end = source.cursor if source.end else name.offset + len(name.text)
        part.uses.append((self._length, name.offset, end))
        part.places.extend(tokens)
        texts = [token.text for token in tokens]
        self._chunks.append(b" ".join(texts) + b" ")
        length, starts = self._length, part.starts
        for text in texts:
            starts.append(length)
            length += len(text) + 1
        self._length = length
        if self._length > self._limits.expansion_bytes:
            self._exhaust(name.offset, source.cursor)
            self._expander.spent = self._limits.expansion_tokens

    def _verbatim(self, start: int, end: int) -> None:
        """Put out the file's own text, long stretches of nothing left out."""
        text = self._scan.text
        for gap in _GAP.finditer(text, start, end):
            if b"\n" in gap.group():
                self._piece(text[start : gap.start()], start)
                start = gap.end()
        self._piece(text[start:end], start)

    def _piece(self, text: bytes, place: int) -> None:
        if text:
            self._part.starts.append(self._length)
            self._part.places.append(place)
            self._put(text if text.endswith((b" ", b"\n")) else text + b" ")

    def _put(self, text: bytes) -> None:
        self._chunks.append(text)
        self._length += len(text)

    def _exhaust(self, start: int, end: int) -> None:
        if not self._exhausted:
            message = "macros expand beyond the limits; what is built with them from here on is left out"
            self._report("macro-limit", message, start, max(end, start), partial=True)
        self._exhausted = True

    # Directives

    def _directive(self, directive: Directive, index: int, inside: bool) -> int:
        """Carry out directive `index`; the index of the segment to go on with."""
        match directive.name:
            case b"if" | b"ifdef" | b"ifndef":
                after = index + 1 if self._holds(directive) else self._other_branch(directive)
                if directive.close >= len(self._scan.directives):
                    # What is left out up to the end of the file may have been meant to stand after the #endif.
                    lost = after > len(self._scan.directives)
                    self._report_at("unbalanced-conditional", "this conditional is never closed", directive, lost)
                elif not directive.matched:
                    self._report_at("unbalanced-conditional", "this conditional goes on after its #else", directive)
                return after
            case b"elif" | b"else" | b"endif":
                if not directive.matched:
                    self._report_at("unbalanced-conditional", f"#{directive.name.decode()} without #if", directive)
                elif directive.name != b"endif":
                    return directive.close + 1
            case b"define":
                self._define(directive)
            case b"undef":
                self._undefine(directive)
            case b"include" | b"pragma" if inside:
                message = f"a #{directive.name.decode()} cannot stand within the arguments of a macro"
                self._report_at("include-in-macro-arguments", message, directive, directive.name == b"include")
            case b"include":
                self._part.include = self._include(directive)
            case b"pragma":
                self._pragma(directive)
            case b"error":
                self._report_at("error-directive", f"#error {self._arguments(directive)}", directive)
            case b"warning":
                self._report_at("warning-directive", f"#warning {self._arguments(directive)}", directive)
            case b"line":
                self._line(directive, directive.arguments)
            case name if name.isdigit():
                self._line(directive, directive.arguments - len(name))
            case b"" if not self._arguments(directive):
                pass
            case name:
                shown = name.decode() or self._arguments(directive)
                self._report_at("bad-directive", f"#{shown} is no directive", directive)
        return index + 1

    def _other_branch(self, directive: Directive) -> int:
        directives = self._scan.directives
        index = directive.branch
        while index < len(directives):
            branch = directives[index]
            if branch.name != b"elif" or self._holds(branch):
                return index + 1
            index = branch.branch
        return len(directives) + 1

    def _holds(self, directive: Directive) -> bool:
        if directive.parsed is None:
            directive.parsed = tokenize(self._scan.text, directive.arguments, directive.end, self._scan.path)
        tokens: list[Token] = directive.parsed
        try:
            if directive.name in (b"ifdef", b"ifndef"):
                if not tokens or tokens[0].kind != IDENTIFIER:
                    raise ConditionError(f"#{directive.name.decode()} needs the name of a macro")
                name = tokens[0].text
                defined = self._environment.read(name) is not None or name.startswith(b"__has_")
                return defined == (directive.name == b"ifdef")
            if len(tokens) == 1 and tokens[0].kind == NUMBER:
                return evaluate(tokens, 0)
            return evaluate(self._expander.expand_condition(tokens), self._limits.condition_nesting)
        except NestingError as error:
            self._report_at("nesting-limit", str(error), directive, True)
        except ConditionError as error:
            self._report_at("bad-condition", str(error), directive)
        except ExpansionLimitError:
            self._exhaust(directive.start, directive.end)
        return False

    def _define(self, directive: Directive) -> None:
        if directive.parsed is None:
            text, start, end, path = self._scan.text, directive.arguments, directive.end, self._scan.path
            try:
                macro = parse_definition(text, start, end, path)
                directive.parsed = self._interned.setdefault((path, start, text[start:end]), macro)
            except DefinitionError as error:
                directive.parsed = error
        if isinstance(directive.parsed, DefinitionError):
            self._report("bad-directive", str(directive.parsed), directive.parsed.offset, directive.end)
        else:
            self._environment.define(directive.parsed.name, directive.parsed)

    def _undefine(self, directive: Directive) -> None:
        tokens = tokenize(self._scan.text, directive.arguments, directive.end, self._scan.path)
        if tokens and tokens[0].kind == IDENTIFIER:
            self._environment.define(tokens[0].text, None)
        else:
            self._report_at("bad-directive", "#undef needs the name of a macro", directive)

    def _include(self, directive: Directive) -> IncludeRequest | None:
        arguments = self._scan.text[directive.arguments : directive.end]
        match = _QUOTED.match(arguments)
        if match is None:
            tokens = tokenize(self._scan.text, directive.arguments, directive.end, self._scan.path)
            try:
                spelled = _spelled(self._expander.expand(tokens))
            except ExpansionLimitError:
                self._exhaust(directive.start, directive.end)
                return None
            match = _QUOTED.match(spelled)
        name = next((group for group in match.groups() if group), b"") if match else b""
        if match is None or not name:
            self._report_at("bad-directive", '#include needs "FILE" or <FILE>', directive, True)
            return None
        path = name.decode("utf-8", "replace")
        return IncludeRequest(path, match.group(2) is not None, directive.start, self._end(directive))

    def _pragma(self, directive: Directive) -> None:
        arguments = self._scan.text[directive.arguments : directive.end]
        match = _FIRST_WORD.match(arguments)
        word = match.group(1) if match else b""
        if word == b"once":
            self._part.once = True
        elif word not in _IGNORED_PRAGMAS:
            self.pragma(arguments.strip())

    def _line(self, directive: Directive, start: int) -> None:
        tokens = tokenize(self._scan.text, start, directive.end, self._scan.path)
        try:
            tokens = self._expander.expand(tokens)
        except ExpansionLimitError:
            tokens = []
        if not tokens or not tokens[0].text.isdigit() or len(tokens[0].text) > 10:
            self._report_at("bad-directive", "#line needs a line number", directive)
            return
        shift = int(tokens[0].text) - self._scan.source.line(directive.start) - 1
        name = tokens[1].text if len(tokens) > 1 and tokens[1].kind == LITERAL else b""
        self._part.line = shift, name or (self._part.line[1] if self._part.line else b"")
        self._part.fleeting = True

    def _end(self, directive: Directive) -> int:
        return directive.start + len(self._scan.text[directive.start : directive.end].rstrip())

    def _arguments(self, directive: Directive) -> str:
        return self._scan.text[directive.arguments : directive.end].strip().decode("utf-8", "replace")

    def _report_at(self, kind: ProblemKind, message: str, directive: Directive, partial: bool = False) -> None:
        self._report(kind, message, directive.start, self._end(directive), partial)

    def _report(self, kind: ProblemKind, message: str, start: int, end: int, partial: bool = False) -> None:
        self._problems.append(SourceProblem(kind, message, self._scan.path, start, end, partial))

    # What the expander asks

    def report_call(self, macro: Macro, token: Token, message: str) -> None:
        """A call of a macro with the wrong number of arguments, or one that never ends."""
        text = f"macro {macro.name.decode('utf-8', 'replace')}: {message}"
        place = token.offset, token.offset + len(token.text)
        self._problems.append(SourceProblem("macro-arguments", text, token.file, *place, partial=True))

    def report_paste(self, token: Token, text: bytes) -> None:
        """Two tokens that `##` does not make into one."""
        message = f"## makes `{text[:60].decode('utf-8', 'replace')}`, which is no token"
        place = token.offset, token.offset + len(token.text)
        self._problems.append(SourceProblem("bad-paste", message, token.file, *place))

    def builtin(self, macro: Macro, token: Token, anchor: int) -> tuple[bytes, int]:
        """The value of `__LINE__` and its kin, used at offset `anchor` of the file."""
        place, line = self._place, self._part.line
        if macro.builtin == "line":
            self._part.fleeting = self._part.fleeting or line is not None
            return b"%d" % (self._scan.source.line(anchor) + (line[0] if line else 0)), NUMBER
        if macro.builtin == "counter":
            self._environment.define(macro.name, self._counter(macro.value + 1))
            return b"%d" % macro.value, NUMBER
        self._part.fleeting = True
        if macro.builtin == "level":
            return b"%d" % place.depth, NUMBER
        if macro.builtin == "file" and line and line[1]:
            return line[1], LITERAL
        path = place.path if macro.builtin == "file" else place.base
        return b'"%b"' % path.replace("\\", "\\\\").replace('"', '\\"').encode("utf-8", "replace"), LITERAL

    def pragma(self, text: bytes) -> None:
        """A pragma that is left to the compiler."""
        self._pragmas.append((self._length, text.decode("utf-8", "replace")))

    def has_include(self, tokens: list[Token]) -> bool:
        """Whether an include of these tokens would find a file."""
        self._part.fleeting = True
        match = _QUOTED.match(_spelled(tokens))
        if match is None:
            raise ConditionError('`__has_include` needs "FILE" or <FILE>')
        name = match.group(1) if match.group(2) is None else match.group(2)
        return self._find_include(name.decode("utf-8", "replace"), match.group(2) is not None)


def _spelled(tokens: list[Token]) -> bytes:
    return b"".join(b" " + token.text if token.space and number else token.text for number, token in enumerate(tokens))
