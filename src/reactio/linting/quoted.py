"""Names in sentences: what stands between the first quotation marks."""

from __future__ import annotations


def quoted_name(text: str) -> str:
    """The first name in quotation marks; empty where there is none.

    >>> quoted_name("inertia of 'arm'")
    'arm'
    """
    return text.split("'")[1] if text.count("'") > 1 else ""
