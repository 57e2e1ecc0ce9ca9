"""The format of a file: by its suffix where that is unambiguous, else by the beginning of its content."""

from __future__ import annotations

import re
from pathlib import Path

from reactio.errors import ModelError, did_you_mean
from reactio.importers import FORMATS, Format

HEAD_BYTES = 65536  # at the beginning of a file: long comments before the first element included
FIRST_TAG = re.compile(rb"<\s*([A-Za-z_][\w.:-]*)")
OWN_SUFFIXES = (".yaml", ".yml")
SAVE_ASSEMBLY = "STEP files hold shapes and seldom joints; save the assembly as FreeCAD .FCStd, or export URDF or MJCF"
# Suffixes of formats that are not read, with advice on what to save instead.
UNREADABLE = {
    ".step": SAVE_ASSEMBLY,
    ".stp": SAVE_ASSEMBLY,
    ".mo": "Modelica models need a compiler; export the mechanism as URDF or write it as YAML",
    ".slx": "Simscape models need its licence; export URDF or YAML from it",
    ".xacro": "xacro is a macro language; expand the file first: `xacro robot.xacro > robot.urdf`",
    ".sldasm": "SolidWorks files are not read; export URDF from it",
}


def is_foreign(path: Path) -> bool:
    """Is it, by its suffix, a file of another program rather than a model file of Reactio?"""
    suffix = path.suffix.lower()
    if suffix in OWN_SUFFIXES:
        return False
    return suffix in UNREADABLE or any(suffix in format_.suffixes for format_ in FORMATS.values()) or suffix == ".xml"


def format_of(path: Path) -> Format:
    """The format of a file."""
    suffix = path.suffix.lower()
    if suffix in UNREADABLE:
        raise ModelError(f"{UNREADABLE[suffix]}.", place=str(path))
    if not path.exists():
        raise ModelError("there is no such file.", place=str(path))
    if suffix in OWN_SUFFIXES:
        raise ModelError("is a Reactio model file: every command reads it directly.", place=str(path))
    certain = [format_ for format_ in FORMATS.values() if suffix in format_.suffixes]
    if len(certain) == 1:
        return certain[0]
    head = _head(path)
    root = root_tag(head)
    for format_ in FORMATS.values():
        if root in format_.tags or any(head.startswith(tag.encode()) for tag in format_.tags):
            return format_
    tags = sorted(tag for format_ in FORMATS.values() for tag in format_.tags)
    reason = f"its root is <{root}>" if root else "it is not XML"
    raise ModelError(
        f"no format is known for this file: {reason}.{did_you_mean(root or suffix, tags)}", place=str(path)
    )


def root_tag(head: bytes) -> str:
    """The name of the first element, comments and declarations skipped."""
    text = re.sub(rb"<!--.*?-->", b"", head, flags=re.S)
    match = FIRST_TAG.search(text)
    return match.group(1).decode("ascii", "replace") if match else ""


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}.", place=str(path)) from None
