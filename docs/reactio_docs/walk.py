"""The walk of docs/architecture.md: the files that commands pass, from a trace of their calls.

``python -m reactio_docs.walk`` writes it into the page, with the skeletons of calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from reactio_docs.rooms import PAGE, ROOMS, first_sentence
from reactio_docs.skeleton import SKELETONS, skeletons
from reactio_docs.traced_calls import functions_by_file

COMMANDS = ("check mobile-robot", "simulate double-four-bar --until 0.1", "report mobile-robot")
WALK = re.compile(r"(?<=<!-- walk -->\n).*(?=<!-- end of walk -->)", re.DOTALL)


def walk() -> str:
    """The walks of all commands, one after the other; a file stands in the first walk that passes it."""
    lines: list[str] = []
    passed: set[str] = set()
    for command in COMMANDS:
        calls = {file: functions for file, functions in functions_by_file(command).items() if _is_on_walk(file)}
        new = {file: functions for file, functions in calls.items() if file not in passed}
        passed |= set(new)
        above = f"{len(calls) - len(new)} files listed above and"
        count = f"{above} {len(new)} more" if len(calls) > len(new) else f"{len(new)}"
        lines += [f"`reactio {command}` uses {count} files:", ""]
        lines += [*_table(new), ""]
    return re.sub("  +", " ", "\n".join(lines))


def _is_on_walk(file: str) -> bool:
    """Is a file in a room of mechanics or above?  The tools with numbers up to 0 are called everywhere."""
    room = PurePosixPath(file).parts[0].removesuffix(".py")
    return ROOMS.get(room, 0) > 0


def _table(calls: dict[str, int]) -> Iterator[str]:
    """One row for each folder, with its files in the order of first calls and a sentence on the one that does most."""
    yield from ("| Folder | Files | Purpose of the file in bold type |", "|---|---|---|")
    folders: dict[str, list[str]] = {}
    for file in calls:
        folders.setdefault(file.rpartition("/")[0] or file, []).append(file)
    for folder, files in folders.items():
        most = max(files, key=calls.__getitem__)
        names = [f"**{_name(file)}**" if file == most and len(files) > 1 else _name(file) for file in files]
        yield f"| {'' if folder == most else f'`{folder}/`'} | {', '.join(names)} | {first_sentence(most)} |"


def _name(file: str) -> str:
    return f"`{PurePosixPath(file).stem}`"


if __name__ == "__main__":
    text = WALK.sub(lambda _: walk(), PAGE.read_text(encoding="utf-8"))
    text = SKELETONS.sub(lambda _: skeletons(), text)
    PAGE.write_text(text, encoding="utf-8")
