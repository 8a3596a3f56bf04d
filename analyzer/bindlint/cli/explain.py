"""`bindlint explain`: a rule's page, by name or by another tool's message; a topic; the limits of a target."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from bindlint.cli import Failure
from bindlint.cli.page_index import read_pages
from bindlint.config import ConfigurationError
from bindlint.engine_rules import ENGINE_RULES
from bindlint.errors import did_you_mean
from bindlint.plugins import FAMILIES, load_rules
from bindlint.rule import Rule
from bindlint.targets import tiers

_HELP = """Print the page of a rule: what it finds, why it matters, examples, sources.

Name a rule by code or name, or several by a family or the beginning of their codes (`BL3`); or give a message id of
D3D12's debug layer (`D3D12:690`, or its name), a message of DXC, FXC or the debug layer as pasted, or `tier 1` or
`12_0` for the limits of hardware. Several rules that fit are listed.

Topics that are no single rule's: views, ways-to-bind, slots, copying-descriptors.
"""

_TOPICS = Path(__file__).parents[1] / "data" / "topics"


@click.command("explain", help=_HELP)
@click.argument("words", nargs=-1, required=True, metavar="CODE|NAME|ID|MESSAGE...")
def command(words: tuple[str, ...]) -> None:
    text = " ".join(words)
    try:
        rules = sorted((*load_rules(), *ENGINE_RULES), key=lambda rule: rule.code)
    except ConfigurationError as error:
        raise Failure(str(error)) from error
    topic = f"{text.strip().lower().replace(' ', '-')}.md"
    if topic in _topics():
        _print((_TOPICS / topic).read_text(encoding="utf-8"))
        return
    target = _target(text)
    if target:
        _print("\n".join([*target, "", *_listed([rule for rule in rules if rule.scope == "target"])]) + "\n")
        return
    found = _find(text, rules)
    _print(_page(found[0]) if len(found) == 1 else "\n".join(_listed(found)) + "\n")


def _topics() -> list[str]:
    return sorted(path.name for path in _TOPICS.glob("*.md"))


def _find(text: str, rules: Sequence[Rule]) -> Sequence[Rule]:
    by_word = {word.lower(): rule for rule in rules for word in (rule.code, rule.name)}
    rule = by_word.get(text.lower())
    if rule is not None:
        return (rule,)
    prefix = FAMILIES.get(text.lower(), text.upper())
    family = [rule for rule in rules if rule.code.startswith(prefix)]
    if family and re.fullmatch(r"[A-Z]+\d+", prefix):
        return family
    index = read_pages(rules)
    named, quoted = index.by_id(text), index.by_message(text)
    # A pasted message of the debug layer has its id; what else it says may tell the rules of that id apart.
    found = [rule for rule in quoted if rule in named] or named or quoted
    if not found:
        words = [word for rule in rules for word in (rule.code, rule.name)]
        topics = [name.removesuffix(".md") for name in _topics()]
        hint = did_you_mean(text, (*words, *FAMILIES, *topics, *index.names))
        raise Failure(f"no rule has the code or name `{text}`, and no page speaks of such a message{hint}")
    return found


def _target(text: str) -> Iterator[str] | None:
    """What `data/tiers.toml` says of a tier or a feature level; None for other words."""
    tier = re.fullmatch(r"(?:resource binding )?tier[ -]?([123])", text.strip(), re.I)
    if tier is not None:
        return _tier(int(tier[1]))
    level = re.fullmatch(r"(?:feature level |FL ?)?(1[12])[_.]([012])", text.strip(), re.I)
    name = f"{level[1]}_{level[2]}" if level is not None else ""
    return _level(name) if any(row.name == name for row in tiers().feature_level) else None


def _tier(number: int) -> Iterator[str]:
    row = tiers().tier[number - 1]
    yield f"# Resource binding tier {number}"
    yield ""
    yield f"From feature level {row.feature_level} on. In descriptor tables:"
    yield ""
    for limit in tiers().table_limit:
        count = limit.tiers[number - 1]
        each = "each stage" if limit.per == "stage" else "all stages together"
        level = f" on feature level {limit.feature_level}" if limit.feature_level else ""
        most = f"at most {count}" if count else "as many as the heap holds"
        unbounded = "may be unbounded" if number >= limit.unbounded else "not unbounded"
        yield f"- {limit.what}, {each}{level}: {most}, {unbounded} ({limit.source})"
    kinds = [limit.what for limit in tiers().table_limit if limit.cls in row.populated and not limit.feature_level]
    needed = ", ".join(kinds) if kinds else "none"
    yield f"- must be there when a bound table is executed, used or not: {needed} ({row.source})"


def _level(name: str) -> Iterator[str]:
    row = tiers().level(name)
    yield f"# Feature level {name}"
    yield ""
    yield f"Every device has at least resource binding tier {row.tier} and root signature version {row.root_signature}"
    yield f"({row.source})."
    yield ""
    yield from _tier(row.tier)


def _listed(rules: Sequence[Rule]) -> Iterator[str]:
    return (f"- {rule.code} {rule.name}: {rule.summary}" for rule in rules)


def _print(text: str) -> None:
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
