"""The parts of a SARIF 2.1.0 log that bindlint writes, as plain values with the standard's own names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bindlint.engine import fingerprint
from bindlint.model.finding import Finding, Fix, Related, Severity
from bindlint.model.source import Span
from bindlint.plugins import family_of
from bindlint.report.flow import Flow
from bindlint.report.places import below, file_uri, relative_uri
from bindlint.report.rule_pages import lead_of, shown_page
from bindlint.rule import Rule

ROOT = "SRCROOT"
FINGERPRINT = "bindlint/v1"
Object = dict[str, Any]

_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}
_PROBLEMS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "recommendation"}
"""What GitHub's code scanning calls them."""
_LINK = re.compile(r"\[(?=[^\[\]]*\]\()")
_PLACEHOLDER = re.compile(r"\{(\d+)\}")


def message(text: str) -> Object:
    """Plain text as a message, in which brackets before parentheses would be links and `{0}` an argument (3.11)."""
    return {"text": _PLACEHOLDER.sub(r"{{\1}}", _LINK.sub(r"\\[", text))}


def artifact_location(file: str, root: Path) -> Object:
    """A file by its path from the root of the sources, or in full where it lies elsewhere."""
    path = below(file, root)
    return {"uri": relative_uri(path), "uriBaseId": ROOT} if path else {"uri": file_uri(file)}


def region(span: Span) -> Object:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def location(span: Span, root: Path, text: str = "", number: int | None = None) -> Object:
    """Where a span is; with what is to be seen there, and the number by which the result may speak of it."""
    found: Object = {} if number is None else {"id": number}
    found["physicalLocation"] = {"artifactLocation": artifact_location(span.file, root), "region": region(span)}
    if text:
        found["message"] = message(text)
    return found


def result(
    finding: Finding,
    root: Path,
    flows: Iterable[Flow] = (),
    suppression: Object | None = None,
    fix: Fix | None = None,
) -> Object:
    """One finding. `suppression` says how it is silenced."""
    violation = finding.violation
    document: Object = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": message(violation.message),
        "locations": [location(violation.span, root)] if violation.span.file else [],
        "partialFingerprints": {FINGERPRINT: fingerprint(finding)},
        "properties": {"certainty": violation.certainty},
    }
    related = [each for each in (*violation.related, *_macro(violation.span)) if each.span.file]
    if related:
        places = (location(each.span, root, each.message, number) for number, each in enumerate(related, 1))
        document["relatedLocations"] = list(places)
    code_flows = [_code_flow(flow, root) for flow in flows]
    if code_flows:
        document["codeFlows"] = code_flows
    if suppression is not None:
        document["suppressions"] = [suppression]
    if fix is not None:
        document["fixes"] = [_fix(fix, root)]
    return document


def _macro(span: Span) -> tuple[Related, ...]:
    if span.use is None or span.use.file.startswith("<"):
        return ()
    return (Related(f"from the macro `{span.macro}`, used here", span.use),)


def _code_flow(flow: Flow, root: Path) -> Object:
    steps = [
        {"location": location(step.span, root, step.message), "nestingLevel": step.depth}
        for step in flow
        if step.span.file
    ]
    return {"threadFlows": [{"locations": steps}]}


def _fix(fix: Fix, root: Path) -> Object:
    files: dict[str, list[Object]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": region(edit.span), "insertedContent": {"text": edit.text}}
        files.setdefault(edit.span.file, []).append(replacement)
    changes = [
        {"artifactLocation": artifact_location(file, root), "replacements": replacements}
        for file, replacements in files.items()
    ]
    return {"description": message(fix.title), "artifactChanges": changes}


def reporting_descriptor(rule: Rule) -> Object:
    """What is known of a rule, its page included."""
    page = shown_page(rule)
    document: Object = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.summary}."},
        "fullDescription": {"text": lead_of(page) or f"{rule.summary}."},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"enabled": rule.enabled, "level": _LEVELS[rule.severity]},
        "properties": {
            "tags": ["hlsl", family_of(rule.code)],
            "problem.severity": _PROBLEMS[rule.severity],
        },
    }
    return document


def invocation(status: int, failed: bool, notes: Sequence[str]) -> Object:
    """How the run went; `notes` are what it said besides findings."""
    level = "error" if failed else "warning"
    return {
        "executionSuccessful": not failed,
        "exitCode": status,
        "toolExecutionNotifications": [{"level": level, "message": message(note)} for note in notes],
    }


def artifact(file: str, root: Path, target: bool) -> Object:
    """A file that was read; `target`: it was asked for, and not only included."""
    language = "hlsl"
    if file.lower().endswith((".cpp", ".cc", ".cxx", ".mm", ".h", ".hh", ".hpp", ".hxx", ".inl")):
        language = "cplusplus"
    document: Object = {"location": artifact_location(file, root), "sourceLanguage": language}
    if target:
        document["roles"] = ["analysisTarget"]
    return document
