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
        (function(f"{CALL}\n" * 60_000), "BL013", "takes too long to follow", 2),
        (
            "".join(f"void F{i}(ID3D12GraphicsCommandList* list, int a)\n{{ {CALL * 50} }}\n" for i in range(900)),
            "BL013", "the file takes too long to follow", None,
        ),
        (f"{MACROS}{HEAD}int b = A15 0; {CALL}\n}}\n", "BL010", "", None),
        (b"ID3D12Device* d;" + bytes(5000), "BL005", "", 1),
    ],
    ids=[
        "ifs", "parentheses", "braces", "deep values", "large values", "a long function", "many functions", "macros",
        "no text",
    ],
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


MADE = "D3D12SerializeRootSignature(&d, D3D_ROOT_SIGNATURE_VERSION_1, &b, 0);"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"CD3DX12_ROOT_PARAMETER p[5000]; CD3DX12_ROOT_SIGNATURE_DESC d(5000, p); {MADE}", "root parameters"),
        (f"CD3DX12_ROOT_PARAMETER p[1]; CD3DX12_ROOT_SIGNATURE_DESC d(1e30, p); {MADE}", "root parameters"),
        (f"CD3DX12_ROOT_PARAMETER p[1]; CD3DX12_ROOT_SIGNATURE_DESC d(1e999, p); {MADE}", "root parameters"),
        (f"CD3DX12_ROOT_PARAMETER p[1]; CD3DX12_ROOT_SIGNATURE_DESC d(-1, p); {MADE}", "root parameters"),
        (f"CD3DX12_ROOT_SIGNATURE_DESC d(0, nullptr, 70000, samplers); {MADE}", "static samplers"),
        (
            "CD3DX12_ROOT_PARAMETER p[1]; D3D12_DESCRIPTOR_RANGE r[2]; p[0].InitAsDescriptorTable(100000, r);"
            f" CD3DX12_ROOT_SIGNATURE_DESC d(1, p); {MADE}",
            "ranges of parameter 0",
        ),
    ],
)
def test_numbers_that_no_signature_has_are_told(tmp_path: Path, body: str, message: str) -> None:
    output = check(tmp_path, function(body)).output
    assert f"error[BL013] the {message} are said to be" in output
    assert "1 root signature (0 known whole)" in output


@pytest.mark.parametrize(
    "filled",
    [
        "CD3DX12_ROOT_PARAMETER p[] = {" + "{}, " * 4500 + "};",
        "CD3DX12_ROOT_PARAMETER p[4500] = {};",
        "std::vector<CD3DX12_ROOT_PARAMETER> p; for (int i = 0; i < 4500; ++i) { p.push_back({}); }",
        "std::array<CD3DX12_ROOT_PARAMETER, 4500> p = {};",
    ],
)
def test_arrays_that_are_too_long_to_follow_end_nowhere(tmp_path: Path, filled: str) -> None:
    result = check(tmp_path, function(f"{filled} p[4400].InitAsConstantBufferView(1);"))
    assert result.exit_code == 0, result.output


def test_types_that_nest_have_no_end(tmp_path: Path) -> None:
    structs = "".join(f"struct S{i} {{ S{i - 1} m[2]; }};\n" for i in range(1, 3000))
    arrays = "std::array<" * 3000 + "int" + ", 2>" * 3000
    names = "".join(f"using T{i} = T{i - 1};\n" for i in range(1, 3000))
    itself = "enum class E : E { A }; using U = V; using V = U;"
    text = f"struct S0 {{ int a; }};\n{structs}{names}{itself} struct A {{ {arrays} a; T2999 t; E e; U u; }};\n"
    assert check(tmp_path, text + function("A a; S2999 s; s.m[1].m[1] = a; int n = sizeof(A);")).exit_code == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_every_encoding_is_found_in_a_folder(tmp_path: Path, encoding: str) -> None:
    check(tmp_path, function(CALL).encode(encoding))
    assert NO_SIGNATURE in CliRunner().invoke(group, ["check", "--isolated", str(tmp_path)]).output
