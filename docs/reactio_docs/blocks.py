"""The fenced blocks of a Markdown page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"^(`{3,})([a-z]*)\s*\n(.*?)^\1\s*$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^# ([\w./-]+\.(?:yaml|py|csv))$")


@dataclass(frozen=True, slots=True)
class Block:
    """A fence: its language, its text, and where the text stands in the page."""

    language: str
    text: str
    line: int  # of the first line of the text, from 1
    start: int
    stop: int

    @property
    def file(self) -> str:
        """The file this block is, named by a comment in its first line; empty when it is none."""
        found = FILE.match(self.text.partition("\n")[0])
        return found.group(1) if found else ""


def blocks(page: str) -> Iterator[Block]:
    """All fences of a page in order.

    >>> [block.language for block in blocks("```python\\n1 + 1\\n```\\n")]
    ['python']
    """
    for found in FENCE.finditer(page):
        line = page.count("\n", 0, found.start(3)) + 1
        yield Block(found.group(2), found.group(3), line, found.start(3), found.end(3))


def replaced(page: str, changes: dict[Block, str]) -> str:
    """The page with new texts in some of its blocks."""
    for block in sorted(changes, key=lambda b: -b.start):
        page = page[: block.start] + changes[block] + page[block.stop :]
    return page
