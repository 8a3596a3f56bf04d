"""`bindlint rules`: the table of every installed rule."""

from __future__ import annotations

import click

from bindlint.cli import Failure
from bindlint.config import ConfigurationError
from bindlint.engine_rules import ENGINE_RULES
from bindlint.plugins import family_of, load_rules, pack_of
from bindlint.report.terminal import columns, escape


@click.command("rules")
def command() -> None:
    """Print the table of all rules: code, name, severity, family, pack, summary."""
    try:
        rules = sorted((*load_rules(), *ENGINE_RULES), key=lambda rule: rule.code)
    except ConfigurationError as error:
        raise Failure(str(error)) from error
    rows = [("CODE", "NAME", "SEVERITY", "FAMILY", "PACK", "SUMMARY")]
    rows += [
        (r.code, r.name, r.severity if r.enabled else "off", family_of(r.code), pack_of(r), r.summary) for r in rules
    ]
    for line in columns([tuple(map(escape, row)) for row in rows]):
        click.echo(line)
