"""MBDyn input files (.mbd, .mbdyn): structural nodes, bodies, joints by their locked axes, rods and plain forces."""

from reactio.importers import Format, register
from reactio.importers.formats.mbdyn.reader import read

MBDYN = register(
    Format("mbdyn", (".mbd", ".mbdyn"), ("begin:",), read, "MBDyn input files with all that they include.")
)
