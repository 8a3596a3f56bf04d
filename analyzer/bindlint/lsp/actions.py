"""Code actions: the fixes of findings that were tried and hold, and comments that allow a finding."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from lsprotocol import types

from bindlint.engine_rules import ENGINE_RULES
from bindlint.lsp.convert import Text, spans_meet
from bindlint.lsp.diagnostics import diagnostic
from bindlint.lsp.session import Seen, State
from bindlint.model.finding import Finding, Fix
from bindlint.model.source import Span

_ALLOWED = re.compile(r"bindlint:[ \t]*allow\(([^()]*)\)")
_ENGINE_CODES = frozenset(rule.code for rule in ENGINE_RULES)


def findings_at(state: State, path: str, place: types.Range) -> list[Seen]:
    """The findings that touch a range of a file."""
    text = state.text(path)
    if text is None:
        return []
    start, end = text.place(place.start), text.place(place.end)
    return [seen for seen in state.seen.get(path, ()) if spans_meet(seen.finding.violation.span, start, end)]


def actions(
    state: State, path: str, found: list[Seen], fixes: list[tuple[Finding, Fix]], versions: bool
) -> Iterator[types.CodeAction]:
    """The actions for some findings: first the fixes that hold, then one comment a rule.

    With `versions` the edits say which version of a document they are for.
    """
    text = state.text(path)
    if text is None:
        return
    by_finding = {id(seen.finding): seen for seen in found}
    for finding, fix in fixes:
        seen = by_finding[id(finding)]
        edits: dict[str, list[types.TextEdit]] = {}
        for edit in fix.edits:
            file = os.path.normpath(edit.span.file)
            there = state.text(file)
            if there is not None:
                edits.setdefault(file, []).append(types.TextEdit(there.range_of(edit.span), edit.text))
        title = f"{fix.title[:1].upper()}{fix.title[1:]} ({finding.code})"
        yield _action(state, title, seen, path, edits, versions, is_preferred=fix.safe)
    allowed: dict[str, Seen] = {seen.finding.name: seen for seen in found if seen.finding.code not in _ENGINE_CODES}
    for name, seen in allowed.items():
        change = _comment(text, seen.finding.violation.span, name)
        yield _action(state, f"Allow {name} on this line", seen, path, {path: [change]}, versions)


def _action(
    state: State,
    title: str,
    seen: Seen,
    path: str,
    edits: dict[str, list[types.TextEdit]],
    versions: bool,
    is_preferred: bool = False,
) -> types.CodeAction:
    text = state.text(path)
    assert text is not None
    return types.CodeAction(
        title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(state, text, seen)],
        is_preferred=is_preferred or None,
        edit=_workspace_edit(state, edits, versions),
    )


def _workspace_edit(state: State, edits: dict[str, list[types.TextEdit]], versions: bool) -> types.WorkspaceEdit:
    if not versions:
        return types.WorkspaceEdit(changes={state.uri(file): those for file, those in edits.items()})
    changes = []
    for file, those in edits.items():
        document = state.documents.get(file)
        version = document.version if document is not None else None
        identifier = types.OptionalVersionedTextDocumentIdentifier(state.uri(file), version)
        changes.append(types.TextDocumentEdit(identifier, [*those]))
    return types.WorkspaceEdit(document_changes=[*changes])


def _comment(text: Text, span: Span, name: str) -> types.TextEdit:
    """The edit that allows a rule on the line of a span: in the comment that stands there, or in one of its own."""
    line = text.line_of(span.line)
    there = _ALLOWED.search(line)
    if there is not None:
        return types.TextEdit(text.range_in_line(span.line, there.end(1), there.end(1)), f", {name}")
    kept = line.rstrip()
    if kept.endswith("\\"):
        at = len(kept[:-1].rstrip())
        return types.TextEdit(text.range_in_line(span.line, at, at), f" /* bindlint: allow({name}) */")
    return types.TextEdit(text.range_in_line(span.line, len(kept), len(kept)), f" // bindlint: allow({name})")
