"""Rule packs: found by the entry-point group `bindlint.rules`, loaded when rules are needed, held to unique codes."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from bindlint.config import ConfigurationError
from bindlint.rule import Rule

GROUP = "bindlint.rules"

FAMILIES = {
    "input": "BL0",
    "registers": "BL1",
    "root-signature": "BL2",
    "shader-signature": "BL3",
    "tiers": "BL4",
    "pipelines": "BL5",
    "host-calls": "BL6",
    "heaps": "BL7",
    "permutations": "BL8",
    "advice": "BL9",
}
"""Family -> prefix of its codes. Third-party codes have families by their letters only."""


def pack_of(rule: Rule) -> str:
    """The name of the top-level module that the rule came from."""
    return (rule.check.__module__ or "").partition(".")[0]


def family_of(code: str) -> str:
    """The family's name, or the letters of a third-party code."""
    return next((name for name, prefix in FAMILIES.items() if code.startswith(prefix)), code.rstrip("0123456789"))


def load_rules(packs: Iterable[EntryPoint] | None = None) -> tuple[Rule, ...]:
    """Every rule of every installed pack, by code.

    Raises `ConfigurationError` that names the pack where one cannot be imported, has no `RULES`, or repeats a code or a
    name of another.
    """
    found: dict[str, Rule] = {}
    for pack in sorted(entry_points(group=GROUP) if packs is None else packs, key=lambda pack: pack.name):
        for rule in _rules_of(pack):
            for word in (rule.code, rule.name):
                if word in found and found[word] is not rule:
                    other = found[word]
                    raise ConfigurationError(
                        f"rule pack `{pack.name}` ({pack.value}): {rule.code} {rule.name} repeats `{word}` of "
                        f"{other.code} {other.name} in {pack_of(other)}"
                    )
                found[word] = rule
    return tuple(sorted(set(found.values()), key=lambda rule: rule.code))


def _rules_of(pack: EntryPoint) -> tuple[Rule, ...]:
    try:
        module = pack.load()
    except Exception as error:  # a pack's own code runs here, and may fail in any way
        raise ConfigurationError(
            f"rule pack `{pack.name}` ({pack.value}) cannot be imported: {type(error).__name__}: {error}"
        ) from error
    rules = getattr(module, "RULES", None)
    if not isinstance(rules, tuple) or not all(isinstance(rule, Rule) for rule in rules):
        raise ConfigurationError(f"rule pack `{pack.name}` ({pack.value}) has no `RULES: tuple[Rule, ...]`")
    return rules
