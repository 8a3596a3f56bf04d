"""`register(...)` by the compiler's grammar: what is read, and what each fault says and where."""

from __future__ import annotations

import pytest
from bindlint.facts.register_clause import parse_register
from hypothesis import given
from hypothesis import strategies as st


def read(clause: str):
    text = f"Texture2D a : {clause};".encode()
    start = text.index(b"register")
    return text, parse_register(text, start, start + len(clause.encode()))


@pytest.mark.parametrize(
    ("clause", "profile", "letter", "number", "space", "subscript"),
    [
        ("register(t3)", "", "t", 3, None, ""),
        ("register ( u12 , space2 )", "", "u", 12, 2, ""),
        ("register(t)", "", "t", 0, None, ""),
        ("register(t05, space01)", "", "t", 5, 1, ""),
        ("register(U3)", "", "U", 3, None, ""),
        ("register(t4294967295)", "", "t", 4294967295, None, ""),
        ("register(space3)", "", "", None, 3, ""),
        ("register(vs, t5)", "vs", "t", 5, None, ""),
        ("register(ps_6_0, u3, space2)", "ps_6_0", "u", 3, 2, ""),
        ("register(t1[2])", "", "t", 1, None, "2"),
        ("register(t1[N[0] + 1], space4)", "", "t", 1, 4, "N[0] + 1"),
        ("register(c2)", "", "c", 2, None, ""),
    ],
)
def test_what_is_read(clause, profile, letter, number, space, subscript):
    _, got = read(clause)
    assert (got.profile, got.letter, got.number, got.space, got.subscript, got.fault) == (
        profile,
        letter,
        number,
        space,
        subscript,
        None,
    )


@pytest.mark.parametrize(
    ("clause", "place", "message"),
    [
        ("register()", ")", "expected a register such as t0, or a space, found ')'"),
        ("register(0)", "0", "expected a register such as t0, or a space, found '0'"),
        ("register(x0)", "x0", "unsupported register type in 'x0', expected one of b, c, i, s, t, u"),
        ("register(hs, t5)", "hs", "unsupported register type in 'hs'"),
        ("register(tx)", "tx", "register number in 'tx' must be decimal digits"),
        ("register(t0x5)", "t0x5", "register number in 't0x5' must be decimal digits"),
        ("register(t4294967296)", "t4294967296", "at most 4294967295"),
        ("register(t5, spac1)", "spac1", "expected a register space such as space0, found 'spac1'"),
        ("register(t5, Space1)", "Space1", "expected a register space such as space0, found 'Space1'"),
        ("register(t5, space)", "space", "register space in 'space' must be decimal digits"),
        ("register(t5, space(1))", "space", "register space in 'space' must be decimal digits"),
        ("register(t5, space4294967296)", "space4294967296", "at most 4294967295"),
        ("register(t5, space1, space2)", ",", "expected ')' to close 'register(', found ','"),
        ("register(t5, 1)", "1", "expected a space such as space0, found '1'"),
        ("register(t1[-2])", "-2", "register subscript '-2' must not be negative"),
        ("register(t1[])", "[]", "expected a constant between '[' and ']'"),
        ("register(t1[2)", ")", "expected ']' to close the subscript, found ')'"),
        ("register(ps t0)", "t0", "expected ',' after the profile 'ps', found 't0'"),
        ("register(t0", "", "expected ')' to close 'register(', found the end of the declaration"),
        ("register t0", "t0", "expected '(' after 'register', found 't0'"),
    ],
)
def test_faults(clause, place, message):
    text, got = read(clause)
    assert got.fault is not None
    assert text[got.fault.start : got.fault.end].decode() == place
    assert message in got.fault.message


def test_places_are_those_of_the_whole_text():
    text, got = read("register(q1)")
    assert text[got.start : got.end] == b"register(q1)"
    assert got.fault is not None
    assert text[got.fault.start : got.fault.end] == b"q1"


@given(st.text(alphabet="regist(),[]tu0 9space_-\n"))
def test_any_clause_is_read_or_faulted(rest):
    clause = f"register{rest}".encode()
    got = parse_register(clause, 0, len(clause))
    assert (got.start, got.end) == (0, len(clause))
    if got.fault:
        assert 0 <= got.fault.start <= got.fault.end <= len(clause)
    else:
        assert got.letter or got.space is not None
