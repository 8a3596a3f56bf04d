"""The page tester itself: what it reads out of a page, and that no kind of difference escapes it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import pytest
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Violation
from bindlint.rule import Rule
from bindlint.testing import HEADINGS, Mark, check_page, read_page


def _named_wrong(analysis: ShaderAnalysis) -> Iterable[Violation]:
    for resource in analysis.resources:
        if resource.name.startswith("wrong"):
            yield Violation(f"`{resource.name}` is wrong", resource.span)


RULE = Rule("XX100", "never-wrong", "error", "shader", "Nothing may be called wrong", _named_wrong)
PAGE = """\
# never-wrong (XX100)

Text.

## Why it matters

## Bad

```hlsl
{bad}
float4 main() : SV_Target {{ return wrong.Load(int3(0, 0, 0)); }}
```

## Good

```hlsl
Texture2D<float4> right;
float4 main() : SV_Target {{ return right.Load(int3(0, 0, 0)); }}
```

## Edge cases

## Source
"""
MARKED = 'Texture2D<float4> wrong : register(t1); // expect: XX100 "is wrong"'


def differences(tmp_path: Path, text: str, rules: Sequence[Rule] = (RULE,)) -> list[str]:
    page = tmp_path / "never_wrong.md"
    page.write_text(text)
    return check_page(page, rules)


def test_a_right_page(tmp_path: Path) -> None:
    assert differences(tmp_path, PAGE.format(bad=MARKED)) == []


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ("Texture2D<float4> wrong : register(t1);", "unexpected error[XX100] `wrong` is wrong"),
        (MARKED.replace("is wrong", "is right"), 'expected XX100 "is right", found XX100 `wrong` is wrong'),
        (MARKED.replace("XX100", "XX101"), 'expected XX101 "is wrong", found XX100 `wrong` is wrong'),
        (MARKED + "\n// expect: XX100", 'shader.hlsl:2: expected XX100 "", found nothing'),
    ],
)
def test_findings_that_differ(tmp_path: Path, bad: str, told: str) -> None:
    assert any(told in line for line in differences(tmp_path, PAGE.format(bad=bad)))


def test_notes_are_marked_on_the_page_of_their_own_rule_only(tmp_path: Path) -> None:
    own = msgspec.structs.replace(RULE, severity="info")
    other = msgspec.structs.replace(own, code="XX200", name="also-never-wrong")
    text = PAGE.format(bad=f"{MARKED}\nTexture2D<float4> wrong_too;")
    (difference,) = differences(tmp_path, text, [own, other])
    assert "shader.hlsl:2: unexpected info[XX100] `wrong_too` is wrong" in difference


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("# never-wrong (XX100)", "# ever-wrong (XX100)", "the title must be"),
        ("## Source", "## Sources", "the headings must be"),
        (MARKED, MARKED.partition("//")[0], "no block shows a finding of XX100"),
    ],
)
def test_form_of_the_page(tmp_path: Path, old: str, new: str, told: str) -> None:
    text = PAGE.format(bad=MARKED)
    assert old in text
    assert any(told in line for line in differences(tmp_path, text.replace(old, new)))


CONFIGURED = """\
```toml
# bindlint.toml
ignore = ["XX100"]
```

Text between.

```hlsl
Texture2D<float4> wrong;
float4 main() : SV_Target {{ return 0; }}
```

```toml
[not]
settings = "of bindlint"
```

```hlsl
{second}
float4 main() : SV_Target {{ return 0; }}
```

## Edge cases
"""


@pytest.mark.parametrize(
    ("second", "told"),
    [(MARKED, []), (MARKED.partition("//")[0], ["unexpected error[XX100]"])],
)
def test_settings_hold_for_the_next_block_only(tmp_path: Path, second: str, told: list[str]) -> None:
    text = PAGE.format(bad=MARKED).replace("## Edge cases\n", CONFIGURED.format(second=second))
    found = differences(tmp_path, text)
    assert len(found) == len(told) and all(part in line for part, line in zip(told, found, strict=True)), found


def test_options_files_and_marks_of_a_block(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# never-wrong (XX100)\n\n```hlsl\n"
        "// bindlint: -T cs_6_6 -D N=1 oracle=skip:no-reason encoding=latin-1 limit:file_bytes=10\n"
        'a // expect: XX100 "one" XX101\n'
        "// file: more/b.hlsli\n"
        "é\n"
        "b // expect: XX102\n"
        "```\n\n## Source\n"
    )
    read = read_page(page)
    assert (read.name, read.code, read.headings) == ("never-wrong", "XX100", ("Source",))
    assert set(HEADINGS) > set(read.headings)
    (block,) = read.blocks
    assert block.line == 4
    assert block.arguments == ("-T", "cs_6_6", "-D", "N=1", "-E", "main")
    assert block.oracle == "skip:no-reason"
    assert block.limits == (("file_bytes", 10),)
    assert block.files[1] == ("more/b.hlsli", b"\xe9\nb // expect: XX102\n")
    assert block.marks == (
        Mark("shader.hlsl", 2, "XX100", "one"),
        Mark("shader.hlsl", 2, "XX101", ""),
        Mark("more/b.hlsli", 2, "XX102", ""),
    )
