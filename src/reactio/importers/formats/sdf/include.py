"""Includes of SDF: each ``<include>`` becomes the model of the file that it names, placed and named as it says."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from reactio.errors import ModelError, ReactioError
from reactio.importers.formats.sdf.files import SdfFiles
from reactio.importers.reading.xml import SLOW_BYTES, XmlElement, parse_xml
from reactio.model.notes import Note, NoteKind
from reactio.operating_system.files import MOST_MODEL_BYTES, read_text

SCENERY = ("sun", "ground_plane")  # models that nearly every world includes, without joints
OVERRIDDEN = ("pose", "static")  # elements of the model that those of the include replace
NOT_FOLLOWED = ("experimental:params", "joint", "link", "frame")  # changes of the included model
MOST_NESTED_INCLUDES = 32  # files that include one another; robots of robots have three or four
MOST_NAMES_IN_NOTE = 5  # of models: more are not read
log = logging.getLogger("reactio")


@dataclass(slots=True, eq=False)
class _Included:
    """The included files read so far: their size, the names of their models, and notes."""

    files: SdfFiles
    prepare: Callable[[XmlElement], list[Note]]  # what is done to the root of each file, with its notes
    size: int = 0  # bytes, each file as often as it is included
    texts: dict[Path, str] = field(default_factory=dict)
    names: dict[Path, list[str]] = field(default_factory=dict)  # of models, by the file they come from
    notes: dict[Note, None] = field(default_factory=dict)  # each once


def with_includes(root: XmlElement, files: SdfFiles, prepare: Callable[[XmlElement], list[Note]]) -> list[Note]:
    """Replace all includes below a root, those of included files too; returns notes on them.

    ``prepare`` is called with the root of every included file before its model is taken.
    """
    reading = _Included(files, prepare)
    start: tuple[Path, ...] = (files.path.resolve(),)
    waiting = deque([(root, "", start)])
    while waiting:
        holder, scope, chain = waiting.popleft()
        children = []
        pending = deque((child, chain) for child in holder.children)
        while pending:
            child, inside = pending.popleft()
            if child.tag == "include":
                included = _included(reading, child, scope, inside)
                if included is None:
                    continue
                merge = child.get("merge") in ("true", "1")
                child, inside = included
                if merge:
                    pending.extendleft((member, inside) for member in reversed(_merged_members(child)))
                    continue
            children.append(child)
            if child.tag == "world":  # names in a world have no prefix
                waiting.append((child, scope, inside))
            if child.tag == "model":
                waiting.append((child, f"{scope}{child.get('name')}::", inside))
        holder.children = children
    for unread in (element for element in root.walk() if element.tag == "include"):
        raise unread.fail("an <include> is read in a <model> or a <world> only.")
    read = [
        Note(NoteKind.REMARK, f"include '{reading.files.shown(file)}'", _read_as(names))
        for file, names in reading.names.items()
    ]
    return [*reading.notes, *read]


def _read_as(names: list[str]) -> str:
    some = ", ".join(f"'{name}'" for name in names[:MOST_NAMES_IN_NOTE])
    return f"read as {some}" + (
        f" and {len(names) - MOST_NAMES_IN_NOTE:,} more" if len(names) > MOST_NAMES_IN_NOTE else ""
    )


def _included(
    reading: _Included, include: XmlElement, scope: str, chain: tuple[Path, ...]
) -> tuple[XmlElement, tuple[Path, ...]] | None:
    """The model of an include with the files that lead to it; None where it has no joints."""
    given = include.find("uri")
    uri = given.text.strip() if given is not None else ""
    if not uri:
        raise include.fail("an <include> has no <uri>; name the file in it.")
    last = uri.rstrip("/").rpartition("/")[2]
    if last.lower().replace(" ", "_") in SCENERY:
        reading.notes[Note(NoteKind.SKIPPED, f"include '{last}'", "it holds no joints")] = None
        return None
    try:
        file = reading.files.included(uri, chain[-1])
    except ReactioError as error:
        raise include.fail(f"includes '{uri[:200]}': {error}") from None
    _check_chain(reading, include, file, chain)
    model = _model(reading, file, include)
    if model is None:
        reading.notes[Note(NoteKind.SKIPPED, f"include '{last}'", "it holds a light or an actor, and no joints")] = None
        return None
    placed = _placed(include, model)
    reading.names.setdefault(file, []).append(f"{scope}{placed.get('name')}")
    return placed, (*chain, file)


def _check_chain(reading: _Included, include: XmlElement, file: Path, chain: tuple[Path, ...]) -> None:
    """Refuse files that include one another in a circle, or too many nested ones."""
    if file in chain:
        circle = " → ".join(reading.files.shown(step) for step in (*chain[chain.index(file) :], file))
        raise include.fail(f"files include one another in a circle: {circle}.")
    if len(chain) > MOST_NESTED_INCLUDES:
        raise include.fail(
            f"files include one another more than {MOST_NESTED_INCLUDES} deep, down to '{reading.files.shown(file)}'."
        )


def _model(reading: _Included, file: Path, include: XmlElement) -> XmlElement | None:
    """The only model of a file, read again for each include; None for a light or an actor."""
    if file not in reading.texts:
        try:
            reading.texts[file] = read_text(file)
        except ModelError as error:
            raise include.fail(f"an include cannot be followed: {error}") from None
    text, before = reading.texts[file], reading.size
    reading.size += len(text)
    if reading.size > MOST_MODEL_BYTES:
        limit = f"at most {MOST_MODEL_BYTES // 2**20} MB are read"
        raise include.fail(f"the files together, each as often as it is included, are too large; {limit}.")
    if before <= SLOW_BYTES < reading.size:
        log.info(f"{include.file}: more than {SLOW_BYTES // 2**20} MB of included files are being read …")
    root = parse_xml(text, str(file))
    if root.tag != "sdf":
        raise root.fail(f"the root is <{root.tag}>; an include names an SDF file, which starts with <sdf>.")
    reading.notes |= dict.fromkeys(reading.prepare(root))
    models = root.all("model")
    if not models and (root.find("light") or root.find("actor")) is not None:
        return None
    if len(models) != 1 or root.find("world") is not None:
        raise root.fail(
            f"holds {len(models)} models{' and a world' if root.find('world') else ''}; an include takes one model."
        )
    return models[0]


def _placed(include: XmlElement, model: XmlElement) -> XmlElement:
    """The model with the name, pose, placement frame and ``static`` that its include gives."""
    given = {child.tag: child for child in include.children}
    for tag in NOT_FOLLOWED:
        if tag in given:
            raise given[tag].fail(
                f"an include changes its model by <{tag}>, which is not read; change the model itself."
            )
    attributes = dict(model.attributes)
    if "name" in given:
        attributes["name"] = given["name"].text.strip()
    if "placement_frame" in given:
        if "pose" not in given:
            raise include.fail("an include gives a <placement_frame> and no <pose> for it; give both.")
        attributes["placement_frame"] = given["placement_frame"].text.strip()
    pose = model.find("pose")
    if "pose" not in given and pose is not None and pose.get("relative_to"):
        raise pose.fail(
            f"model '{model.get('name')}' has a pose relative to '{pose.get('relative_to')}', which is not in its file."
        )
    over = [given[tag] for tag in OVERRIDDEN if tag in given]
    kept = [child for child in model.children if child.tag not in OVERRIDDEN or child.tag not in given]
    return XmlElement("model", attributes, include.file, include.line, [*over, *kept], model.text)


def _merged_members(model: XmlElement) -> list[XmlElement]:
    """The members of a model that an include merges: in the place of the model is a frame of its name and pose.

    Poses relative to the model become relative to that frame, ``_merged__NAME__model__`` as Gazebo calls it.
    """
    name = f"_merged__{model.get('name')}__model__"
    first = model.find("link")
    on = {"attached_to": model.get("canonical_link") or first.get("name")} if first is not None else {}
    place = model.find("pose") or XmlElement("pose", {}, model.file, model.line, text="0 0 0 0 0 0")
    place.attributes.setdefault("relative_to", "__model__")
    frame = XmlElement("frame", {"name": name, **on}, model.file, model.line, [place])
    members = [child for child in model.children if child.tag != "pose"]
    for member in members:
        for inner in member.walk():
            if inner.get("relative_to") == "__model__":
                inner.attributes["relative_to"] = name
            if inner.text.strip() == "__model__":
                inner.text = name
        if member.tag in ("link", "model") or (member.tag == "frame" and not member.get("attached_to")):
            pose = member.find("pose")
            if pose is None:
                pose = XmlElement("pose", {}, member.file, member.line, text="0 0 0 0 0 0")
                member.children.append(pose)
            pose.attributes.setdefault("relative_to", name)
    return [frame, *members]
