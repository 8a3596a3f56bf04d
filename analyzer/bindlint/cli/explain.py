"""`bindlint explain`: the page of one rule."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from bindlint.cli import Failure
from bindlint.config import ConfigurationError
from bindlint.engine_rules import ENGINE_RULES
from bindlint.errors import did_you_mean
from bindlint.plugins import load_rules
from bindlint.rule import Rule


@click.command("explain")
@click.argument("rule", metavar="CODE|NAME")
def command(rule: str) -> None:
    """Print the page of a rule: what it finds, why it matters, examples, sources."""
    try:
        rules = (*load_rules(), *ENGINE_RULES)
    except ConfigurationError as error:
        raise Failure(str(error)) from error
    by_word = {word.lower(): known for known in rules for word in (known.code, known.name)}
    found = by_word.get(rule.lower())
    if found is None:
        words = [word for known in rules for word in (known.code, known.name)]
        raise Failure(f"no rule has the code or name `{rule}`{did_you_mean(rule, words)}")
    text = _page(found)
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        click.echo(text, nl=False)


def _page(rule: Rule) -> str:
    if rule.page:
        try:
            return Path(rule.page).read_text(encoding="utf-8")
        except OSError as error:
            raise Failure(f"the page of {rule.code} cannot be read: {rule.page}: {error.strerror}") from error
    return f"# {rule.name} ({rule.code})\n\n{rule.summary}.\n"
