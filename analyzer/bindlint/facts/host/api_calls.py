"""Every call of the API that is known, by its name: the one place where the modules that know them meet."""

from __future__ import annotations

from bindlint.facts.host import creation, lists
from bindlint.facts.host.device import FunctionOf, Method

METHODS: dict[str, Method] = {**lists.METHODS, **creation.METHODS}
FUNCTIONS: dict[str, FunctionOf] = {**creation.FUNCTIONS}
