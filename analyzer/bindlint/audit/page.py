"""The results as one page of HTML that needs nothing else: no script, no font, no picture from anywhere."""

from __future__ import annotations

import base64
import hashlib
import sqlite3
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from bindlint.audit.register_map import Lane, parameter_name, register_map
from bindlint.audit.signatures import SignatureRow, signature_rows
from bindlint.audit.summary import (
    Cluster,
    RepositoryRow,
    RuleRow,
    ShaderRow,
    Summary,
    Unfollowed,
    clusters,
    related,
    seen_from,
    summarised,
    telling_shaders,
)
from bindlint.model.root_signature import MAX_COST
from bindlint.report.documents import ParameterDocument, RelatedDocument, RootSignatureDocument
from bindlint.report.terminal import escape

_TEMPLATES = Path(__file__).parents[1] / "data" / "audit"
MOST_OF_A_RULE = 60
MOST_FINDINGS = 1_500
MOST_UNREAD = 200
FEW_UNREAD = 15
"""Reasons that are shown at once."""
MOST_NOTES = 60
MOST_SIGNATURES = 300
MOST_UNFOLLOWED = 30
"""Reasons of one repository."""
MOST_BYTES_OF_SHADERS = 4 << 20
_SHADERS_SEEN = 5


class ShownFinding(msgspec.Struct, frozen=True):
    """A place of a rule, other places that it is about, and some of the shaders that see it."""

    cluster: Cluster
    related: tuple[RelatedDocument, ...]
    shaders: tuple[str, ...]


class ShownRule(msgspec.Struct, frozen=True):
    """A rule with the first of its places; `left_out` counts the others."""

    rule: RuleRow
    title: str
    findings: tuple[ShownFinding, ...]
    left_out: int


class Part(msgspec.Struct, frozen=True):
    """A root parameter on the budget bar, from `start` on, in DWORDs."""

    parameter: ParameterDocument
    name: str
    registers: str
    start: int
    cost: int


class Budget(msgspec.Struct, frozen=True):
    """What the parameters of a root signature take of the room that there is, or (`scale`) beyond it, in DWORDs.

    `said` is the cost in words.
    """

    parts: tuple[Part, ...]
    said: str
    scale: int


class ShownSignature(msgspec.Struct, frozen=True):
    signature: SignatureRow
    budget: Budget
    tier: str


class Joined(msgspec.Struct, frozen=True):
    """The C++ of a repository: how much of it could be followed, and some of the reasons why the rest could not."""

    repository: RepositoryRow
    reasons: tuple[Unfollowed, ...]
    left_out: int


class ShownShader(msgspec.Struct, frozen=True):
    shader: ShaderRow
    lanes: tuple[Lane, ...]
    budget: Budget | None


def page(database: sqlite3.Connection, titles: dict[str, str], most_shaders: int) -> Iterator[bytes]:
    """The page, piece by piece. `titles` say what each rule finds."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        autoescape=True,
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    environment.filters["code"] = _with_code
    style = (_TEMPLATES / "page.css").read_text(encoding="utf-8")
    summary = summarised(database)
    shown, left_out = _shaders(database, most_shaders)
    signatures = sorted(signature_rows(database), key=lambda row: -row.cost)
    values = {
        "style": style,
        "style_hash": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        "version": version("bindlint"),
        "summary": summary,
        "rules": _rules(database, summary, titles),
        "unread": summary.unread[:MOST_UNREAD],
        "unread_left_out": max(0, len(summary.unread) - MOST_UNREAD),
        "few_unread": FEW_UNREAD,
        "most_notes": MOST_NOTES,
        "joined": list(_joined(summary)),
        "signatures": [_shown_signature(row) for row in signatures[:MOST_SIGNATURES]],
        "signatures_left_out": max(0, len(signatures) - MOST_SIGNATURES),
        "shaders": shown,
        "shaders_left_out": left_out,
        "max_cost": MAX_COST,
        "seconds": lambda milliseconds: f"{milliseconds / 1000:.1f} s",
    }
    for piece in environment.get_template("page.html").generate(values):
        yield piece.encode("utf-8", "replace")


def _visible(value: Any) -> Any:
    """Names may hold what a browser would act on without showing it."""
    return escape(value) if type(value) is str else value


def _with_code(text: str) -> Any:
    """A message with what stands between backquotes as code."""
    from markupsafe import Markup

    plain, code = Markup("{}"), Markup("<code>{}</code>")
    parts = enumerate(text.split("`"))
    return Markup("").join((code if number % 2 else plain).format(escape(part)) for number, part in parts)


def _rules(database: sqlite3.Connection, summary: Summary, titles: dict[str, str]) -> list[ShownRule]:
    shown = []
    room = MOST_FINDINGS
    for rule in summary.rules:
        findings = tuple(
            ShownFinding(
                cluster, related(database, cluster.id)[:_SHADERS_SEEN],
                tuple(seen_from(database, cluster.id, _SHADERS_SEEN)),
            )
            for cluster in clusters(database, rule.code, min(MOST_OF_A_RULE, room))
        )  # fmt: skip
        room -= len(findings)
        shown.append(ShownRule(rule, titles.get(rule.code, ""), findings, rule.count - len(findings)))
    return shown


def _joined(summary: Summary) -> Iterator[Joined]:
    for repository in summary.repositories:
        reasons = [each for each in summary.unfollowed if each.repository == repository.name]
        if repository.hosts:
            left = max(0, len(reasons) - MOST_UNFOLLOWED)
            yield Joined(repository, tuple(reasons[:MOST_UNFOLLOWED]), left)


def _shown_signature(row: SignatureRow) -> ShownSignature:
    if row.tier is None:
        tier = "none" if row.complete else "?"
    else:
        tier = str(row.tier) if row.complete else f"at least {row.tier}"
    return ShownSignature(row, _budget(row.document), tier)


def _budget(signature: RootSignatureDocument) -> Budget:
    parts = tuple(_parts(signature))
    cost = sum(part.cost for part in parts)
    known = signature.cost is not None
    return Budget(parts, str(cost) if known else f"at least {signature.least_cost}", max(MAX_COST, cost))


def _shaders(database: sqlite3.Connection, most: int) -> tuple[list[ShownShader], int]:
    """The shaders that are drawn, and how many others there are."""
    shown: list[ShownShader] = []
    size = 0
    total = database.execute(
        "SELECT count(*) FROM shaders WHERE bindings<>'[]' OR root_signature IS NOT NULL"
    ).fetchone()[0]
    for shader in telling_shaders(database, most):
        lanes = register_map(shader.bindings, shader.signature, shader.stage)
        size += sum(900 + 500 * (len(line.bars) + len(line.ranges)) for lane in lanes for line in lane.lines)
        if shown and size > MOST_BYTES_OF_SHADERS:
            break
        shown.append(ShownShader(shader, lanes, None if shader.signature is None else _budget(shader.signature)))
    return shown, int(total) - len(shown)


def _parts(signature: RootSignatureDocument) -> Iterator[Part]:
    start = 0
    for parameter in signature.parameters:
        cost = parameter.cost or 0
        yield Part(parameter, parameter_name(parameter), _registers(parameter), start, cost)
        start += cost


def _registers(parameter: ParameterDocument) -> str:
    """What a parameter covers, in words; `?` for what is not known."""
    if parameter.kind != "table":
        cls = {"constants": "b", "cbv": "b", "srv": "t", "uav": "u"}[parameter.kind]
        return _range(cls, parameter.register, parameter.space, 1)
    parts = [_range(part.cls, part.register, part.space, part.count) for part in parameter.ranges]
    return "; ".join([*parts, *(["..."] if "ranges" in parameter.unknown else [])])


def _range(cls: str, register: int | None, space: int | None, count: int | None) -> str:
    if register is None:
        return f"{cls}?"
    last = "-unbounded" if count is None else f"-{cls}{register + count - 1}" if count > 1 else ""
    return f"{cls}{register}{last}{f', space{space}' if space else ''}"
