"""What stands for a body that cannot be taken apart: every name in it."""

from __future__ import annotations

import msgspec

from bindlint.usage.bodies.expressions import IDENTIFIER, ExpressionParser
from bindlint.usage.bodies.syntax import Assign, Body, Call, Local, Ref


def bag_of(text: str, parameters: tuple[Local, ...]) -> Body:
    """Every identifier of a body, as if each were read, written and called."""
    parser = ExpressionParser(text, parameters)
    names = dict.fromkeys(t for t in parser.tokens if IDENTIFIER.match(t))
    parser.free.update(names)
    found = [(n, parser.find(n)) for n in names]
    read = (Ref(name, local) for name, local in found)
    written = (Assign((Ref(name, local, ("[]",), ((),), (-1,)),), (), True) for name, local in found)
    parser.add("return", (*read, *written, *(Call(n, ()) for n in names)))
    return msgspec.structs.replace(parser.body(), cut=True)
