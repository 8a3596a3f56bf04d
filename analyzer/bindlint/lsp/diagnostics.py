"""Findings as diagnostics: pushed, or pulled by editors that ask for them."""

from __future__ import annotations

import os
import re
from hashlib import blake2b

from lsprotocol import types

from bindlint.engine import fingerprint
from bindlint.lsp.convert import Text, uri_of
from bindlint.lsp.session import Seen, State
from bindlint.model.finding import Related
from bindlint.model.source import Span

SOURCE = "bindlint"
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
_NOTHING = Text("")


def diagnostics(state: State, path: str) -> list[types.Diagnostic]:
    """What is wrong in a file, by place."""
    if path in state.faults:
        return [_fault(state.faults[path])]
    text = state.text(path) or _NOTHING
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    told = [state.told[path]] if path in state.told else []
    return [
        *(types.Diagnostic(start, said, types.DiagnosticSeverity.Information, source=SOURCE) for said in told),
        *(diagnostic(state, text, seen) for seen in sorted(state.seen.get(path, ()), key=_place)),
    ]


def _fault(message: str) -> types.Diagnostic:
    """Why a configuration cannot be used, at the line that the message names."""
    named = re.search(r":(\d+): ", message)
    line = int(named[1]) - 1 if named else 0
    place = types.Range(types.Position(line, 0), types.Position(line + 1, 0))
    said = message[named.end() :] if named else message
    return types.Diagnostic(place, said, severity=types.DiagnosticSeverity.Error, source=SOURCE)


def result_id(found: list[types.Diagnostic]) -> str:
    """The same for the same diagnostics."""
    return blake2b(repr(found).encode("utf-8", "replace"), digest_size=12).hexdigest()


def pulled(state: State, path: str, earlier: str | None) -> types.DocumentDiagnosticReport:
    """The answer to an editor that asks; that nothing has changed where it has the same already."""
    found = diagnostics(state, path)
    identity = result_id(found)
    if identity == earlier:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=identity)
    return types.RelatedFullDocumentDiagnosticReport(items=found, result_id=identity)


def _place(seen: Seen) -> tuple[int, int, str, str]:
    span = seen.finding.violation.span
    return span.line, span.column, seen.finding.code, seen.finding.violation.message


def diagnostic(state: State, text: Text, seen: Seen) -> types.Diagnostic:
    finding = seen.finding
    violation = finding.violation
    rule = state.rules.get(finding.code)
    related = [each for each in violation.related if each.span.file]
    if violation.span.use is not None:
        related.append(Related(f"`{violation.span.macro}` is used here", violation.span.use))
    seen_from = f" (seen from {seen.shaders} shaders)" if seen.shaders > 1 else ""
    return types.Diagnostic(
        range=text.range_of(violation.span),
        message=violation.message + seen_from,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        code_description=types.CodeDescription(uri_of(rule.page)) if rule is not None and rule.page else None,
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if finding.name.startswith(("unused-", "idle-")) else None,
        related_information=[_related(state, each) for each in related] or None,
        data={"name": finding.name, "fingerprint": fingerprint(finding), "certainty": violation.certainty},
    )


def _related(state: State, related: Related) -> types.DiagnosticRelatedInformation:
    return types.DiagnosticRelatedInformation(location(state, related.span), related.message)


def location(state: State, span: Span) -> types.Location:
    """Where a span is, in the spelling that the editor has for its file."""
    path = os.path.normpath(span.file)
    return types.Location(state.uri(path), (state.text(path) or _NOTHING).range_of(span))
