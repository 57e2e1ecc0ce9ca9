"""Adams View command files (.cmd): parts, markers, constraints and forces, as statements of an Adams deck."""

from __future__ import annotations

from pathlib import Path

from reactio.importers import Format, Options, register
from reactio.importers.formats.adams import Deck
from reactio.importers.formats.adams_cmd.commands import commands
from reactio.importers.formats.adams_cmd.translation import AdamsTranslation
from reactio.importers.mechanism import Mechanism
from reactio.importers.reading.names import readable_name
from reactio.operating_system.files import read_text


def read(path: Path, options: Options) -> Mechanism:
    """The mechanism that the commands create, its parts where they put them."""
    translation = AdamsTranslation(str(path))
    for command in commands(read_text(path), str(path)):
        translation.read(command)
    deck = Deck(translation.statements(), str(path))
    return deck.mechanism(readable_name(path.stem)).with_notes(*translation.notes)


ADAMS_COMMANDS = register(Format("adams-cmd", (".cmd",), (), read, "Adams View command files that create one model."))
