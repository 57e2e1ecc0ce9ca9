"""The list of lint rules in docs/lint.md, made from their registry: ``python -m reactio_docs.lint_rules``."""

from __future__ import annotations

import re
from pathlib import Path

from reactio.linting import rules_by_code

PAGE = Path(__file__).parents[1] / "lint.md"
LISTING = re.compile(r"(?<=<!-- rules -->\n).*(?=<!-- end of rules -->)", re.DOTALL)


def rules_listing() -> str:
    """Every rule with its code, name and explanation, as Markdown."""
    return "".join(f"### {rule.code} {rule.name}\n\n{rule.doc}\n\n" for rule in rules_by_code().values())


if __name__ == "__main__":
    PAGE.write_text(LISTING.sub(lambda _: rules_listing(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
