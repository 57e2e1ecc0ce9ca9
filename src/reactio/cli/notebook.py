"""The desk in a notebook: a frame in the output of a cell, served by the notebook's own process."""

from __future__ import annotations

from html import escape

from reactio.desk.answer import read_subject
from reactio.desk.server import LOOPBACK, NOTEBOOKS, DeskServer, start, stop
from reactio.desk.session import Desk
from reactio.desk.source import ModelSource
from reactio.desk.work import Workshop
from reactio.model.files.write import to_yaml
from reactio.model.model import Model, require_model
from reactio.operating_system.child_process import python_command

FRAME_HEIGHT = 720  # [px] drawing and tables side by side without scrolling


class LiveDesk:
    """The desk of a model: shown by a notebook, and at ``url`` in any browser on this machine."""

    def __init__(self, server: DeskServer, height: int) -> None:
        """Show a running server in a frame of this height [px]."""
        self._server, self.height = server, height

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return self._server.url

    @property
    def model(self) -> Model:
        """The model as the page has it now, with all edits."""
        desk = self._server.desk
        return read_subject(desk.text, desk.source.name, desk.source.folder).model

    def stop(self) -> None:
        """Close the desk; the frame goes dead."""
        stop(self._server)

    def __repr__(self) -> str:
        return f"<LiveDesk at {self.url}>"

    def _repr_html_(self) -> str:
        return f'<iframe src="{escape(self.url)}" width="100%" height="{self.height}" style="border:0"></iframe>'


def live(model: Model, height: int = FRAME_HEIGHT) -> LiveDesk:
    """Open the desk of a model: in a notebook it appears below the cell, elsewhere at the address that is printed.

    Edits stay in the page and in ``.model`` until they are saved, into the working folder; ``stop`` closes the desk.
    ``height`` [px] is that of the frame.

    >>> import reactio as ro
    >>> desk = ro.load("door").live()
    >>> desk.model.joint("hinge1").type
    'revolute'
    >>> desk.stop()
    """
    require_model(model)
    source = ModelSource(model.name, None, False, initial_text=to_yaml(model))
    workshop = Workshop(python_command("reactio.cli.unsaved"))
    server = DeskServer(Desk(source), workshop, LOOPBACK, 0, NOTEBOOKS)
    start(server)
    return LiveDesk(server, height)
