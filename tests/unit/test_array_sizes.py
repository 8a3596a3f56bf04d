"""Sizes of arrays of resources as the compiler folds them; `oracle/` holds the same cases against it."""

from __future__ import annotations

import pytest
from cases.array_sizes import SIZES, TEMPLATES, UNTOLD, Size, Template
from cases.usage import analysed


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.text)
def test_size(size: Size) -> None:
    (maps,) = (r for r in analysed(size.shader, "-T ps_6_6 -E main").resources if r.name == "Maps")
    assert (maps.count, maps.untold_size != "") == ((1, True) if size.count == UNTOLD else (size.count, False))


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.text)
def test_template(template: Template) -> None:
    resources = analysed(template.shader, "-T ps_6_6 -E main").resources
    assert sum(r.count or 0 for r in resources if r.cls == "t") == template.count
    assert not any(r.untold_size for r in resources)
