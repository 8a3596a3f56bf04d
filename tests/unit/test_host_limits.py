"""Host code that is large, deep or no text: followed to its end, or told where it is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bindlint.cli import group
from bindlint.nesting import MAX_NESTING
from click.testing import CliRunner, Result

HEAD = "#include <d3d12.h>\nvoid Draw(ID3D12GraphicsCommandList* list, int a)\n{ list->Reset(allocator, nullptr);\n"
CALL = "list->SetGraphicsRoot32BitConstant(0, 1, 0);"
NO_SIGNATURE = "BL604"
MACROS = "#define A0 1 +\n" + "".join(f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1}\n" for i in range(1, 16))


def check(folder: Path, text: str | bytes, *options: str) -> Result:
    path = folder / "draw.cpp"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CliRunner().invoke(group, ["check", "--isolated", *options, str(path)])


def function(body: str) -> str:
    return f"{HEAD}{body}\n}}\n"


def chain(links: int) -> str:
    return "".join(f"if (a == {i}) {{ a = {i}; }} else " for i in range(links)) + f"{{ {CALL} }}"


def nested_ifs(depth: int) -> str:
    return "if (a) { " * depth + CALL + " }" * depth


@pytest.mark.parametrize("body", [chain(49), chain(50), chain(4000), nested_ifs(50), nested_ifs(400)])
def test_what_generators_write_is_followed(tmp_path: Path, body: str) -> None:
    result = check(tmp_path, function(body))
    assert NO_SIGNATURE in result.output
    assert "BL013" not in result.output


@pytest.mark.parametrize("links", [1, 2, 60])
def test_a_chain_joins_what_its_branches_do(tmp_path: Path, links: int) -> None:
    some = function(chain(links).replace("a = 0;", "list->SetGraphicsRootSignature(first);") + CALL)
    branches = "".join(f"if (a == {i}) {{ list->SetGraphicsRootSignature(first); }} else " for i in range(links))
    every = function(f"{branches}{{ list->SetGraphicsRootSignature(first); }} {CALL}")
    assert check(tmp_path, every).exit_code == 0
    assert NO_SIGNATURE in check(tmp_path, some).output


@pytest.mark.parametrize(
    ("text", "code", "message", "line"),
    [
        (function(nested_ifs(5000)), "BL013", f"nests more than {MAX_NESTING} deep", 4),
        (function(f"int b = {'(' * 3000}a{')' * 3000}; {CALL}"), "BL013", f"nests more than {MAX_NESTING} deep", 4),
        (
            function(f"D3D12_ROOT_PARAMETER p = {'{' * 10_000}0{'}' * 10_000};"),
            "BL013", f"nests more than {MAX_NESTING} deep", 4,
        ),
        (function("S s; " + "s.t = s; " * 3000 + CALL), "BL013", "takes too long to follow", 2),
        (function("S s; " + "s.t = s; s.u = s; " * 50 + CALL), "BL013", "takes too long to follow", 2),
        (function(f"{CALL}\n" * 20_000), "BL013", "takes too long to follow", 2),
        (
            "".join(f"void F{i}(ID3D12GraphicsCommandList* list, int a)\n{{ {CALL * 50} }}\n" for i in range(2000)),
            "BL013", "the file takes too long to follow", None,
        ),
        (f"{MACROS}{HEAD}int b = A15 0; {CALL}\n}}\n", "BL010", "", None),
        (b"ID3D12Device* d;" + bytes(5000), "BL005", "", 1),
    ],
    ids=["ifs", "parentheses", "braces", "deep values", "large values", "a long function", "many functions", "macros", "no text"],
)  # fmt: skip
def test_what_is_not_followed_is_told(
    tmp_path: Path, text: str | bytes, code: str, message: str, line: int | None
) -> None:
    result = check(tmp_path, text)
    assert result.exit_code == 1, result.output
    assert f"error[{code}]" in result.output
    assert message in result.output
    assert "1 file of host code only partly followed" in result.output
    document = json.loads(check(tmp_path, text, "--format", "json", "--allow-partial").output)
    (host,) = document["hosts"]
    told = [finding for finding in host["findings"] if finding["code"] == code]
    assert {finding["severity"] for finding in told} == {"info"}
    assert len(told) == len([problem for problem in host["problems"] if message in problem["message"]]) > 0
    assert document["summary"]["partial_hosts"] == 1
    assert line in (None, told[0]["line"])


@pytest.mark.parametrize(("options", "status"), [((), 1), (("--allow-partial",), 0), (("--ignore", "BL013"), 0)])
def test_exit_status_of_what_is_partly_followed(tmp_path: Path, options: tuple[str, ...], status: int) -> None:
    text = function(nested_ifs(2000).replace(CALL, "list->SetGraphicsRootSignature(first);"))
    assert check(tmp_path, text, *options).exit_code == status
